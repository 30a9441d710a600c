"""Commits and trees as GitHub's REST API gives them (version 2022-11-28): what changed, and what there is."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.lake import utc
from pipelines.wellformed import counted, finite_json

MOST_FILES = 3000
FILES_A_PAGE = 300
_SHA = re.compile(r"[0-9a-f]{40}")
_PULL_REQUEST = re.compile(r"\(#(\d+)\)\s*$")
_MERGE = re.compile(r"Merge pull request #(\d+) ")
_REVERT = re.compile(r'^\s*Revert\s+"(?P<title>.*)"', re.IGNORECASE)
_REVERTED_NUMBER = re.compile(r"^[ \t]*(?:this[ \t]+)?reverts?\s+(?:pull request\s+)?(?:[\w.-]+/[\w.-]+)?#(\d+)", re.IGNORECASE | re.MULTILINE)
_REVERTED_SHA = re.compile(r"^[ \t]*this[ \t]+reverts[ \t]+commit\s+([0-9a-f]{7,40})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Commit:
    """A commit of a listing: hash, committer's time (naive UTC), message, author's login or name."""

    sha: str
    at: dt.datetime
    message: str
    author: str | None

    @property
    def subject(self) -> str:
        return self.message.splitlines()[0].strip() if self.message.strip() else ""

    @property
    def pull_request(self) -> int | None:
        """Number of the pull request it was merged from, by the subject GitHub gives squashes and merges."""
        found = _PULL_REQUEST.search(self.subject) or _MERGE.match(self.subject)
        return counted(found[1]) if found else None


@dataclass(frozen=True)
class Revert:
    """What a title or message says it reverts: a number, a commit, or the title of what it undoes."""

    number: int | None
    sha: str | None
    title: str | None


@dataclass(frozen=True)
class Change:
    """A file of a commit: `blob` is None where the commit removed it, `previous` its former path where it was renamed."""

    path: str
    blob: str | None
    previous: str | None = None


def read_json(data: bytes) -> Any:
    """JSON, or None where the bytes are none."""
    try:
        return finite_json(data)
    except ValueError:
        return None


def member(value: Any, key: str) -> str | None:
    """The text an object has under a key; None where it is no object, or has no text there."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) and found else None


def commit_of(item: Any) -> Commit | None:
    """A commit from an item of a listing or a commit's own answer; None where it is not one."""
    try:
        who, at = item["commit"]["committer"] or item["commit"]["author"], item.get("author")
        login = (at or {}).get("login") or item["commit"]["author"].get("name")
        sha, message = item["sha"], item["commit"]["message"] or ""
        if not _SHA.fullmatch(sha) or not isinstance(message, str) or not isinstance(login, str | None):
            return None
        return Commit(sha, utc(who["date"]), message, login)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def changes_of(pages: Iterable[Any]) -> list[Change] | None:
    """The files of a commit's answer pages; None where they are not listed in full.

    Cut short: no list at all, as many as the API ever gives, a full page without a next one, or fewer changed lines
    in the files than the commit's own statistics count (lists that are cut say nothing about it).
    """
    changes: list[Change] = []
    lines, total, listed = 0, 0, 0
    for page in pages:
        files = page.get("files") if isinstance(page, Mapping) else None
        if not isinstance(files, list):
            return None
        listed = len(files)
        stats = page.get("stats")
        total = max(total, _int(stats.get("total")) if isinstance(stats, Mapping) else 0)
        for file in files:
            change = _change(file)
            if change is None:
                return None
            lines += _int(file.get("changes"))
            changes.append(change)
    complete = len(changes) < MOST_FILES and (listed < FILES_A_PAGE or len(changes) > FILES_A_PAGE)
    return changes if complete and total <= lines else None


def _change(file: Any) -> Change | None:
    try:
        path, status, blob = file["filename"], file["status"], file.get("sha")
        previous = file.get("previous_filename") if status == "renamed" else None
        if not isinstance(path, str) or not isinstance(previous, str | None):
            return None
        if status == "removed":
            return Change(path, None)
        return Change(path, blob, previous) if _SHA.fullmatch(blob or "") else None
    except (KeyError, TypeError, AttributeError):
        return None


def entries_of(tree: Any) -> dict[str, str] | None:
    """Path to blob of a recursive tree's files; None where it is none or was cut short."""
    try:
        if tree["truncated"]:
            return None
        return _by_path(e for e in tree["tree"] if e["type"] == "blob" and e["mode"] != "120000")
    except (KeyError, TypeError):
        return None


def subtrees_of(tree: Any) -> dict[str, str]:
    """Name to hash of the folders directly in a tree."""
    try:
        return _by_path(e for e in tree["tree"] if e["type"] == "tree" and "/" not in e["path"])
    except (KeyError, TypeError):
        return {}


def _by_path(entries: Iterable[Any]) -> dict[str, str]:
    """Path to hash.

    Raises TypeError where an entry has no text for one of them.
    """
    found = {e["path"]: e["sha"] for e in entries}
    if not all(isinstance(path, str) and _SHA.fullmatch(sha) for path, sha in found.items()):
        raise TypeError("an entry's path is no text or its hash none")
    return found


def revert_of(title: str, body: str) -> Revert | None:
    """What a title and body say they revert; None where they revert nothing."""
    in_title, number, sha = _REVERT.match(title), _REVERTED_NUMBER.search(body), _REVERTED_SHA.search(body)
    if in_title is None and number is None and sha is None:
        return None
    undone = in_title["title"].strip() if in_title else None
    quoted = _PULL_REQUEST.search(undone or "")
    named = quoted or number
    return Revert(counted(named[1]) if named else None, sha[1] if sha else None, _PULL_REQUEST.sub("", undone).strip() if undone else None)


def _int(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
