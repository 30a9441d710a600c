"""The cost of telling and sending one day's changes with 30 days of history against 3,650: it must grow with the change alone.

python -m tests.bench.events_share
"""

import datetime as dt
import json
import tempfile
import time
from pathlib import Path

from pipelines import changes, marts
from pipelines.lake import Lake
from pipelines.notify import send
from pipelines.settings import Settings
from pipelines.told import Stretch, add_corrections, tell
from pipelines.warehouse import Warehouse

MODELS, CHANGED_A_DAY, TOLD_A_DAY = 600, 300, 3
SOURCE, SCOPE = "artificial_analysis", "https://artificialanalysis.ai/leaderboards/models"

HISTORY = """
INSERT INTO history.models BY NAME
SELECT 'model-' || m AS model_id, 'slug-' || m AS slug, 'Model ' || m AS name, 20.0 AS intelligence_index, 1.0 AS input_usd_mtok, 4.0 AS output_usd_mtok,
       100.0 + day AS output_tok_s, '{source}' AS source, 'scraped' AS origin, 'evaluator_measured' AS provenance, '{scope}' AS source_url,
       TIMESTAMP '2016-01-01' + to_days(day::INTEGER) AS valid_from,
       CASE WHEN day + step < {days} THEN TIMESTAMP '2016-01-01' + to_days((day + step)::INTEGER) END AS valid_to,
       'capture' AS date_source, TIMESTAMP '2016-01-01' + to_days(day::INTEGER) AS recorded_at, '{scope}' AS scope,
       's' || day AS snapshot_id, CASE WHEN day + step < {days} THEN 's' || (day + step) END AS ended_by,
       'v' || m || '-' || day AS version_id, 'i' || m AS identity, day + step >= {days} AS live
FROM (SELECT m, day, {models} // {changed} AS step FROM range({models}) t(m), range({days}) d(day) WHERE day % ({models} // {changed}) = m % ({models} // {changed}))
ORDER BY day, m
"""
SNAPSHOTS = """
INSERT INTO history.snapshots BY NAME
SELECT 's' || day AS snapshot_id, '{source}' AS source, 'leaderboard' AS resource, '{scope}' AS scope, 's' || day AS set_id,
       TIMESTAMP '2016-01-01' + to_days(day::INTEGER) AS held_at, TIMESTAMP '2016-01-01' + to_days(day::INTEGER) AS captured_at,
       'changed' AS outcome, true AS read, '1' AS parser_version
FROM range({days}) d(day)
"""
EVENTS = """
INSERT INTO history.change_events BY NAME
SELECT left(sha256(n::VARCHAR), 16) AS event_id, 'price_changed' AS kind, 'notable' AS severity, '{source}' AS source, 'Model ' || n AS model, 'Model ' || n AS entity,
       'A price falls, told in a sentence of the usual length' AS summary, '{scope}' AS source_url, 'm' || n AS key, 'input_usd_mtok' AS field, '1.0' AS new_value,
       TIMESTAMP '2016-01-01' + to_days((n // {told})::INTEGER) AS happened_at, TIMESTAMP '2016-01-01' + to_days((n // {told})::INTEGER) AS detected_at
FROM range({days} * {told}) e(n)
"""


def one_day(days: int) -> dict[str, float]:
    """Processor seconds of telling and sending the last day of a history of so many days, of which all events are told."""
    lake = Lake(Path(tempfile.mkdtemp(prefix="bench-")))
    lake.prepare()
    warehouse = Warehouse(lake)
    settings = Settings(_env_file=None, alert_urls=("json://127.0.0.1:9/",))
    marts.prepare(warehouse)
    changes.prepare(warehouse, settings)
    filled = {"source": SOURCE, "scope": SCOPE, "days": days, "models": MODELS, "changed": CHANGED_A_DAY, "told": TOLD_A_DAY}
    for statement in (HISTORY, SNAPSHOTS, EVENTS):
        warehouse.con.execute(statement.format(**filled))
    last = dt.datetime(2016, 1, 1) + dt.timedelta(days=days - 1)
    warehouse.con.execute("INSERT INTO history.events_due VALUES (TIMESTAMP '2016-01-01')")
    tell(warehouse, last, [Stretch({})])
    send(warehouse, settings, last)
    runs = []
    for _ in range(5):
        warehouse.con.execute("INSERT INTO history.events_due VALUES (?)", [last])
        started = time.process_time()
        changes.derive(warehouse)
        tell(warehouse, last, [Stretch({})])
        add_corrections(warehouse)
        send(warehouse, settings, last, to=lambda *_: True)
        runs.append(time.process_time() - started)
    versions = warehouse.count("history.models")
    warehouse.close()
    return {"days": days, "versions": versions, "seconds": round(min(runs), 3)}


if __name__ == "__main__":
    short, long = one_day(30), one_day(3650)
    print(json.dumps({"short": short, "long": long, "ratio": round(long["seconds"] / short["seconds"], 2)}))
