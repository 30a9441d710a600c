"""Things that results refer to by id: models, systems, tiers and configurations that stand in lists of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pipelines.sources.artificial_analysis.flight import Flight
from pipelines.sources.artificial_analysis.meanings import Path
from pipelines.sources.artificial_analysis.records import Array, Facts, flat, plain_key, words

_KINDS = {
    "model": "model",
    **dict.fromkeys(("system", "hardware", "platform"), "system"),
    **dict.fromkeys(("accelerator", "gpu", "chip"), "accelerator"),
    **dict.fromkeys(("config", "configuration"), "config"),
    **dict.fromkeys(("slo", "tier"), "slo"),
}
_ID_KEYS = ("id", "slug", "key", "uuid")

Entities = dict[tuple[str, str], Facts]


def _kind(word: str) -> str | None:
    return _KINDS.get(word) or _KINDS.get(word.removesuffix("s"))


def entities(arrays: Iterable[Array], flight: Flight) -> Entities:
    """Facts by kind and id, under paths that begin with the kind; an id that two records of a kind share is left out."""
    found: Entities = {}
    shared: set[tuple[str, str]] = set()
    for array in arrays:
        kind = _kind(words(array.path[-1])[-1]) if array.path and words(array.path[-1]) else None
        if kind is None:
            continue
        for raw in array.records:
            facts = flat(flight.plain(raw))
            under_kind = {(kind, *path): value for path, value in facts.items()}
            for name in {str(value) for path, value in facts.items() if len(path) == 1 and plain_key(path[0]) in _ID_KEYS and _is_name(value)}:
                if found.setdefault((kind, name), under_kind) != under_kind:
                    shared.add((kind, name))
    return {key: facts for key, facts in found.items() if key not in shared}


def referred(own: Facts, known: Entities) -> Iterator[tuple[Path, Facts]]:
    """Entities that a record's own facts refer to, with the path that does: `modelId`, `model.id`, or `model` itself."""
    for path, value in own.items():
        said = [w for key in path[-2:] for w in words(key)]
        if said and said[-1] in _ID_KEYS:
            said = said[:-1]
        kind = _kind(said[-1]) if said and _is_name(value) else None
        if kind and (kind, str(value)) in known:
            yield path, known[kind, str(value)]


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""
