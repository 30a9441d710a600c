"""Who submitted a configuration.

Rows name no submitter. A row's run is named in workflow-info of the row's date, with the pull request behind it; the
run's name carries the pull request's title, whose tag tells: [AMD], [NVIDIA] or [NV], and [Klaud Cold], SemiAnalysis'
agent. Anything else stays `unknown`: config keys and commit authors are labels, not evidence.
"""

from __future__ import annotations

import re
from typing import Any

from pipelines.sources.inferencex.wire import objects, text

UNKNOWN = "unknown"
SUBMITTERS = {"amd": "AMD", "nvidia": "NVIDIA", "nv": "NVIDIA", "klaud cold": "SemiAnalysis"}
TAG = re.compile(r"\[([^\[\]]{1,40})\]")

Runs = dict[str, dict[str, Any]]


def runs_of(info: dict[str, Any]) -> Runs:
    """Name and pull requests of every run that an answer of workflow-info names, by GitHub run id."""
    found: Runs = {}
    for run in objects(info.get("runs")):
        if run_id := text(run, "github_run_id"):
            found[run_id] = {"name": text(run, "name"), "pull_requests": []}
    for entry in objects(info.get("changelogs")):
        if run_id := text(entry, "workflow_run_id"):
            links = found.setdefault(run_id, {"name": None, "pull_requests": []})["pull_requests"]
            if (link := text(entry, "pr_link")) and link not in links:
                links.append(link)
    return found


def attribute(run_id: str | None, day: str, runs: Runs, asked: list[str]) -> tuple[str, str]:
    """Who submitted what a run measured, and what says so. `asked` are the days workflow-info was had for."""
    if run_id is None:
        return UNKNOWN, "the row names no run"
    if run_id not in runs:
        return UNKNOWN, f"workflow-info of {day} does not name run {run_id}" if day in asked else f"workflow-info of {day} has not been had yet"
    links = runs[run_id]["pull_requests"]
    where = f"run {run_id}" + (f", pull request {' and '.join(links)}" if links else "")
    tags = [t for t in TAG.findall(runs[run_id]["name"] or "") if t.strip().lower() in SUBMITTERS]
    submitters = {SUBMITTERS[t.strip().lower()] for t in tags}
    if len(submitters) == 1:
        return submitters.pop(), f"tag [{tags[0]}] in the name of {where}"
    return UNKNOWN, f"{'contradicting tags' if submitters else 'no submitter tag'} in the name of {where}"
