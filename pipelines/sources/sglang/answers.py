"""Commits and trees asked from the API and read: a commit's whole list of files, a tree's whole list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.sources.base import Capture
from pipelines.sources.sglang.commits import Change, Commit, changes_of, commit_of, entries_of, subtrees_of
from pipelines.sources.sglang.github import ONCE, GitHub, has
from pipelines.sources.sglang.repository import is_under


@dataclass(frozen=True)
class Detail:
    """A commit's answer pages, and its changes; `changes` is None where GitHub cut the list short."""

    commit: Commit
    pages: tuple[Capture, ...]
    changes: list[Change] | None


@dataclass(frozen=True)
class Tree:
    """A tree's answers (with the folder each stands under) and its files by path."""

    answers: tuple[tuple[Capture, str], ...]
    entries: dict[str, str]


def detail_of(github: GitHub, sha: str) -> Detail | Capture:
    """A commit with its files; the failed capture where it cannot be had."""
    pages = []
    scope = github.repository.scope("commits")
    for capture in github.pages(f"/commits/{sha}", {}, resource="commits", expect=ONCE["detail"], once=True, scope=scope, meta={"detail": sha}):
        if not capture.ok:
            return capture
        pages.append(capture)
    answers = [github.json(page) for page in pages]
    commit = commit_of(answers[0])
    if commit is None:
        return github.run.failed("commits", pages[0].url, "invalid", "GitHub's answer is no commit as its documentation describes it; nothing of it is used.")
    return Detail(commit, tuple(pages), changes_of(answers))


def head_of(github: GitHub) -> Commit | None:
    """The newest commit of the default branch; None where it cannot be had."""
    capture = github.get("/commits/HEAD", resource="commits", expect=has("sha", "commit"))
    return commit_of(github.json(capture)) if capture.ok else None


def tree_of(github: GitHub, sha: str, roots: Sequence[str]) -> Tree | None:
    """The files under the watched folders at a commit, asked folder by folder where GitHub cuts the list short. None: not to be had."""
    whole = _tree(github, sha, recursive=True)
    if whole is None:
        return None
    entries = entries_of(github.json(whole))
    if entries is not None:
        return Tree(((whole, ""),), {path: blob for path, blob in entries.items() if is_under(path, roots)})
    answers: list[tuple[Capture, str]] = []
    found: dict[str, str] = {}
    for root in roots:
        capture = _descend(github, sha, root.strip("/").split("/"))
        if capture == "absent":
            continue
        under = entries_of(github.json(capture)) if isinstance(capture, Capture) else None
        if under is None or not isinstance(capture, Capture):
            return None
        answers.append((capture, root.strip("/") + "/"))
        found |= {f"{root.strip('/')}/{path}": blob for path, blob in under.items()}
    return Tree(tuple(answers), found) if answers else None


def _descend(github: GitHub, sha: str, folders: list[str]) -> Capture | str | None:
    """The recursive tree of a folder: `absent` where the commit has no such folder, None where an answer fails."""
    for folder in folders:
        level = _tree(github, sha, recursive=False)
        if level is None:
            return None
        inside = subtrees_of(github.json(level))
        if folder not in inside:
            return "absent"
        sha = inside[folder]
    return _tree(github, sha, recursive=True)


def _tree(github: GitHub, sha: str, *, recursive: bool) -> Capture | None:
    params = {"recursive": "1"} if recursive else {}
    capture = github.once("tree", sha, f"/git/trees/{sha}", params, resource="commits", scope=github.repository.scope("commits"))
    return capture if capture.ok else None
