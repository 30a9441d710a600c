"""The source SGLang: its cookbook, its accuracy gates and its pull requests, followed commit by commit."""

from __future__ import annotations

from pipelines.sources.base import Bundle, Collector, Parsed, Terms, Unreadable
from pipelines.sources.sglang.commits import read_json
from pipelines.sources.sglang.cookbook import read_cookbook
from pipelines.sources.sglang.follow import Follower
from pipelines.sources.sglang.gate_sets import read_gate_set
from pipelines.sources.sglang.github import BudgetSpent
from pipelines.sources.sglang.pull_pages import PullPages
from pipelines.sources.sglang.pull_sets import read_pulls
from pipelines.sources.sglang.repository import COOKBOOK, GATES


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
        """List the watched folders, settle new commits, read the pull requests.

        Every step goes as far as GitHub's limit lets it; the next run goes on from there.
        """
        follower = Follower(run)
        pulls = PullPages(run, follower.github, follower.repository, follower.sets)
        for step in (follower.look, lambda: follower.settle(COOKBOOK), lambda: follower.settle(GATES), pulls.read):
            try:
                step()
            except BudgetSpent:
                continue  # told by whoever raised it; steps that need no call still run

    def parse(self, bundle: Bundle) -> Parsed:
        """Read a set; answers that are only asked to make sets of hold no rows themselves."""
        readers = {"cookbook": read_cookbook, "gates": read_gate_set, "pull_requests": read_pulls}
        if bundle.resource in readers:
            return readers[bundle.resource](bundle)
        if bundle.resource in ("commits", "pulls", "runs") and any(read_json(p.body) is None for p in bundle.parts):
            raise Unreadable("GitHub's answer is not JSON")
        return Parsed(rows={}, compared=False, may_be_empty=True)
