"""What the site offers today: models, endpoints, and which configurations have rows. Nothing is hard-coded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pipelines.sources.base import Bundle, Capture, Collector, NoData, Parsed, Unreadable
from pipelines.sources.inferencex.options import display_names
from pipelines.sources.inferencex.wire import decode, decode_rows, objects, shares, text

SITE = "inferencex"
OPENAPI = "/api/openapi.json"
OPTIONS = "/api/v1/views/options"
AVAILABILITY = "/api/v1/availability"
BENCHMARKS = "/api/v1/benchmarks"
HISTORY = "/api/v1/benchmarks/history"
WORKFLOW_INFO = "/api/v1/workflow-info"
EVALUATIONS = "/api/v1/evaluations"
AGGREGATES = "/api/v1/agentic-aggregates"

T = TypeVar("T")


@dataclass(frozen=True)
class Offer:
    """Models by display name, the paths the site documents, database keys, and availability (None: not known)."""

    models: tuple[str, ...] = ()
    paths: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    availability: list[dict[str, Any]] | None = None

    def has(self, path: str) -> bool:
        """Whether the site documents the path; a site without a description is taken to have it."""
        return path in self.paths or not self.paths

    def available(self, model: str) -> list[dict[str, Any]] | None:
        """The model's configurations with rows; None where that is not known."""
        if self.availability is None or not self.names:
            return None
        return [row for row in self.availability if self.names.get(text(row, "model") or "") == model]


def _resolved(document: dict[str, Any], value: Any) -> Any:
    """A value of an OpenAPI document behind its `$ref`."""
    for _ in range(5):
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            return value
        target: Any = document
        for step in value["$ref"].removeprefix("#/").split("/"):
            target = target.get(step) if isinstance(target, dict) else None
        value = target
    return None


def _texts(document: dict[str, Any], schema: Any, depth: int = 5) -> list[str]:
    """The texts a schema allows, of itself or of what it is composed of."""
    schema = _resolved(document, schema)
    if not isinstance(schema, dict) or not depth:
        return []
    if isinstance(schema.get("enum"), list):
        return [v for v in schema["enum"] if isinstance(v, str)]
    parts = [schema.get("items"), *(part for how in ("anyOf", "oneOf", "allOf") for part in objects(schema.get(how)))]
    return [text_ for part in parts for text_ in _texts(document, part, depth - 1)]


def listed_models(document: dict[str, Any]) -> list[str]:
    """The models that the benchmarks endpoint takes, by display name."""
    paths = document.get("paths")
    path = _resolved(document, paths.get(BENCHMARKS)) if isinstance(paths, dict) else None
    places = [path, path.get("get")] if isinstance(path, dict) else []
    for parameter in (p for place in places if isinstance(place, dict) for p in objects(place.get("parameters"))):
        found = _resolved(document, parameter)
        if isinstance(found, dict) and found.get("name") == "model":
            return _texts(document, found.get("schema"))
    return []


def parse_openapi(bundle: Bundle) -> Parsed:
    """Check that the description names models.

    Raises Unreadable or NoData.
    """
    document = decode(bundle.body, dict, "openapi.json")
    models = listed_models(document)
    if not models:
        raise NoData(f"openapi.json names no model under {BENCHMARKS}.")
    return Parsed(rows={}, compared=False, may_be_empty=True, shape={"models": models, "paths": sorted(document["paths"])})


def parse_availability(bundle: Bundle) -> Parsed:
    """Check that availability is a list of configurations.

    Raises Unreadable or NoData.
    """
    rows = decode_rows(bundle.body, "availability")
    if not rows:
        raise NoData("Availability lists no configuration at all.")
    return Parsed(rows={}, compared=False, may_be_empty=True, shape={"rows": len(rows), "fields": shares(rows)})


def parse_past_rows(bundle: Bundle) -> Parsed:
    """Check that the answer is of rows; they reach history through the notes of the sets that asked for them.

    Raises Unreadable.
    """
    rows = decode_rows(bundle.body, "past rows")
    return Parsed(rows={}, compared=False, may_be_empty=True, shape={"rows": len(rows)})


def parse_aggregates(bundle: Bundle) -> Parsed:
    """Check that the answer is an object by id.

    Raises Unreadable.
    """
    found = decode(bundle.body, dict, "agentic aggregates")
    return Parsed(rows={}, compared=False, may_be_empty=True, shape={"points": len(found)})


def parse_workflow_info(bundle: Bundle) -> Parsed:
    """Check that the answer is of runs; what it says of them reaches the rows through the notes of their sets.

    Raises Unreadable.
    """
    info = decode(bundle.body, dict, "workflow-info")
    if not isinstance(info.get("runs"), list) and not isinstance(info.get("changelogs"), list):
        raise Unreadable("workflow-info: an object without `runs` and `changelogs`")
    return Parsed(rows={}, compared=False, may_be_empty=True, shape={k: len(v) for k, v in info.items() if isinstance(v, list)})


def readable(run: Collector, capture: Capture, read: Callable[[bytes], T]) -> T | None:
    """What a good capture says; None where it failed or is unreadable (parse reports that)."""
    if not capture.ok:
        return None
    try:
        return read(run.body(capture))
    except Unreadable:
        return None


def last_good(run: Collector, resource: str, read: Callable[[bytes], T]) -> T | None:
    """What the newest readable answer of a resource says."""
    return next((said for c in reversed(run.captures(resource=resource)) if (said := readable(run, c, read))), None)


def discover(run: Collector) -> Offer | None:
    """Ask what there is; None where nothing of it can be read, so that the site is left alone for this run.

    A description that cannot be had today is taken as it last was; its own capture tells so.
    """
    openapi = run.get(SITE, OPENAPI, resource="openapi")
    options = run.get(SITE, OPTIONS, resource="options", params={"format": "json"})
    availability = run.get(SITE, AVAILABILITY, resource="availability")
    document = readable(run, openapi, read_object)
    named = readable(run, options, read_object)
    listed = readable(run, availability, lambda body: decode_rows(body, "availability"))
    if not (document or named or listed):
        message = "openapi, options and availability could not be read, so no model was asked for. The last good rows stay; the next run asks again."
        run.failed("benchmarks", openapi.scope.replace(OPENAPI, BENCHMARKS), "invalid" if openapi.ok else openapi.outcome, message)
        return None
    document = document or last_good(run, "openapi", read_object) or {}
    names = display_names(named or last_good(run, "options", read_object) or {})
    paths = document.get("paths")
    return Offer(
        models=tuple(dict.fromkeys(listed_models(document) or names.values())),
        paths=frozenset(paths) if isinstance(paths, dict) else frozenset(),
        names=names,
        availability=listed or None,
    )


def read_object(body: bytes) -> dict[str, Any]:
    """A JSON object.

    Raises Unreadable where the bytes are none.
    """
    found: dict[str, Any] = decode(body, dict, "the answer")
    return found
