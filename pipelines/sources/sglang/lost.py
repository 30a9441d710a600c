"""Asks again for what was asked once and lost since: files, commits, trees, and what gates rest on.

The bytes are mostly those that were lost, and the sets that rest on them are whole again. Where an answer is another
by now, the sets take it in place of the lost one.
"""

from __future__ import annotations

from pipelines.sources.base import Capture
from pipelines.sources.sglang.github import GONE, ONCE, GitHub, RawFiles, question
from pipelines.sources.sglang.repository import SCOPES


def ask_again(github: GitHub) -> None:
    """Ask again for everything lost that is not asked every day, and take it in: what is read next looks at the rows.

    Raises BudgetSpent and FilesDown; what is left is asked by the next run.
    """
    raw = RawFiles(github.run, github.repository)
    lost = [capture for resource in ("commits", *SCOPES) for capture in github.run.lost(resource)]
    found = {(c.url, c.sha256): _asked(github, raw, c) for c in lost if "attached" not in c.meta}
    for part in lost:
        now = found.get((part.url, part.sha256)) if "attached" in part.meta else None
        if now is not None and now.sha256 != part.sha256:
            meta = {k: v for k, v in part.meta.items() if k != "attached"}
            github.run.attach(
                now,
                set_id=part.set_id,
                scope=part.scope,
                resource=part.resource,
                effective_at=part.effective_at,
                date_source=part.date_source,
                meta=meta,
            )
    if lost:
        github.run.ingest()


def _asked(github: GitHub, raw: RawFiles, lost: Capture) -> Capture | None:
    """The answer to the same question now; None where there is none, or none is kept any more."""
    if "blob" in lost.meta:
        return raw.get(lost.resource, lost.meta["blob"], lost.meta["commit"], lost.meta["path"])
    kind = next((k for k in ONCE if k in lost.meta), None)
    if kind is None or any(c.outcome == GONE for c in github.run.captures(url=lost.url)):
        return None
    path, params = question(lost.url)
    meta = {kind: lost.meta[kind]}
    capture = github.call(path, params, resource=lost.resource, scope=lost.scope, expect=ONCE[kind], once=True, meta=meta)
    return capture if capture.ok else None
