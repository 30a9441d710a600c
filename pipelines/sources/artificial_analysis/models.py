"""Model records, from the pages or the data API, as rows of `models`.

The same model may stand in several arrays with different members. They are merged by id, column by column: what the
fuller record states stands, null included; others only fill what it does not mention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from operator import ne
from typing import Any

from pipelines.schema import canonical_json
from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.aliases import MODEL_GROUPS, MODEL_KEYS, UNKEPT_MODEL_KEYS
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.records import Facts, Path, Stated, is_keepable, plain_key, shown
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
    """One record of one array: paths, their values, and where among them each column's raw value stands."""

    model_id: str
    paths: tuple[Path, ...]
    values: tuple[Any, ...]
    places: dict[str, int]

    @property
    def columns(self) -> dict[str, Any]:
        """Raw values by column."""
        return {column: self.values[at] for column, at in self.places.items()}


def model_record(record: Stated) -> ModelRecord:
    """A record by what it states.

    Raises Unreadable where it has no id.
    """
    paths, values = record
    places = _places(paths)
    try:
        model_id = _text(values[places["model_id"]]) if "model_id" in places else None
    except Unsure:
        model_id = None
    if model_id is None:
        name = f"{values[places['name']] if 'name' in places else None!r:.60}"
        raise Unreadable(f"A model record has no id (its name: {name}); names and slugs are reused and do not tell which model it is of.")
    return ModelRecord(model_id, paths, values, places)


@lru_cache(maxsize=KNOWN_SHAPES)
def _places(paths: tuple[Path, ...]) -> dict[str, int]:
    """Of a record with these paths: at which of them each column's value stands."""
    chosen: dict[str, tuple[int, int]] = {}
    for at, path in enumerate(paths):
        column, rank = _WAYS.get(_ungrouped(path), (None, 0))
        if column and (column not in chosen or rank < chosen[column][0]):
            chosen[column] = (rank, at)
    return {column: at for column, (_, at) in chosen.items()}


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


def read_models(arrays: Iterable[list[Stated]], index_version: str | None, **common: Any) -> Models:
    """Merge arrays of records, given by what they state, by id. `common` are columns that are the same in every row.

    A model that one array lists twice with the same figures is taken as it is listed last. Raises Unreadable where
    the figures differ, or a column whose loss blocks a snapshot holds a value that cannot be read for sure.
    """
    by_id: dict[str, list[ModelRecord]] = {}
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
    for records in by_id.values():
        records.sort(key=lambda r: len(r.places), reverse=True)
    rows: dict[str, dict[str, Any]] = {model_id: {} for model_id in by_id}  # in the order listed
    filled: Counter[str] = Counter()
    unsure, differing = _Noted(list(by_id)), _Noted(list(by_id))
    for alike in _alike(by_id):
        facts = _facts_of(alike)
        rows.update(_rows_of(alike, facts, index_version, common, unsure))
        filled.update(_filled(facts))
        _note_differing(alike, differing)
    _refuse_blocking(unsure.by_column())
    made = Models(list(rows.values()))
    made.fields = {name: round(n / len(by_id), 6) for name, n in filled.items()}
    made.suspicions = _emptied(made.rows)
    made.warnings = [
        *dict.fromkeys(twice),
        *_listed_without_prices([str(row.get("name")) for row in made.rows if "input_usd_mtok" not in row], len(by_id)),
        *_unsure_warnings(unsure.by_column()),
        *_differing_warnings(differing.by_column()),
        *_incoherent(made.rows),
    ]
    return made


class _Noted:
    """What was noticed of columns of models, in the order in which the models are listed."""

    def __init__(self, model_ids: list[str]):
        self.place = {model_id: n for n, model_id in enumerate(model_ids)}
        self.noted: list[tuple[int, str, str]] = []

    def note(self, model_id: str, column: str, what: str = "") -> None:
        self.noted.append((self.place[model_id], column, what))

    def by_column(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for _, column, what in sorted(self.noted, key=lambda n: n[0]):
            found.setdefault(column, []).append(what)
        return found


def _alike(by_id: dict[str, list[ModelRecord]]) -> Iterable[list[list[ModelRecord]]]:
    """The records of the models, fullest first, by what they mention: models that are described alike are read column by column."""
    alike: dict[tuple[int, ...], list[list[ModelRecord]]] = {}
    for records in by_id.values():
        alike.setdefault(tuple([id(r.places) for r in records]), []).append(records)
    return alike.values()


def _facts_of(alike: list[list[ModelRecord]]) -> dict[Path, tuple[Any, ...]]:
    """All that is said of models described alike: by path, a value a model; the fullest record that has the path is taken."""
    facts: dict[Path, tuple[Any, ...]] = {}
    for records in reversed(list(zip(*alike, strict=True))):
        facts.update(zip(records[0].paths, zip(*(r.values for r in records), strict=True), strict=True))
    return facts


def _rows_of(
    alike: list[list[ModelRecord]], facts: dict[Path, tuple[Any, ...]], index_version: str | None, common: dict[str, Any], unsure: _Noted
) -> dict[str, dict[str, Any]]:
    """Rows of models described alike, by id."""
    column_at = {column: record.paths[at] for record in reversed(alike[0]) for column, at in record.places.items()}
    ids = [records[0].model_id for records in alike]
    names = facts[column_at["name"]] if "name" in column_at else (None,) * len(ids)
    columns: dict[str, Iterable[Any]] = {}
    for column in dict.fromkeys(column for record in alike[0] for column in record.places):
        columns[column] = _read(column, facts[column_at[column]], ids, names, unsure)
    columns["index_version"] = [version or index_version for version in columns.get("index_version", repeat(None, len(ids)))]
    columns["model_id"], columns["extra"] = ids, _extras(facts, len(ids))
    columns.update((name, repeat(value, len(ids))) for name, value in common.items())
    return {model_id: dict(zip(columns, row, strict=True)) for model_id, row in zip(ids, zip(*columns.values(), strict=True), strict=True)}


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
    facts: Facts = {}
    column_at: dict[str, Path] = {}
    for record in reversed(records):
        facts.update(zip(record.paths, record.values, strict=True))
        column_at.update((column, record.paths[at]) for column, at in record.places.items())
    paths = list(facts)
    return ModelRecord(records[0].model_id, tuple(paths), tuple(facts.values()), {column: paths.index(path) for column, path in column_at.items()})


def _note_differing(alike: list[list[ModelRecord]], differing: _Noted) -> None:
    """Note where a record states another value of a column than the fullest one that has it."""
    taken: dict[str, tuple[Any, ...]] = {}
    for records in zip(*alike, strict=True):
        for column, at in records[0].places.items():
            values = tuple(r.values[at] for r in records)
            if column not in taken:
                taken[column] = values
            elif any(map(ne, taken[column], values)):
                for record, one, other in zip(records, taken[column], values, strict=True):
                    if one != other and other is not None:
                        differing.note(record.model_id, column)


def _read(column: str, values: tuple[Any, ...], ids: list[str], names: tuple[Any, ...], unsure: _Noted) -> list[Any]:
    """Values of a column, read; None where one cannot be read for sure, which is noted."""
    read = _READERS[column]
    if read is numbers.read_number and numbers.are_read(values):
        return list(values)
    try:
        return [None if raw is None else read(raw) for raw in values]
    except Unsure:
        return [_sure(read, raw, column, unsure, model_id, name) for raw, model_id, name in zip(values, ids, names, strict=True)]


def _sure(read: Callable[[Any], Any], raw: Any, column: str, unsure: _Noted, model_id: str, name: Any) -> Any:
    try:
        return None if raw is None else read(raw)
    except Unsure as why:
        unsure.note(model_id, column, f"{why} ({name!r:.60})")
        return None


def _refuse_blocking(unsure: dict[str, list[str]]) -> None:
    for column in TABLES["models"].blocking:
        if column in unsure:
            raise Unreadable(f"{column} cannot be read for sure in {len(unsure[column])} model records, first: {unsure[column][0]}.")


def filled_fields(facts: Facts) -> dict[str, int]:
    """The source fields of a record: 1 where filled, else 0."""
    return {shown(path): int(value is not None and value != [] and value != "") for path, value in facts.items()}


def _filled(facts: dict[Path, tuple[Any, ...]]) -> dict[str, int]:
    """How many models described alike fill each source field."""
    named = {shown(path): values for path, values in facts.items()}
    return {name: len(values) - sum(map(values.count, (None, [], ""))) for name, values in named.items()}


def _extras(facts: dict[Path, tuple[Any, ...]], models: int) -> list[str | None]:
    """Of each of models described alike, as JSON: plain values of the record itself that no column holds."""
    kept_at = _kept_at(tuple(facts))
    kept = zip(*(facts[path] for path in kept_at.values()), strict=True) if kept_at else repeat((), models)
    return [_extra(dict(zip(kept_at, values, strict=True))) for values in kept]


def _extra(stated: dict[str, Any]) -> str | None:
    kept = {name: value for name, value in stated.items() if not isinstance(value, list) and is_keepable(value) and not _is_long(value)}
    return canonical_json(kept) if kept else None


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_EXTRA_TEXT


def _unsure_warnings(unsure: dict[str, list[str]]) -> list[str]:
    return [f"{column} cannot be read for sure in {len(found)} model records and is left empty there, first: {found[0]}." for column, found in unsure.items()]


def _differing_warnings(differing: dict[str, list[str]]) -> list[str]:
    return [f"The page states two values of {column} for {len(found)} models; the fuller record's is taken." for column, found in differing.items()]


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
