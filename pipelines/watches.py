"""Watches: standing questions from watches.yaml, answered by queries over the published tables."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML, YAMLError

FILE = Path(__file__).with_name("watches.yaml")
FIELDS = {"name", "question", "fires", "when", "expected_by", "requires"}


class WatchError(Exception):
    """watches.yaml cannot be used; the message names the watch and the field."""


@dataclass(frozen=True)
class Watch:
    """A standing question. `when` yields `at_time` and `event_id` for every time it was answered."""

    name: str
    question: str
    fires: str
    when: str
    expected_by: dt.date | None
    requires: tuple[str, ...]


@cache
def watches(path: Path = FILE) -> tuple[Watch, ...]:
    """The watches of a file.

    Raises WatchError.
    """
    try:
        entries = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    except YAMLError as why:
        raise WatchError(f"{path.name}: {why}") from why
    if not isinstance(entries, list):
        raise WatchError(f"{path.name} must be a list of watches")
    found = [_watch(entry, path.name) for entry in entries]
    if len({w.name for w in found}) < len(found):
        raise WatchError(f"{path.name}: two watches have one name")
    return tuple(found)


def _watch(entry: Any, file: str) -> Watch:
    if not isinstance(entry, dict):
        raise WatchError(f"{file}: {entry!r} is no watch")
    name = entry.get("name", "a watch without a name")
    unknown, missing = set(entry) - FIELDS, {"name", "question", "fires", "when"} - set(entry)
    if unknown or missing:
        raise WatchError(f"{file}, {name}: {'unknown field ' + ', '.join(sorted(unknown)) if unknown else 'missing ' + ', '.join(sorted(missing))}")
    if entry["fires"] not in ("once", "every"):
        raise WatchError(f"{file}, {name}: fires is once or every, not {entry['fires']!r}")
    expected = entry.get("expected_by")
    if expected is not None and not isinstance(expected, dt.date):
        raise WatchError(f"{file}, {name}: expected_by is a day like 2026-10-26, not {expected!r}")
    return Watch(name, entry["question"], entry["fires"], entry["when"].strip().rstrip(";"), expected, tuple(entry.get("requires", ())))


def mart_sql() -> str:
    """The mart `watches` as one query: a `once` watch keeps its first answer, an `every` watch shows its last."""
    parts = [_part(w) for w in watches()]
    header = "-- Standing questions and their answers.\n-- Unit of a row: one watch.\n-- Reads: what pipelines/watches.yaml asks.\n"
    return header + "\nUNION ALL BY NAME\n".join(parts)


def _part(watch: Watch) -> str:
    kept = " AND ".join(f'"{c}" IS NOT NULL' for c in watch.requires) or "true"
    which = "arg_min" if watch.fires == "once" else "arg_max"
    at = "min" if watch.fires == "once" else "max"
    expected = f"DATE '{watch.expected_by}'" if watch.expected_by else "NULL::DATE"
    return (
        f"SELECT {_text(watch.name)} AS name, {_text(watch.question)} AS question, {_text(watch.fires)} AS fires, "
        f"CASE WHEN count(at_time) > 0 THEN 'answered' ELSE 'open' END AS state, {expected} AS expected_by, "
        f"{at}(at_time) AS answered_at, {which}(event_id::VARCHAR, (at_time, event_id::VARCHAR)) AS event_id FROM ({watch.when}) WHERE {kept}"
    )


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
