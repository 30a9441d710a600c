"""Validation of a parsed snapshot: the pandera schema, then comparison with the last accepted one of its scope."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
from pandera.errors import SchemaErrors

from pipelines.schema import Failure, Table, canonical_json, frame
from pipelines.sources.base import Parsed
from pipelines.tables import TABLES
from pipelines.wellformed import whole_text

ROWS_LOST_RATIO = 0.15
NULLS_GAINED_RATIO = 0.20
MOST_FAILURES = 200
_DRIFT = ": source fields "


@dataclass(frozen=True)
class Profile:
    """What a snapshot is compared by: rows, share of missing values of the blocking columns, source fields."""

    rows: Mapping[str, int]
    missing: Mapping[str, Mapping[str, float]]
    fields: Mapping[str, Mapping[str, float]]

    def as_json(self) -> str:
        """For the snapshots table."""
        return whole_text(canonical_json({"rows": self.rows, "missing": self.missing, "fields": self.fields}))


@dataclass(frozen=True)
class Content:
    """Everything a snapshot says, as text: of every table the columns that hold anything, and every row's values in them, in the rows' order."""

    columns: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, list[str]]
    covers: frozenset[str] | None

    @cached_property
    def sha256(self) -> str:
        """Hash of what it says and speaks for, whatever order its rows come in."""
        spoken_for = [] if self.covers is None else [sorted(self.covers)]
        said = [(name, list(self.columns[name]), sorted(self.lines[name])) for name in sorted(self.lines)]
        return hashlib.sha256(repr([*said, *spoken_for]).encode()).hexdigest()


def content(parsed: Parsed) -> Content:
    """What a parsed snapshot says."""
    columns = {name: tuple(sorted(c for c in set().union(*rows) if any(row.get(c) is not None for row in rows))) for name, rows in parsed.rows.items()}
    lines = {name: [repr([*map(row.get, columns[name])]) for row in rows] for name, rows in parsed.rows.items()}
    return Content(columns, lines, parsed.covers)


def profile(parsed: Parsed) -> Profile:
    """Profile of a parsed snapshot."""
    rows = {t: len(r) for t, r in parsed.rows.items()}
    missing = {
        t: {c: round([r.get(c) for r in records].count(None) / len(records), 6) for c in TABLES[t].blocking} for t, records in parsed.rows.items() if records
    }
    return Profile(rows, missing, parsed.fields)


def rows_are_sound(several: Iterable[tuple[Parsed, Content]]) -> bool:
    """Whether every row of several snapshots keeps to its table's schema; one look at all is far quicker than one each.

    Most rows stand in several of them: one that reads the same is looked at once.
    """
    together: dict[str, dict[tuple[str, ...], dict[str, dict[str, Any]]]] = {}
    for parsed, said in several:
        for name, records in parsed.rows.items():
            by_line = together.setdefault(name, {}).setdefault(said.columns[name], {})
            by_line.update(zip(said.lines[name], records, strict=True))
    rows = {name: [row for by_line in by_columns.values() for row in by_line.values()] for name, by_columns in together.items()}
    return not any(_row_failures(TABLES[name], records) for name, records in rows.items() if records)


def schema_failures(parsed: Parsed, *, rows_sound: bool) -> list[Failure]:
    """Every way the rows break their tables' schemas; no row at all is one, unless it may be."""
    failures: list[Failure] = []
    if not parsed.may_be_empty and not any(parsed.rows.values()):
        failures.append(Failure(", ".join(parsed.rows) or "snapshot", "", "no row", "", ""))
    for name, records in parsed.rows.items():
        if not rows_sound and records:
            failures += _row_failures(TABLES[name], records)
        failures += _repeated_keys(TABLES[name], records)
    return failures[:MOST_FAILURES]


def _repeated_keys(table: Table, records: list[dict[str, Any]]) -> list[Failure]:
    keys = list(zip(*([str(r.get(k)) for r in records] for k in (*table.key, "dated_from")), strict=True))
    if len(set(keys)) == len(keys):
        return []
    failures, seen = [], set()
    for row, key in enumerate(keys):
        if key in seen:
            failures.append(Failure(table.name, ", ".join(table.key), "the same key twice", str(row), ", ".join(key)[:120]))
        seen.add(key)
    return failures


def _row_failures(table: Table, records: list[dict[str, Any]]) -> list[Failure]:
    if any("part" in r for r in records):
        records = [{k: v for k, v in r.items() if k != "part"} for r in records]
    data, failures = frame(table, records)
    wrong = {(f.column, f.row) for f in failures}
    try:
        table.schema.validate(data, lazy=True)
    except SchemaErrors as errors:
        for case in errors.failure_cases.to_dict("records"):
            row = "" if pd.isna(case["index"]) else str(int(case["index"]))
            column = str(case["column"] or "")
            if (column, row) not in wrong:
                failures.append(Failure(table.name, column, str(case["check"]), row, str(case["failure_case"])[:120]))
    return failures


def comparison_failures(new: Profile, last: Profile, *, complete: bool = True) -> list[Failure]:
    """What a snapshot lost against the last accepted one that blocks it.

    One that speaks for some parts of its scope only is not held against another's number of rows.
    """
    failures = []
    for table, before in last.rows.items():
        after = new.rows.get(table, 0)
        if complete and after < before * (1 - ROWS_LOST_RATIO):
            failures.append(Failure(table, "", f"{after} rows where the last accepted snapshot had {before}: more than {ROWS_LOST_RATIO:.0%} fewer", "", ""))
        for column, share in last.missing.get(table, {}).items():
            now = new.missing.get(table, {}).get(column, share)
            if now - share > NULLS_GAINED_RATIO or (now == 1 and share < 1):
                failures.append(Failure(table, column, f"missing in {now:.0%} of rows where the last accepted snapshot missed {share:.0%}", "", ""))
    return failures


def drift_warnings(new: Profile, last: Profile) -> list[str]:
    """Source fields gained, lost or nulled since the last accepted snapshot; a warning, not a failure."""
    warnings = []
    for table in sorted(set(new.fields) | set(last.fields)):
        now, before = new.fields.get(table, {}), last.fields.get(table, {})
        if not now or not before:
            continue
        gained, lost = sorted(set(now) - set(before)), sorted(set(before) - set(now))
        nulled = sorted(f for f in set(now) & set(before) if before[f] - now[f] > NULLS_GAINED_RATIO)
        for what, names in (("gained", gained), ("lost", lost), ("mostly emptied", nulled)):
            if names:
                warnings.append(f"{table}{_DRIFT}{what}: {', '.join(names)}")
    return warnings


def is_drift(warning: str) -> bool:
    """Whether a warning is one of drift: of the day on which the fields changed, not of those after it."""
    return _DRIFT in warning
