"""Asks again for what was asked once and lost since: files, commits, trees, and what gates rest on.

The bytes are mostly those that were lost, and the sets that rest on them are whole again. Where an answer is another
by now, the sets take it in place of the lost one.
"""

from __future__ import annotations

import contextlib

from pipelines.sources.base import Capture, Collector
from pipelines.sources.sglang.github import GONE, ONCE, FilesDown, GitHub, RawFiles, question
from pipelines.sources.sglang.repository import SCOPES

HISTORY = ("blob", "detail", "tree")  # views are followed by these
EVIDENCE = ("pull", "run")


def ask_again(github: GitHub, kinds: tuple[str, ...]) -> None:
    """Ask again for everything lost of these kinds, and take it in: what is read next looks at the rows.

    Raises BudgetSpent; what is left is asked by the next run.
    """
    lost = [capture for resource in ("commits", *SCOPES) for capture in github.run.lost(resource)]
    asked = [c for c in lost if "attached" not in c.meta and any(kind in c.meta for kind in kinds)]
    if not asked:
        return
    raw = RawFiles(github.run, github.repository)
    try:
        for capture in asked:
            if (now := _asked(github, raw, capture)) is not None and now.sha256 != capture.sha256:
                _put_in_place(github.run, now, [p for p in lost if (p.url, p.sha256) == (capture.url, capture.sha256) and "attached" in p.meta])
    finally:
        github.run.ingest()


def is_gone(run: Collector, lost: Capture) -> bool:
    """Whether the last answer to the question was that there is nothing."""
    return any(c.outcome == GONE for c in run.captures(url=lost.url)[-1:])


def _asked(github: GitHub, raw: RawFiles, lost: Capture) -> Capture | None:
    """The answer to the same question now; None where there is none."""
    if "blob" in lost.meta:
        with contextlib.suppress(FilesDown):
            return raw.get(lost.resource, lost.meta["blob"], lost.meta["commit"], lost.meta["path"])
        return None
    if is_gone(github.run, lost):
        return None
    kind = next(k for k in ONCE if k in lost.meta)
    path, params = question(lost.url)
    meta = {kind: lost.meta[kind]}
    capture = github.call(path, params, resource=lost.resource, scope=lost.scope, expect=ONCE[kind], once=True, meta=meta)
    return capture if capture.ok else None


def _put_in_place(run: Collector, now: Capture, lost: list[Capture]) -> None:
    """Make another answer part of the sets that held the lost one."""
    for part in lost:
        run.attach(
            now,
            set_id=part.set_id,
            scope=part.scope,
            resource=part.resource,
            effective_at=part.effective_at,
            date_source=part.date_source,
            meta={k: v for k, v in part.meta.items() if k != "attached"},
        )
