"""The site's own history of every model, workload by workload: charts can begin before our first day.

8 to 12 MB a model and workload. Resumable: a workload whose history is in the lake is not fetched again.
"""

from __future__ import annotations

from pipelines.sources.base import Collector
from pipelines.sources.inferencex.benchmarks import HISTORY as HISTORY_ROLE
from pipelines.sources.inferencex.benchmarks import NOTE
from pipelines.sources.inferencex.collect import WorkflowInfo, about_runs, collect_model, keep_note
from pipelines.sources.inferencex.discovery import HISTORY, SITE, WORKFLOW_INFO, Offer, discover, readable
from pipelines.sources.inferencex.identity import point_ids, usable
from pipelines.sources.inferencex.past import Known, Params
from pipelines.sources.inferencex.wire import decode_rows, text

MOST_WORKLOADS = 200


def workloads(offer: Offer) -> list[tuple[str, Params]]:
    """Models and their workloads, as availability lists them."""
    found: set[tuple[str, Params]] = set()
    for model in offer.models:
        for row in offer.available(model) or []:
            isl, osl = text(row, "isl"), text(row, "osl")
            if text(row, "benchmark_type") == "agentic_traces":
                found.add((model, (("benchmarkType", "agentic_traces"),)))
            elif isl and osl:
                found.add((model, (("isl", isl), ("osl", osl))))
    return sorted(found)


def backfill(run: Collector) -> None:
    """Load the history of every workload that is not in the lake yet, at most 200 a run, with progress."""
    offer = discover(run)
    if offer is None:
        return
    info = WorkflowInfo(run, offer.has(WORKFLOW_INFO))
    broken = {c.set_id for c in run.lost("history")}
    done = {(c.meta["model"], c.meta["workload"]) for c in run.captures(resource="history") if c.meta.get("role") == NOTE and c.set_id not in broken}
    jobs = [job for job in workloads(offer) if (job[0], dict_text(job[1])) not in done][:MOST_WORKLOADS]
    latest = {}
    for model, params in run.progress(jobs, len(jobs), "histories"):
        if model not in latest:
            latest[model] = collect_model(run, offer, info, model)
        if latest[model].ok:
            load(run, info, model, params, latest[model].scope)


def dict_text(params: Params) -> str:
    """Workload as text: isl=8192&osl=1024."""
    return "&".join(f"{k}={v}" for k, v in params)


def load(run: Collector, info: WorkflowInfo, model: str, params: Params, scope: str) -> None:
    """Fetch one history, make it a set of the model's rows, and take it into history."""
    answer = run.get(SITE, HISTORY, resource="past_rows", params={"model": model, **dict(params)}, meta={"model": model}, once=True)
    rows = readable(run, answer, lambda body: usable(decode_rows(body, "history")))
    if not rows:
        return
    run.ingest()
    known = sorted(Known.of(run.live("operating_points", scope)).points.keys() & set(point_ids(rows)))
    meta = {"role": HISTORY_ROLE, "model": model, "workload": dict_text(params)}
    history = run.attach(answer, set_id=f"history {answer.capture_id}", scope=scope, resource="history", meta=meta)
    keep_note(run, history, {**about_runs(info, rows, []), "known": known})
    run.ingest()
