"""Change events: what version transitions mean, told by sql/events/*.sql.

Events are derived for everything recorded since the earliest snapshot that the history took in and no run has told
yet, so the work grows with the change; a late arrival has the events after it derived anew. An event's id is
the hash of what happened and when, so it is the same after any rebuild or order of arrival.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from pipelines.marts import SQL
from pipelines.schema import content_id
from pipelines.settings import Settings
from pipelines.tables import TABLES
from pipelines.warehouse import Warehouse

TABLE = "change_events"

_TABLE = """
CREATE TABLE IF NOT EXISTS history.change_events (
  event_id VARCHAR, kind VARCHAR, severity VARCHAR, source VARCHAR, model VARCHAR, entity VARCHAR, vendor VARCHAR, accelerator VARCHAR,
  key VARCHAR, field VARCHAR, old_value VARCHAR, new_value VARCHAR, co_changed VARCHAR[], happened_at TIMESTAMP, changed_after TIMESTAMP,
  detected_at TIMESTAMP, summary VARCHAR, source_url VARCHAR)"""

# Opened versions with the version they follow; of two snapshots at one time the second opens what the first has ended.
# `is_start`: recorded with the first look at the table (a start is no news); `is_scope_start`: with the first look at the
# scope; `is_news`: seen live, neither a start nor a backfill. What is entered by hand never is.
# Both sides are narrowed to the snapshots due before they are joined, so that a long history is not read whole.
_OPENED = """
CREATE OR REPLACE VIEW events.opened_{table} AS
WITH due AS (
  SELECT source, scope, snapshot_id FROM history.snapshots WHERE captured_at >= getvariable('events_since')
), fresh AS (
  FROM history.{table} WHERE recorded_at >= getvariable('events_since')
), former AS (
  SELECT p.* FROM history.{table} p JOIN due d ON d.source = p.source AND d.scope = p.scope AND d.snapshot_id = p.ended_by
), paired AS (
  SELECT v.*, CASE WHEN p.version_id IS NOT NULL THEN p END AS former
  FROM fresh v
  LEFT JOIN former p ON p.source = v.source AND p.scope = v.scope AND p.identity = v.identity AND (p.ended_by = v.snapshot_id OR p.valid_to = v.valid_from)
), returned AS (
  SELECT DISTINCT v.version_id
  FROM history.{table} e
  JOIN (FROM paired WHERE former IS NULL) v ON e.source = v.source AND e.scope = v.scope AND e.identity = v.identity AND e.valid_from < v.valid_from
), starts AS (
  SELECT source, origin, min(recorded_at) AS first_recorded_at FROM history.{table} GROUP BY ALL
), scope_starts AS (
  SELECT source, scope, min(captured_at) AS first_captured_at, min_by(held_at, captured_at) AS first_held_at
  FROM history.snapshots WHERE outcome = 'changed' GROUP BY ALL
)
SELECT v.*,
       v.recorded_at = s.first_recorded_at AS is_start,
       v.recorded_at = c.first_captured_at AS is_scope_start,
       v.origin <> 'curated' AND v.date_source IN ('capture', 'commit') AND v.recorded_at > s.first_recorded_at AND v.valid_from > c.first_held_at AS is_news,
       v.version_id IN (FROM returned) AS is_return
FROM paired v
JOIN starts s ON s.source = v.source AND s.origin = v.origin
JOIN scope_starts c ON c.source = v.source AND c.scope = v.scope"""

# Versions that ended without a successor, but for those entered by hand.
_ENDED = """
CREATE OR REPLACE VIEW events.ended_{table} AS
WITH due AS (
  SELECT source, snapshot_id, captured_at FROM history.snapshots WHERE captured_at >= getvariable('events_since')
)
SELECT p.*, d.captured_at AS ended_at
FROM history.{table} p
JOIN due d ON d.source = p.source AND d.snapshot_id = p.ended_by
WHERE p.origin <> 'curated' AND NOT EXISTS (
  FROM history.{table} v
  WHERE v.recorded_at >= getvariable('events_since') AND v.source = p.source AND v.scope = p.scope AND v.identity = p.identity
    AND (v.snapshot_id = p.ended_by OR v.valid_from = p.valid_to)
)"""

# What a day did to the whole model list: how many models moved, and whether that is a rebase or a mass repricing.
_MODEL_DAYS = """
CREATE OR REPLACE VIEW events.model_days AS
WITH days AS (
  SELECT snapshot_id, source, scope, held_at, captured_at FROM history.snapshots
  WHERE source = 'artificial_analysis' AND outcome = 'changed' AND captured_at >= getvariable('events_since')
), former AS (
  SELECT p.* FROM history.models p JOIN days d ON d.source = p.source AND d.scope = p.scope AND d.snapshot_id = p.ended_by
), moves AS (
  SELECT d.snapshot_id,
         count(*) FILTER (abs(v.intelligence_index - p.intelligence_index) > 0.05) AS moved,
         count(*) FILTER (v.index_version IS DISTINCT FROM p.index_version AND v.index_version IS NOT NULL AND p.index_version IS NOT NULL) AS reversioned,
         count(*) FILTER (v.input_usd_mtok IS DISTINCT FROM p.input_usd_mtok OR v.output_usd_mtok IS DISTINCT FROM p.output_usd_mtok) AS repriced,
         mode(p.index_version) AS former_version, mode(v.index_version) AS new_version
  FROM days d
  JOIN history.models v ON v.source = d.source AND v.snapshot_id = d.snapshot_id AND v.origin = 'scraped' AND v.recorded_at >= getvariable('events_since')
  JOIN former p ON p.source = v.source AND p.scope = v.scope AND p.identity = v.identity AND p.ended_by = v.snapshot_id
  GROUP BY ALL
), sizes AS (
  SELECT d.snapshot_id, count(*) AS common
  FROM days d
  JOIN history.models m ON m.source = d.source AND m.scope = d.scope AND m.valid_from < d.held_at AND (m.valid_to IS NULL OR m.valid_to >= d.held_at)
  GROUP BY ALL
)
SELECT d.*, m.moved, m.repriced, s.common, m.former_version, m.new_version,
       m.moved > 0.05 * s.common OR m.reversioned > 0 AS is_rebase,
       m.repriced > 0.05 * s.common AS is_repricing
FROM days d JOIN moves m USING (snapshot_id) JOIN sizes s USING (snapshot_id)"""

# One happening is told once, and never without words.
_TELL = """
INSERT INTO history.change_events BY NAME
SELECT left(sha256(concat_ws('|', kind, source, key, coalesce(field, ''), coalesce(new_value, ''), happened_at::VARCHAR)), 16) AS event_id,
       * REPLACE (co_changed::VARCHAR[] AS co_changed,
                  coalesce(summary, concat_ws(': ', replace(kind, '_', ' '), coalesce(entity, model, key), new_value)) AS summary)
FROM told
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY summary) = 1"""

_WATCHED = """
CREATE OR REPLACE VIEW events.watched_names AS
SELECT DISTINCT fold_name(name) AS name FROM (SELECT unnest(getvariable('watched_models')) AS name)"""


def event_files() -> list[Path]:
    """The SQL files that tell events."""
    return sorted((SQL / "events").glob("*.sql"))


def prepare(warehouse: Warehouse, settings: Settings) -> None:
    """Make the events table and the views its SQL rests on."""
    con = warehouse.con
    con.execute("SET VARIABLE watched_models = ?", [list(settings.watched_models)])
    con.execute("SET VARIABLE events_since = TIMESTAMP '1970-01-01'")
    views = [text.format(table=table) for table in TABLES for text in (_OPENED, _ENDED)]
    statements = [_TABLE, "CREATE SCHEMA IF NOT EXISTS events", *views, _MODEL_DAYS, _WATCHED]
    with warehouse.made_once("events", content_id(*statements)) as is_due:
        for statement in statements if is_due else ():
            con.execute(statement)


def derive(warehouse: Warehouse) -> None:
    """Derive the events of everything taken in and not told yet."""
    con = warehouse.con
    row = con.execute("SELECT min(since) FROM history.events_due").fetchone()
    since: dt.datetime | None = row[0] if row else None
    if since is None:
        return
    con.execute("SET VARIABLE events_since = ?", [since])
    with warehouse.transaction():
        con.execute("DELETE FROM history.change_events WHERE detected_at >= ?", [since])
        for path in event_files():
            con.execute(f"CREATE OR REPLACE TEMP TABLE told AS {path.read_text(encoding='utf-8').rstrip().rstrip(';')}")
            con.execute(_TELL)
