"""From captures to history: what the lake holds and the warehouse does not know yet, scope by scope (see scope.py)."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

from pipelines.lake import DAMAGED, DamagedBlob, Lake
from pipelines.scope import Scope
from pipelines.snapshot import Snapshot, note_snapshots
from pipelines.sources.base import OK_OUTCOMES, Capture, Source
from pipelines.warehouse import Warehouse

_FAILING = """
SELECT scope FROM history.snapshots WHERE source = ? AND scope IN (SELECT unnest(?)) GROUP BY resource, scope
HAVING arg_max(outcome, (captured_at, held_at, snapshot_id)) NOT IN ('changed', 'unchanged', 'not_modified')"""

_PARTS_OF_DAMAGED = """
WITH damaged AS (
  SELECT DISTINCT source, scope, set_id FROM history.snapshots WHERE source = $source AND outcome = 'invalid' AND starts_with(message, $damaged)
),
parts AS (
  SELECT scope, set_id, arg_max(c.sha256, (captured_at, file, read_at)) AS sha256
  FROM lake.captures c SEMI JOIN damaged USING (source, scope, set_id)
  WHERE outcome IN (SELECT unnest($ok))
  GROUP BY scope, set_id, url
)
SELECT scope, list(sha256) AS shas FROM parts WHERE sha256 IS NOT NULL GROUP BY scope, set_id"""


def ingest(warehouse: Warehouse, source: Source, progress: Any = None) -> list[Snapshot]:
    """Take everything of a source that the lake holds and the warehouse does not know yet; returns the snapshots made."""
    warehouse.index()
    with _seldom_collected():
        return _taken(warehouse, source, progress)


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Let Python look for garbage seldom: records of many snapshots are held at once, and going through them again and again costs a fifth of the time."""
    former = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*former)
        gc.unfreeze()


def _taken(warehouse: Warehouse, source: Source, progress: Any) -> list[Snapshot]:
    made = []
    for scope, grown in _to_derive(warehouse, source).items():
        made += [s for s in Scope(warehouse, source, scope).derive() if s.snapshot_id in grown]
    for scope in _with_bytes_again(warehouse, source):
        Scope(warehouse, source, scope).derive()
    pending = warehouse.captures(
        "source = ? AND NOT EXISTS (SELECT 1 FROM history.snapshots s WHERE s.source = captures.source AND s.snapshot_id = captures.set_id)", [source.name]
    )
    scopes: dict[str, list[Capture]] = {}
    for capture in pending:
        scopes.setdefault(capture.scope, []).append(capture)
    quiet: list[Snapshot] = []
    for scope in progress(scopes, len(scopes), f"reading {source.title}") if progress else scopes:
        made += Scope(warehouse, source, scope, quiet).take(scopes[scope])
    if quiet:
        failing = {r["scope"] for r in warehouse.rows(_FAILING, [source.name, [s.last.scope for s in quiet]])}
        with warehouse.transaction():
            note_snapshots(warehouse, source, quiet, failing)
    return made


def derive_again(warehouse: Warehouse, source: Source, scope: str) -> list[Snapshot]:
    """Derive a scope from all its captures anew, as after a decision."""
    warehouse.index()
    return Scope(warehouse, source, scope).derive()


def _to_derive(warehouse: Warehouse, source: Source) -> dict[str, set[str]]:
    """Scopes whose snapshots are no longer what the lake says, each with those of its sets that gained captures since they were read.

    The others were read by another parser version, or a decision on one was recorded by a run that ended before it
    took effect.
    """
    rows = warehouse.rows(
        "WITH sets AS (SELECT set_id, scope, count(DISTINCT url) AS parts FROM lake.captures "
        "WHERE source = $source AND outcome IN (SELECT unnest($ok)) GROUP BY ALL) "
        "SELECT s.scope, s.snapshot_id, s.read AND sets.parts > s.parts AS has_grown FROM history.snapshots s LEFT JOIN sets USING (set_id, scope) "
        "WHERE s.source = $source AND (s.parser_version <> $parser OR s.read AND sets.parts > s.parts OR s.outcome = 'invalid' "
        "AND s.accepted_reason IS NULL AND s.content_sha256 IS NOT NULL AND s.snapshot_id IN (SELECT unnest($decided)))",
        {"source": source.name, "ok": list(OK_OUTCOMES), "parser": source.parser_version, "decided": list(warehouse.lake.accepted())},
    )
    scopes: dict[str, set[str]] = {}
    for row in rows:
        scopes.setdefault(row["scope"], set()).update([row["snapshot_id"]] if row["has_grown"] else [])
    return scopes


def _with_bytes_again(warehouse: Warehouse, source: Source) -> set[str]:
    """Scopes with a snapshot whose bytes were lost and are there again, or others in their place: asked anew, or put back from a backup."""
    rows = warehouse.rows(_PARTS_OF_DAMAGED, {"source": source.name, "ok": list(OK_OUTCOMES), "damaged": DAMAGED})
    return {row["scope"] for row in rows if all(map(warehouse.lake.has, row["shas"])) and all(_is_sound(warehouse.lake, s) for s in row["shas"])}


def _is_sound(lake: Lake, sha256: str) -> bool:
    try:
        lake.get(sha256)
    except DamagedBlob:
        return False
    return True
