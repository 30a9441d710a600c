"""From one commit to the next: the files after it, and its set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.sources.sglang.answers import Detail, tree_of
from pipelines.sources.sglang.files import Files
from pipelines.sources.sglang.github import FilesDown, GitHub
from pipelines.sources.sglang.sets import Settler, When


@dataclass(frozen=True)
class Walk:
    """Walks a view over commits, oldest first."""

    settler: Settler
    github: GitHub
    roots: Sequence[str]

    def step(self, scope: str, detail: Detail, files: Files, listed_under: list[str], *, done: bool = False) -> tuple[Files, bool]:
        """The files after a commit, and whether its set is there (a commit that leaves the view alone needs none).

        `done`: the set is there already.

        Raises BudgetSpent, and FilesDown where it cannot be told how the view stands after the commit.
        """
        if detail.changes is None:
            return self._by_tree(scope, detail, files, done)
        changes = files.resolved(detail.changes, self.roots)
        if not changes:
            return files, True
        files.apply(changes, detail.commit.pull_request)
        return files, done or self.settler.commit(scope, detail, changes, files, listed_under)

    def _by_tree(self, scope: str, detail: Detail, files: Files, done: bool) -> tuple[Files, bool]:
        """A commit whose file list GitHub cut short: its whole tree says how the view stands after it."""
        commit = detail.commit
        tree = tree_of(self.github, commit.sha, self.roots)
        if tree is None:
            raise FilesDown
        after = files.replaced_by(Files.of_tree(scope, tree.entries, files.keys))
        if done or after.blobs == files.blobs:
            return after, True
        more = {"pull": commit.pull_request, "author": commit.author, "subject": commit.subject}
        return after, self.settler.tree(scope, tree, after, When(commit.sha, commit.sha, commit.at), more)
