"""The repository's past: commits older than the first look, newest first.

It goes back in stretches. For each, the commits' own answers are asked, then the tree at the oldest of them; from there
every commit of the stretch is walked forward, so that each is read with the files that stood beside it. The tree's set
is attached last: a stretch is done when it is there, and a run that was cut short goes on where it stopped.
"""

from __future__ import annotations

import contextlib
import datetime as dt

from pipelines.lake import iso
from pipelines.sources.base import Collector
from pipelines.sources.sglang.answers import Detail, Tree, detail_of, tree_of
from pipelines.sources.sglang.commits import Commit, commit_of
from pipelines.sources.sglang.files import Files, keys_before
from pipelines.sources.sglang.follow import Follower
from pipelines.sources.sglang.github import GONE, PAGE, BudgetSpent, FilesDown, GitHub, is_list
from pipelines.sources.sglang.repository import GATES, SCOPES, Repository
from pipelines.sources.sglang.sets import When
from pipelines.sources.sglang.settled import begins, files_of, settled_sets

STRETCH, STRETCH_WITH_TOKEN = 40, 100


def backfill(run: Collector, since: dt.date) -> None:
    """Go back to the first commit of a day, as far as GitHub's limit lets it; the next call goes on from there.

    Nothing is done before a first refresh, which says where the past begins.
    """
    with contextlib.suppress(BudgetSpent, FilesDown):
        _Backfill(run, since).go()


class _Backfill:
    def __init__(self, run: Collector, since: dt.date):
        self.run, self.since = run, dt.datetime.combine(since, dt.time())
        self.github = GitHub(run, Repository(run.settings.sglang_repo))
        self.follower = Follower(self.github)
        self.walk = self.follower.walk
        self.stretch = STRETCH_WITH_TOKEN if getattr(run.settings, "github_token", None) else STRETCH

    def go(self) -> None:
        edges = {scope: self._edge(scope) for scope in SCOPES}
        while (edge := max((at for at in edges.values() if at), default=None)) is not None:
            commits = self._older(edge)
            if not commits or not self._settle(commits, edges):
                return
            edges = {scope: min(at, commits[-1].at) if at else None for scope, at in edges.items()}

    def _edge(self, scope: str) -> dt.datetime | None:
        """How far back a view reaches: to its oldest tree, or to one that held nothing of it."""
        sets = self.follower.sets
        trees = [s.at for s in sets[scope] if s.is_tree] + [s.at for other in SCOPES for s in sets[other] if scope in s.meta.get("empty", ())]
        start = begins(sets, scope)
        return min([*trees, start]) if start else None

    def _older(self, edge: dt.datetime) -> list[Commit]:
        """The next stretch of commits before a time, newest first."""
        commits: dict[str, Commit] = {}
        complete_to = self.since
        for root in self.follower.roots:
            page = self.github.get("/commits", {"path": root, "per_page": PAGE, "until": iso(edge)}, resource="commits", expect=is_list)
            if not page.ok:
                return []
            listed = [c for c in map(commit_of, self.github.json(page)) if c is not None]
            commits |= {c.sha: c for c in listed}
            if listed and self.github.has_next(page):
                complete_to = max(complete_to, listed[-1].at)
        found = sorted((c for c in commits.values() if complete_to <= c.at < edge), key=lambda c: c.at, reverse=True)
        return found[: self.stretch]

    def _settle(self, commits: list[Commit], edges: dict[str, dt.datetime | None]) -> bool:
        """Settle a stretch; False where something could not be had."""
        details = []
        for commit in self.run.progress(commits, len(commits), "reading older SGLang commits"):
            detail = detail_of(self.github, commit.sha)
            if isinstance(detail, Detail):
                details.append(detail)
            elif detail.outcome != GONE:
                return False
        tree = tree_of(self.github, commits[-1].sha, self.follower.roots)
        if tree is None:
            return False
        empty = [s for s in SCOPES if not Files.of_tree(s, tree.entries, {}).blobs]
        return all(self._settle_view(scope, commits[-1], tree, details, edge, empty) for scope, edge in edges.items() if edge)

    def _settle_view(self, scope: str, oldest: Commit, tree: Tree, details: list[Detail], edge: dt.datetime, empty: list[str]) -> bool:
        sets = settled_sets(self.run, scope)
        newer = next((s for s in sets if s.is_tree and s.at >= edge), None)
        keys = files_of(self.run, scope, newer).keys if newer else {}
        within = [d for d in details if oldest.at < d.commit.at < edge]
        for detail in within:
            keys = keys_before(detail.changes or (), keys)
        files, done = Files.of_tree(scope, tree.entries, keys), {s.sha for s in sets}
        for detail in self.run.progress(list(reversed(within)), len(within), "reading older SGLang files"):
            files, settled = self.walk.step(scope, detail, files, [], done=detail.commit.sha in done)
            if not settled:
                return False
        first = Files.of_tree(scope, tree.entries, keys)
        if scope == GATES and not self._tell_their_past(Files.of_tree(scope, tree.entries, keys), oldest.at):
            return False
        when = When(oldest.sha, oldest.sha, oldest.at)
        return oldest.sha in done or not first.blobs or self.walk.settler.tree(scope, tree, first, when, {"empty": empty})

    def _tell_their_past(self, files: Files, since: dt.datetime) -> bool:
        """Tell newer gates sets what their files were before, by which evidence is told stale; False where that could not be had.

        The sets are read again with the older ones of the stretch, which arrive late.
        """
        for settled in settled_sets(self.run, GATES):
            if settled.at <= since:
                continue
            if settled.is_tree:
                files = files.replaced_by(files_of(self.run, GATES, settled))
                touched = set(files.blobs)
            else:
                files.apply(settled.changes, settled.meta.get("pull"))
                touched = files.touched(settled.changes)
            former = {p: files.former[p] for p in sorted(touched) if files.former.get(p)}
            known = {p: [tuple(v) for v in versions] for p, versions in settled.meta.get("former", {}).items()}
            if former != known and not self.walk.settler.again(GATES, settled, former):
                return False
        return True
