"""Following the repository: a tree first, then every commit that touched a watched folder, each at its own time.

What has been done is told by the sets in the lake alone. A commit whose files cannot be had is left for the next run
and never passed over; a commit that vanished from the branch is answered with the tree at head.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from pipelines.sources.base import Capture
from pipelines.sources.sglang.answers import Detail, detail_of, head_of, tree_of
from pipelines.sources.sglang.commits import Commit, commit_of
from pipelines.sources.sglang.evidence import Evidence
from pipelines.sources.sglang.files import Files
from pipelines.sources.sglang.github import GONE, PAGE, FilesDown, GitHub, RawFiles, has, is_list
from pipelines.sources.sglang.lost import is_gone
from pipelines.sources.sglang.repository import SCOPES, is_under, moved_folder
from pipelines.sources.sglang.sets import Settler, When
from pipelines.sources.sglang.settled import Settled, begins, files_of, settled_sets
from pipelines.sources.sglang.walk import Walk


@dataclass
class Listing:
    """A watched folder's newest commits, and their first page; `whole` where the listing went back to the first commit."""

    commits: list[Commit] = field(default_factory=list)
    page: Capture | None = None
    whole: bool = False


class Follower:
    """Follows one repository in one run."""

    def __init__(self, github: GitHub):
        self.github, self.repository = github, github.repository
        self.run = run = github.run
        self.sets: dict[str, list[Settled]] = {scope: settled_sets(run, scope) for scope in SCOPES}
        self.roots = self._folders()
        self.settler = Settler(run, self.repository, self.roots, RawFiles(run, self.repository), Evidence(self.github))
        self.walk = Walk(self.settler, self.github, self.roots)
        self.listings: dict[str, Listing] = {}
        self.asked = {str(c.meta["detail"]) for c in run.captures(resource="commits") if c.ok and "detail" in c.meta}
        self.details: dict[str, Detail] = {}
        self.vanished: set[str] = set()
        self.complete = False

    # ---- what there is -------------------------------------------------------------------------------------------

    def look(self) -> None:
        """List the watched folders, and ask for the commits that are new.

        Raises BudgetSpent.
        """
        for root in self.roots:
            self.listings[root] = self._listing(root)
        self.vanished = self._rewritten()
        for commit in self.run.progress(new := self._new(), len(new), "reading SGLang commits"):
            found = detail_of(self.github, commit.sha)
            if isinstance(found, Detail):
                self.details[commit.sha] = found
            elif found.outcome == GONE:
                self.vanished.add(commit.sha)
            else:
                return  # the next ones would only be passed over
        self.complete = True

    def _folders(self) -> tuple[str, ...]:
        """Watched folders: those of the settings, and those that files of theirs have moved to."""
        folders = list(self.run.settings.sglang_roots)
        for settled in (s for scope in SCOPES for s in self.sets[scope]):
            for new in settled.meta.get("unwatched", ()):
                old = settled.meta["previous"].get(new)
                if old and not is_under(new, folders):
                    folders.append(moved_folder(new, old, folders))
        return tuple(folders)

    def _listing(self, root: str) -> Listing:
        started = min((at for scope in SCOPES if (at := begins(self.sets, scope)) is not None), default=None)
        listing = Listing()
        for page in self.github.pages("/commits", {"path": root, "per_page": PAGE}, resource="commits", expect=is_list):
            if not page.ok:
                return Listing()
            listing.page = listing.page or page
            listing.commits += [c for c in map(commit_of, self.github.json(page)) if c is not None]
            listing.whole = not self.github.has_next(page)
            if started is None or not listing.commits or listing.commits[-1].at <= started or listing.commits[-1].sha in self.asked:
                break
        return listing

    def _commits(self) -> list[Commit]:
        """Every listed commit once, oldest first."""
        return sorted({c.sha: c for listing in self.listings.values() for c in reversed(listing.commits)}.values(), key=lambda c: c.at)

    def _new(self) -> list[Commit]:
        """Listed commits after the beginning of a view that has no set of theirs yet, and those whose files failed before."""
        starts = {scope: at for scope in SCOPES if (at := begins(self.sets, scope)) is not None}
        settled = {scope: {s.sha for s in self.sets[scope]} | self._gone(scope) for scope in starts}
        failed = {str(c.meta["commit"]) for scope in SCOPES for c in self.run.captures(resource=scope) if not c.ok and "commit" in c.meta}
        listed = {c.sha for c in self._commits()}
        again = [Commit(d.sha, d.at, "", None) for d in self._asked_before(failed - listed)]
        return [c for c in sorted([*self._commits(), *again], key=lambda c: c.at) if any(c.at > at and c.sha not in settled[s] for s, at in starts.items())]

    def _asked_before(self, shas: set[str]) -> list[Commit]:
        pages = [c for c in self.run.captures(resource="commits") if c.ok and c.meta.get("detail") in shas] if shas else []
        return [commit for page in pages if (commit := commit_of(self.github.json(page))) is not None]

    def _gone(self, scope: str) -> set[str]:
        return {sha for s in self.sets[scope] for sha in s.meta.get("gone", ())}

    def _rewritten(self) -> set[str]:
        """Commits we settled that the branch no longer holds; GitHub confirms before we believe it."""
        missing: dict[str, Settled] = {}
        for scope in SCOPES:
            start, gone = begins(self.sets, scope), self._gone(scope)
            for settled in self.sets[scope]:
                if start is None or settled.at <= start or settled.is_tree or settled.sha in gone:
                    continue
                if any(self._should_list(self.listings[r], settled) for r in settled.meta.get("roots", ()) if r in self.listings):
                    missing[settled.sha] = settled
        if not missing:
            return set()
        newest = max(missing.values(), key=lambda s: s.at)
        answer = self.github.get(f"/compare/{newest.sha}...HEAD", {"per_page": "1"}, resource="commits", expect=has("status"))
        if not answer.ok and answer.outcome != GONE:
            return set()
        return set() if answer.ok and self.github.json(answer)["status"] in ("ahead", "identical") else set(missing)

    @staticmethod
    def _should_list(listing: Listing, settled: Settled) -> bool:
        reaches = bool(listing.commits) and (listing.whole or settled.at > listing.commits[-1].at)
        return reaches and settled.sha not in {c.sha for c in listing.commits}

    # ---- what is made of it --------------------------------------------------------------------------------------

    def settle(self, scope: str) -> None:
        """Settle what is new in a view; nothing, where a commit or tree it stands on was lost and is still to be had again.

        Raises BudgetSpent.
        """
        lost = [c for c in self.run.lost(scope) if "manifest" in c.meta]
        if not all(is_gone(self.run, c) for c in lost):
            return
        self.vanished |= {str(c.meta["commit"]) for c in lost if "commit" in c.meta}
        try:
            if begins(self.sets, scope) is None:
                self._begin(scope)
            else:
                self._go_on(scope)
                if self.vanished - self._gone(scope):
                    self._begin_again(scope)
        except FilesDown:
            return

    def _begin(self, scope: str) -> None:
        """The first look: the tree at the newest listed commit, dated by the newest one under the view's own folders."""
        if not (commits := self._commits()):
            return
        tree = tree_of(self.github, commits[-1].sha, self.roots)
        if tree is None:
            return
        views = {s: Files.of_tree(s, tree.entries, {}) for s in SCOPES}
        files = views[scope]
        if not files.blobs:
            return
        holding = [r for r in self.roots if any(p.startswith(r + "/") for p in files.blobs)]
        newest = max((c for r in holding for c in self.listings[r].commits), key=lambda c: c.at, default=commits[-1])
        empty = [s for s, v in views.items() if not v.blobs]
        if self.settler.tree(scope, tree, files, When(newest.sha, newest.sha, newest.at), {"begins": True, "empty": empty}):
            self.sets[scope] = settled_sets(self.run, scope)

    def _go_on(self, scope: str) -> None:
        start = begins(self.sets, scope)
        if start is None:
            return
        done = {s.sha for s in self.sets[scope]} | self._gone(scope)
        fresh = [d for sha, d in self.details.items() if sha not in done and d.commit.at > start]
        if not fresh:
            self._check(scope)
            return
        first = self._beginning(scope)
        events: list[Settled | Detail] = [*(s for s in self.sets[scope] if s.at > start), *fresh]
        events.sort(key=lambda e: e.commit.at if isinstance(e, Detail) else e.at)
        files = files_of(self.run, scope, first) if first else Files(scope)
        for event in self.run.progress(events, len(events), "reading SGLang commits"):
            files = self._past(scope, event, files) if isinstance(event, Settled) else self.walk.step(scope, event, files, self._roots_of(event.commit))[0]

    def _beginning(self, scope: str) -> Settled | None:
        return next((s for s in reversed(self.sets[scope]) if s.meta.get("begins")), None)

    def _check(self, scope: str) -> None:
        """Nothing is new in a view; that is known where every folder was listed today."""
        pages = [listing.page for listing in self.listings.values()]
        asked = [page for page in pages if page is not None and page.captured_at == self.run.at]
        if self.sets[scope] and len(asked) == len(self.roots) and self.complete and not self.vanished - self._gone(scope):
            self.settler.checked(scope, asked[0])

    def _past(self, scope: str, settled: Settled, files: Files) -> Files:
        if settled.is_tree:
            return files.replaced_by(files_of(self.run, scope, settled))
        files.apply(settled.changes, settled.meta.get("pull"))
        return files

    def _roots_of(self, commit: Commit) -> list[str]:
        return [root for root, listing in self.listings.items() if any(c.sha == commit.sha for c in listing.commits)]

    def _begin_again(self, scope: str) -> None:
        """History was rewritten: the tree at head stands for whatever vanished."""
        head = head_of(self.github)
        tree = tree_of(self.github, head.sha, self.roots) if head else None
        if head is None or tree is None:
            return
        files, first = Files(scope), self._beginning(scope)
        for settled in self.sets[scope]:
            if first is None or settled.at >= first.at:
                files = self._past(scope, settled, files)
        newest = max((s.at for s in self.sets[scope]), default=dt.datetime.min)
        files = files.replaced_by(Files.of_tree(scope, tree.entries, files.keys))
        when = When(head.sha, head.sha, head.at)
        if head.at <= newest:
            when = When(f"{head.sha}@{self.run.at:%Y-%m-%dT%H%M%SZ}", head.sha, self.run.at, "capture")
        if self.settler.tree(scope, tree, files, when, {"begins": True, "gone": sorted(self.vanished)}):
            self.sets[scope] = settled_sets(self.run, scope)
