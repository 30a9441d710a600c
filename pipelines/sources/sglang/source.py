"""The source SGLang: its cookbook, its accuracy gates and its pull requests, followed commit by commit."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable

from pipelines.sources.base import Bundle, Collector, Parsed, Terms
from pipelines.sources.sglang.backfill import backfill
from pipelines.sources.sglang.cookbook import read_cookbook
from pipelines.sources.sglang.follow import Follower
from pipelines.sources.sglang.gate_sets import read_gate_set
from pipelines.sources.sglang.github import BudgetSpent, GitHub
from pipelines.sources.sglang.lost import EVIDENCE, HISTORY, ask_again
from pipelines.sources.sglang.manifest import is_check
from pipelines.sources.sglang.pull_pages import PullPages
from pipelines.sources.sglang.pull_sets import read_pulls
from pipelines.sources.sglang.repository import COOKBOOK, GATES, PULLS, Repository, repository_of

NOTHING_NEW = Parsed(rows={}, covers=frozenset(), compared=False, may_be_empty=True)


class SGLang:
    """See sources/base.py for what a source is."""

    name = "sglang"
    title = "SGLang"
    parser_version = "1"
    terms = Terms(
        fetch="yes",
        redistribute="yes",
        url="https://github.com/sgl-project/sglang/blob/main/LICENSE",
        attribution="SGLang cookbook and tests (Apache-2.0), github.com/sgl-project/sglang",
    )
    tables = ("operating_points", "accuracy_gates", "pull_requests")

    def collect(self, run: Collector) -> None:
        """Ask again for what was lost, list the watched folders, settle new commits, read the pull requests.

        Every step goes as far as GitHub's limit lets it; the next run goes on from there.
        """
        github = GitHub(run, Repository(run.settings.sglang_repo))
        with contextlib.suppress(BudgetSpent):
            ask_again(github, HISTORY)
        follower = Follower(github)
        pulls = PullPages(github)
        steps: list[Callable[[], None]] = [follower.look, lambda: follower.settle(COOKBOOK), lambda: follower.settle(GATES), run.ingest, pulls.read]
        for step in [*steps, lambda: ask_again(github, EVIDENCE)]:
            try:
                step()
            except BudgetSpent:
                continue  # told by whoever raised it; steps that need no call still run

    def backfill(self, run: Collector, since: dt.date) -> None:
        """Read commits older than the first look, newest first, back to a day."""
        backfill(run, since)

    def parse(self, bundle: Bundle) -> Parsed:
        """Read a set of one of our views; an answer that only helps to make sets holds no rows itself."""
        repository = repository_of(bundle.scope) if bundle.scope.startswith("https://github.com/") else None
        for scope, read in ((COOKBOOK, read_cookbook), (GATES, read_gate_set), (PULLS, read_pulls)):
            if repository is not None and bundle.scope == repository.scope(scope):
                return NOTHING_NEW if is_check(bundle) else read(bundle)
        return NOTHING_NEW
