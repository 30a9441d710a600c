"""Writes years of history into a lake at once: what so many days of refreshes would have left, made by SQL.

600 listed models of which 300 change a day (as in the real archive of 117 days: 34,691 versions of 60,367 rows), 80,000
InferenceX points, 20 resources looked at a day, 10 routine events and a notable one a day, all of them told.
"""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from pipelines.lake import Lake, new_capture, to_json
from pipelines.schema import content_id
from pipelines.sources.artificial_analysis.places import LEADERBOARD, scope_of
from pipelines.warehouse import Warehouse

MODELS, CHANGED_A_DAY, POINTS, RESOURCES = 600, 300, 80_000, 20
BEGAN = dt.datetime(2016, 1, 1, 23)
AA, SCOPE = "artificial_analysis", scope_of(LEADERBOARD)

_DAY = f"TIMESTAMP '{BEGAN}' + to_days((day)::INTEGER)"
_MODELS = f"""
INSERT INTO history.models BY NAME
SELECT k.name AS model_id, 'slug-' || m AS slug, 'Model ' || m AS name, 'Creator' AS creator, m % 2 = 0 AS open_weights, 'large' AS size_class,
       20.0 + m % 40 AS intelligence_index, '4.3' AS index_version, 1.0 AS input_usd_mtok, 4.0 AS output_usd_mtok, 0.1 AS cached_input_usd_mtok,
       100.0 + day AS output_tok_s, 0.7 AS ttft_s, '{AA}' AS source, 'scraped' AS origin, 'evaluator_measured' AS provenance, '{SCOPE}' AS source_url,
       {_DAY} AS valid_from, CASE WHEN day + 2 < $days THEN {_DAY} + INTERVAL 2 DAY END AS valid_to,
       'capture' AS date_source, {_DAY} AS recorded_at, '{SCOPE}' AS scope,
       's' || day AS snapshot_id, CASE WHEN day + 2 < $days THEN 's' || (day + 2) END AS ended_by,
       'v' || m || '-' || day AS version_id, k.identity, day + 2 >= $days AS live
FROM range({MODELS}) t(m) JOIN keys k ON k.number = m, range($days) d(day) WHERE day % 2 = m % 2"""
_SNAPSHOTS = f"""
INSERT INTO history.snapshots BY NAME
SELECT if(r = 0, 's' || day, 's' || day || '-' || r) AS snapshot_id, if(r < 10, '{AA}', 'inferencex') AS source, if(r = 0, 'leaderboard', 'page ' || r) AS resource,
       if(r = 0, '{SCOPE}', 'https://page.example/' || r) AS scope, snapshot_id AS set_id, {_DAY} AS held_at, {_DAY} AS captured_at,
       if(r = 0, 'changed', 'unchanged') AS outcome, true AS read, sha256(day::VARCHAR) AS sha256, sha256(day::VARCHAR) AS content_sha256, 600 AS rows,
       300 AS changed_rows, 'https://page.example/' || r AS url, 1 AS parts, [] AS unmatched_names, if(r < 10, $aa, $inferencex) AS parser_version
FROM range($days) d(day), range({RESOURCES}) t(r)"""
_POINTS = f"""
INSERT INTO history.operating_points BY NAME
SELECT 'point ' || i AS point_id, 'Model ' || (i % 40) AS model, a AS accelerator, if(a LIKE 'MI%', 'AMD', 'NVIDIA') AS vendor, 8 AS accelerators,
       ['fp4', 'fp8'][1 + (i // 400) % 2] AS precision, 'sglang' AS framework, false AS disaggregated, ['agentic_traces', 'fixed_length'][1 + (i // 800) % 2] AS scenario,
       CASE (i // 800) % 2 WHEN 1 THEN 8192 END AS isl, CASE (i // 800) % 2 WHEN 1 THEN 1024 END AS osl, 1 + (i // 1600) % 50 AS concurrency,
       15.0 + 4 * ((i // 1600) % 50) AS interactivity_tok_s, ['p90_itl', 'median_tpot'][1 + (i // 800) % 2] AS interactivity_kind,
       60000.0 - 700 * ((i // 1600) % 50) AS total_tok_s_gpu, 300.0 AS output_tok_s_gpu, 0.96 AS cache_hit_ratio, 'server' AS cache_hit_kind,
       'active' AS status, [] AS flags, 'inferencex' AS source, 'api' AS origin, 'evaluator_measured' AS provenance, 'https://inferencex.example/' AS source_url,
       TIMESTAMP '{BEGAN}' AS valid_from, 'run_date' AS date_source, TIMESTAMP '{BEGAN}' AS recorded_at, 'points' AS scope, 's0-11' AS snapshot_id,
       'p' || i AS version_id, 'p' || i AS identity, true AS live
FROM (SELECT i, ['B200', 'B300', 'GB200', 'GB300', 'H100', 'H200', 'MI300X', 'MI325X', 'MI355X', 'TPU v7'][1 + (i // 40) % 10] AS a FROM range({POINTS}) t(i))"""
_EVENTS = f"""
INSERT INTO history.change_events BY NAME
SELECT left(sha256(day || '|' || n), 16) AS event_id, 'value_changed' AS kind, if(n = 0, 'notable', 'routine') AS severity, '{AA}' AS source,
       'Model ' || n AS model, 'Model ' || n AS entity, day || '|' || n AS key, 'output_tok_s' AS field, '1' AS old_value, '2' AS new_value, [] AS co_changed,
       {_DAY} AS happened_at, {_DAY} AS detected_at, 'Model ' || n || ' went from 1 to 2' AS summary, '{SCOPE}' AS source_url
FROM range($days) d(day), range(11) t(n)"""


def model_id(number: int) -> str:
    """Id of a listed model."""
    return f"id-{number}"


def fill(warehouse: Warehouse, days: int, parsers: dict[str, str]) -> None:
    """Leave `days` days behind in an empty lake and its warehouse; `parsers` are the sources' parser versions."""
    con = warehouse.con
    con.execute("CREATE OR REPLACE TEMP TABLE keys (number BIGINT, name VARCHAR, identity VARCHAR)")
    keys = [{"number": n, "name": model_id(n), "identity": content_id(model_id(n), None)} for n in range(MODELS)]
    warehouse.insert("keys", keys, {"number": "int", "name": "text", "identity": "text"})
    con.execute(_MODELS, {"days": days})
    con.execute(_SNAPSHOTS, {"days": days, "aa": parsers[AA], "inferencex": parsers["inferencex"]})
    con.execute(_POINTS)
    con.execute(_EVENTS, {"days": days})
    for name in ("models", "operating_points", "snapshots"):
        warehouse.touch(name)
    _log(warehouse.lake, days)
    _told(warehouse, days)
    warehouse.index()


def _log(lake: Lake, days: int) -> None:
    """Capture lines of every day, whose bytes are not there: nothing reads them again."""
    for day in range(days):
        at = BEGAN + dt.timedelta(days=day)
        lines = []
        for number in range(RESOURCES):
            scope = SCOPE if number == 0 else f"https://page.example/{number}"
            name = f"s{day}" if number == 0 else f"s{day}-{number}"
            source = AA if number < 10 else "inferencex"
            capture = new_capture(source=source, resource="page", scope=scope, set_id=name, url=scope, captured_at=at, outcome="fetched", sha256="0" * 64)
            lines.append(json.dumps(to_json(capture)))
        with (lake.log / f"{at:%Y-%m}.jsonl").open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def _told(warehouse: Warehouse, days: int) -> None:
    told = warehouse.rows("SELECT * FROM history.change_events WHERE severity = 'notable'")
    lines = [json.dumps({**e, **{k: str(e[k]) for k in ("happened_at", "detected_at")}, "told_at": f"{e['detected_at']}", "silently": False}) for e in told]
    (warehouse.lake.root / "told.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def size_mb(path: Path) -> float:
    """Of a file, or of all files of a folder."""
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return round(sum(p.stat().st_size for p in files) / 1e6, 2)
