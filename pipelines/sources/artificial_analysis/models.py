"""Model records, from the pages or the data API, as rows of `models`.

The same model may stand in several arrays with different members. They are merged by id, column by column: what the
fuller record states stands, null included; others only fill what it does not mention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pipelines.schema import canonical_json
from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.aliases import MODEL_GROUPS, MODEL_KEYS, UNKEPT_MODEL_KEYS
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.records import Facts, is_keepable, plain_key, shown
from pipelines.sources.base import Unreadable
from pipelines.tables import TABLES

SHOWN_EXAMPLES = 3
FEWEST_TO_JUDGE = 20
LONGEST_EXTRA_TEXT = 200
KNOWN_SHAPES = 200
KNOWN_TEXTS = 20_000
BLEND_TOLERANCE_USD = 0.006
BLEND_TOLERANCE_RATIO = 0.005
DISCOUNT_TOLERANCE = 0.01
MOST_BILLIONS = 20_000
FEWEST_PARAMETERS = 1_000_000

Path = tuple[str, ...]

_WAYS = {keys: (column, rank) for column, ways in MODEL_KEYS.items() for rank, keys in enumerate(ways)}


def _open_weights(raw: Any) -> bool | None:
    known = {"open": True, "proprietary": False}.get(raw.strip().lower()) if isinstance(raw, str) else None
    return known if known is not None else numbers.read_flag(raw)


def _billions(raw: Any) -> float | None:
    """Parameters in billions, from billions or from a count; the ranges of the two do not meet."""
    value = numbers.read_number(raw)
    if value is None or 0 < value <= MOST_BILLIONS:
        return value
    if value >= FEWEST_PARAMETERS:
        return value / 1e9
    raise Unsure(f"{raw!r:.80} could be billions or a count")


def _measured(raw: Any) -> float | None:
    """A speed or a time; 0 is what the site writes where nothing was measured (seen on its pages of 2025)."""
    return numbers.read_number(raw) or None


def version_text(raw: Any) -> str | None:
    """An index version as text: 4.1, "4.1" and "v4.1" are the same, and so are 4 and "4.0".

    Raises Unsure.
    """
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        value = numbers.read_number(raw)
        return None if value is None else str(float(value))
    text = numbers.read_text(raw)
    text = text.removeprefix("v").removeprefix("V") if text else text
    return f"{text}.0" if text and text.isdecimal() else text


def _of_text(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A reader that remembers what texts say: the same names stand on every day's page."""
    remembered = lru_cache(maxsize=KNOWN_TEXTS)(read)
    return lambda raw: remembered(raw) if type(raw) is str else read(raw)


_text, _date = _of_text(numbers.read_text), _of_text(numbers.read_date)

_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(MODEL_KEYS, numbers.read_number),
    **dict.fromkeys(("model_id", "slug", "name", "creator", "size_class", "license"), _text),
    "release_date": _date,
    "open_weights": _open_weights,
    "is_reasoning": numbers.read_flag,
    "deprecated": numbers.read_flag,
    "index_is_estimated": numbers.read_flag,
    "index_version": version_text,
    "total_parameters_b": _billions,
    "active_parameters_b": _billions,
    "context_window_tokens": numbers.read_whole,
    "cache_discount_ratio": numbers.read_ratio,
    "output_tok_s": _measured,
    "ttft_s": _measured,
}


@dataclass(slots=True)
class ModelRecord:
    """One record of one array. `columns` holds raw values by column, `facts` all of them by path."""

    model_id: str
    columns: dict[str, Any]
    facts: Facts


def model_record(facts: Facts) -> ModelRecord:
    """A record by its facts.

    Raises Unreadable where it has no id.
    """
    columns = {column: facts[path] for column, path in _columns_at(tuple(facts)).items()}
    try:
        model_id = _text(columns.get("model_id"))
    except Unsure:
        model_id = None
    if model_id is None:
        name = f"{columns.get('name')!r:.60}"
        raise Unreadable(f"A model record has no id (its name: {name}); names and slugs are reused and do not tell which model it is of.")
    return ModelRecord(model_id, columns, facts)


@lru_cache(maxsize=KNOWN_SHAPES)
def _columns_at(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Of a record with these paths: where each column's value stands."""
    chosen: dict[str, tuple[int, Path]] = {}
    for path in paths:
        column, rank = _WAYS.get(_ungrouped(path), (None, 0))
        if column and (column not in chosen or rank < chosen[column][0]):
            chosen[column] = (rank, path)
    return {column: path for column, (_, path) in chosen.items()}


@lru_cache(maxsize=KNOWN_SHAPES)
def _kept_at(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Of a record with these paths: where each value stands that no column holds, by the name `extra` gives it."""
    return {shown(path): path for path in paths if len(path) == 1 and _ungrouped(path) not in _WAYS and plain_key(path[0]) not in UNKEPT_MODEL_KEYS}


def _ungrouped(path: Path) -> Path:
    keys = tuple(plain_key(k) for k in path)
    return keys[1:] if len(keys) > 1 and keys[0] in MODEL_GROUPS else keys


@dataclass
class Models:
    """Rows of `models` and what was noticed on the way."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    fields: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    suspicions: list[str] = field(default_factory=list)


def read_models(arrays: Iterable[list[Facts]], index_version: str | None, **common: Any) -> Models:
    """Merge arrays of records, given as facts, by id. `common` are columns that are the same in every row.

    A model that one array lists twice with the same figures is taken as it is listed last. Raises Unreadable where
    the figures differ, or a column whose loss blocks a snapshot holds a value that cannot be read for sure.
    """
    by_id: dict[str, list[ModelRecord]] = {}
    differing: Counter[str] = Counter()
    twice: list[str] = []
    for array in arrays:
        of_array: dict[str, list[ModelRecord]] = {}
        for record in map(model_record, array):
            of_array.setdefault(record.model_id, []).insert(0, record)
        for model_id, records in of_array.items():
            if len(records) > 1:
                twice += _listed_twice(records)
                records = [_combined(records)]
            by_id.setdefault(model_id, []).extend(records)
    made = Models()
    facts_by_paths: dict[tuple[Path, ...], list[Facts]] = {}
    priceless: list[str] = []
    unsure: dict[str, list[str]] = {}
    for model_id, records in by_id.items():
        records.sort(key=lambda r: len(r.columns), reverse=True)
        columns = _merged(records, differing)
        facts = _all_facts(records)
        paths = tuple(facts)
        facts_by_paths.setdefault(paths, []).append(facts)
        row = _read(columns, unsure)
        priceless += [] if "input_usd_mtok" in columns else [str(row.get("name"))]
        row["index_version"] = row.get("index_version") or index_version
        made.rows.append({**row, "model_id": model_id, "extra": _extra(facts, paths), **common})
    _refuse_blocking(unsure)
    made.fields = {name: round(n / len(by_id), 6) for name, n in _filled(facts_by_paths).items()}
    made.suspicions = _emptied(made.rows)
    made.warnings = [
        *dict.fromkeys(twice),
        *_listed_without_prices(priceless, len(by_id)),
        *_unsure_warnings(unsure),
        *_differing_warnings(differing),
        *_incoherent(made.rows),
    ]
    return made


def _listed_twice(records: list[ModelRecord]) -> list[str]:
    """A warning for a model that stands in one list more than once, last first, under other names but with the same figures."""
    last = records[0]
    differing = []
    for other in records[1:]:
        for column in TABLES["models"].blocking:
            one, two = last.columns.get(column), other.columns.get(column)
            if column not in ("slug", "name") and one != two:
                raise Unreadable(f"One list states two values of {column} for the model {last.model_id}: {two!r:.40} and {one!r:.40}.")
        differing += [] if last.columns == other.columns else [str(other.columns.get("slug"))]
    told = f"The model {last.model_id} is listed more than once; it is taken as {last.columns.get('slug')}, not as {', '.join(differing)}."
    return [told] if differing else []


def _emptied(rows: list[dict[str, Any]]) -> list[str]:
    """A whole list without any value of a column that matters is hard to believe, on the first day too."""
    if len(rows) < FEWEST_TO_JUDGE:
        return []
    return [f"none of {len(rows)} models has {column}" for column in TABLES["models"].blocking if all(r.get(column) is None for r in rows)]


def _listed_without_prices(names: list[str], of: int) -> list[str]:
    """A warning where the records of some models, unlike most, do not even mention a price: a part of a list may be lost."""
    told = f"{len(names)} of {of} models stand only in a list that mentions no price: {', '.join(names[:SHOWN_EXAMPLES])}."
    return [told] if 0 < len(names) < of / 2 else []


def _combined(records: list[ModelRecord]) -> ModelRecord:
    """The listings of one model in one list as one: the first given stands, the others fill what it does not mention."""
    columns = {column: value for record in reversed(records) for column, value in record.columns.items()}
    return ModelRecord(records[0].model_id, columns, _all_facts(records))


def _all_facts(records: list[ModelRecord]) -> Facts:
    facts: Facts = {}
    for record in reversed(records):
        facts.update(record.facts)
    return facts


def _merged(records: list[ModelRecord], differing: Counter[str]) -> dict[str, Any]:
    columns = dict(records[0].columns)
    for record in records[1:]:
        for column, value in record.columns.items():
            if columns.setdefault(column, value) != value and value is not None:
                differing[column] += 1
    return columns


def _read(columns: dict[str, Any], unsure: dict[str, list[str]]) -> dict[str, Any]:
    row = {}
    for column, raw in columns.items():
        try:
            row[column] = None if raw is None else _READERS[column](raw)
        except Unsure as why:
            unsure.setdefault(column, []).append(f"{why} ({columns.get('name')!r:.60})")
    return row


def _refuse_blocking(unsure: dict[str, list[str]]) -> None:
    for column in TABLES["models"].blocking:
        if column in unsure:
            raise Unreadable(f"{column} cannot be read for sure in {len(unsure[column])} model records, first: {unsure[column][0]}.")


def filled_fields(facts: Facts) -> dict[str, int]:
    """The source fields of a record: 1 where filled, else 0."""
    return {shown(path): int(value is not None and value != [] and value != "") for path, value in facts.items()}


def _filled(facts_by_paths: dict[tuple[Path, ...], list[Facts]]) -> Counter[str]:
    """How many records fill each source field, from records sorted by the paths they have."""
    filled: Counter[str] = Counter()
    for paths, records in facts_by_paths.items():
        by_path = zip(*(facts.values() for facts in records), strict=True)
        for name, values in {shown(path): values for path, values in zip(paths, by_path, strict=True)}.items():
            filled[name] += len(values) - sum(map(values.count, (None, [], "")))
    return filled


def _extra(facts: Facts, paths: tuple[Path, ...]) -> str | None:
    """Plain values of the record itself that no column holds."""
    stated = {name: facts[path] for name, path in _kept_at(paths).items()}
    kept = {name: value for name, value in stated.items() if not isinstance(value, list) and is_keepable(value) and not _is_long(value)}
    return canonical_json(kept) if kept else None


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_EXTRA_TEXT


def _unsure_warnings(unsure: dict[str, list[str]]) -> list[str]:
    return [f"{column} cannot be read for sure in {len(found)} model records and is left empty there, first: {found[0]}." for column, found in unsure.items()]


def _differing_warnings(differing: Counter[str]) -> list[str]:
    return [f"The page states two values of {column} for {n} models; the fuller record's is taken." for column, n in differing.items()]


def _incoherent(rows: list[dict[str, Any]]) -> list[str]:
    """Checks of stated prices against each other: blend = (7 cached + 2 input + output) / 10, discount = 1 - cached / input."""
    blends, discounts = [], []
    for row in rows:
        given, cached, output = row.get("input_usd_mtok"), row.get("cached_input_usd_mtok"), row.get("output_usd_mtok")
        if given is None or cached is None:
            continue
        blend, discount = row.get("blend_7_2_1_usd_mtok"), row.get("cache_discount_ratio")
        if blend is not None and output is not None:
            reckoned = (7 * cached + 2 * given + output) / 10
            if abs(reckoned - blend) > BLEND_TOLERANCE_USD + BLEND_TOLERANCE_RATIO * blend:
                blends.append(f"{row['name']} ({blend:g} stated, {reckoned:g} by its prices)")
        if discount is not None and given > 0 and abs(1 - cached / given - discount) > DISCOUNT_TOLERANCE:
            discounts.append(f"{row['name']} ({discount:g} stated, {1 - cached / given:.3g} by its prices)")
    told = (("7:2:1 blend", blends), ("cache discount", discounts))
    return [f"The stated {what} does not fit the prices of {len(of)} models: {', '.join(of[:SHOWN_EXAMPLES])}." for what, of in told if of]
