"""A GitHub of our own, in process: a repository told as commits, behind the collector's real door.

It stands in for the fetcher, so that lake, capture log, ingest and history are the real ones.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.collector import SourceCollector
from pipelines.fetch import Answer
from pipelines.lake import Lake
from pipelines.settings import load_settings
from pipelines.site import LIVE, locator
from pipelines.sources.base import StopSource
from pipelines.sources.sglang.source import SGLang
from pipelines.warehouse import Warehouse

REPO = "sgl-project/sglang"
DOCS = "docs/src/snippets/configs"
GATES = "test/registered/amd/accuracy/mi35x"
BUSY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}


def at(day: int, hour: int = 9, month: int = 8) -> dt.datetime:
    """A time in August 2026, unless another month is given."""
    return dt.datetime(2026, month, day, hour)


def git_sha(text: str) -> str:
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


@dataclass
class FakeCommit:
    sha: str
    at: dt.datetime
    message: str
    author: str
    files: list[dict[str, Any]]
    tree: dict[str, str]


@dataclass
class FakeGitHub:
    """`faults`: functions of (site, path, params) that give an answer instead of the true one, or None."""

    limit: int = 60
    page_size: int = 100
    commits: list[FakeCommit] = field(default_factory=list)
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)
    calls: list[tuple[str, str, dict[str, str], int]] = field(default_factory=list)
    conditional: list[bool] = field(default_factory=list)
    faults: list[Callable[[str, str, Mapping[str, str]], tuple[int, Any] | None]] = field(default_factory=list)
    used: int = 0
    texts: dict[str, str] = field(default_factory=dict)

    # ---- telling it what happened --------------------------------------------------------------------------------

    def commit(self, message: str, when: dt.datetime, files: Mapping[str, str | None], moves: Mapping[str, str] | None = None, author: str = "dev") -> str:
        """Commit `files` (None removes); `moves` maps new to old paths. Returns the hash."""
        tree = dict(self.commits[-1].tree) if self.commits else {}
        listed = []
        for path, old in (moves or {}).items():
            blob = tree.pop(old)
            listed.append(self._file(path, "renamed", blob, old))
            tree[path] = blob
        for path, text in files.items():
            if text is None:
                listed.append(self._file(path, "removed", tree.pop(path)))
                continue
            self.texts[git_sha(text)] = text
            renamed = next((f for f in listed if f["filename"] == path), None)
            if renamed:
                renamed["sha"] = git_sha(text)
            else:
                listed.append(self._file(path, "modified" if path in tree else "added", git_sha(text)))
            tree[path] = git_sha(text)
        sha = hashlib.sha1(f"{len(self.commits)} {message} {when}".encode(), usedforsecurity=False).hexdigest()
        self.commits.append(FakeCommit(sha, when, message, author, listed, tree))
        return sha

    def _file(self, path: str, status: str, blob: str, previous: str | None = None) -> dict[str, Any]:
        lines = 0 if status == "renamed" else self.texts[blob].count("\n") + 1
        return {
            "filename": path,
            "status": status,
            "sha": blob,
            "additions": lines,
            "deletions": 0,
            "changes": lines,
            **({"previous_filename": previous} if previous else {}),
        }

    def pull(
        self, number: int, title: str, updated: dt.datetime, merged: dt.datetime | None = None, body: str = "", labels: tuple[str, ...] = (), **more: Any
    ) -> None:
        self.pulls[number] = {
            "number": number,
            "title": title,
            "body": body,
            "state": "closed" if merged else "open",
            "labels": [{"name": name} for name in labels],
            "user": {"login": "dev"},
            "created_at": _iso(updated),
            "updated_at": _iso(updated),
            "merged_at": _iso(merged),
            "closed_at": _iso(merged),
            "merge_commit_sha": None,
            "base": {"ref": "main"},
            **more,
        }

    # ---- standing in for the fetcher -----------------------------------------------------------------------------

    robots_answers: dict[str, Any] = field(default_factory=dict)

    def public_url(self, site: str, path: str, params: Mapping[str, str] | None = None) -> str:
        return LIVE[site] + locator(path, params)

    def progress(self) -> None:
        pass

    def fetch(
        self, site: str, path: str, params: Mapping[str, str] | None = None, headers: Any = None, etag: str | None = None, last_modified: str | None = None
    ) -> Answer:
        url, params = self.public_url(site, path, params), dict(params or {})
        self.conditional.append(bool(etag))
        status, body, more = self._answer(site, path, params)
        self.calls.append((site, path, params, status))
        kept = {**more, **({"x-ratelimit-remaining": str(max(0, self.limit - self.used))} if site == "github" else {})}
        if status == 200:
            data = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
            tag = 'W/"' + hashlib.sha256(data).hexdigest() + '"'
            if etag == tag:
                return Answer("not_modified", url, status=304, etag=tag, headers=kept)
            return Answer("fetched", url, status=200, body=data, etag=tag, headers=kept)
        if status in (403, 429):
            return Answer("rate_limited", url, "GitHub asks for fewer requests", status=status, headers=kept, stop=True)
        if status in (404, 410):
            return Answer("moved", url, "nothing is published at this address", status=status, headers=kept)
        return Answer("unreachable", url, f"HTTP {status}", status=status, headers=kept)

    def _answer(self, site: str, path: str, params: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        if site == "github":
            self.used += 1
            if self.used > self.limit:
                return 403, {"message": "API rate limit exceeded"}, {}
        for fault in self.faults:
            if (found := fault(site, path, params)) is not None:
                return *found, {}
        if site == "raw":
            return (*self._raw(path), {})
        return self._api(path.removeprefix(f"/repos/{REPO}"), params)

    def _raw(self, path: str) -> tuple[int, Any]:
        sha, _, file = path.removeprefix(f"/{REPO}/").partition("/")
        commit = self._find(sha)
        blob = commit.tree.get(file) if commit else None
        return (200, self.texts[blob]) if blob else (404, "404: Not Found")

    def _find(self, ref: str) -> FakeCommit | None:
        if ref == "HEAD":
            return self.commits[-1] if self.commits else None
        return next((c for c in self.commits if c.sha == ref), None)

    def _api(self, path: str, params: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        missing = (404, {"message": "Not Found"}, {})
        if path == "/commits":
            root, until = params["path"], params.get("until", "9")
            listed = [
                c
                for c in self.commits
                if _iso(c.at) <= until and any(_under(root, f["filename"]) or _under(root, f.get("previous_filename", "")) for f in c.files)
            ]
            return self._paged([self._shown(c) for c in reversed(listed)], path, params)
        if found := re.fullmatch(r"/commits/(\w+)", path):
            commit = self._find(found[1])
            total = sum(f["changes"] for f in commit.files) if commit else 0
            return (200, {**self._shown(commit), "stats": {"total": total}, "files": commit.files}, {}) if commit else missing
        if found := re.fullmatch(r"/git/trees/(\w+)", path):
            return self._tree(found[1], recursive="recursive" in params) or missing
        if found := re.fullmatch(r"/compare/(\w+)\.\.\.HEAD", path):
            return (200, {"status": "ahead"}, {}) if self._find(found[1]) else missing
        if path == "/pulls":
            return self._paged(sorted(self.pulls.values(), key=lambda p: p["updated_at"], reverse=True), path, params)
        if found := re.fullmatch(r"/pulls/(\d+)(/files)?", path):
            pull = self.pulls.get(int(found[1]))
            files = [{"filename": f} for f in (pull or {}).get("files", [])]
            return (200, files if found[2] else pull, {}) if pull else missing
        if found := re.fullmatch(r"/actions/runs/(\d+)", path):
            run = self.runs.get(found[1])
            return (200, {"id": int(found[1]), "status": "completed", "conclusion": run}, {}) if run else missing
        return missing

    def _tree(self, sha: str, *, recursive: bool) -> tuple[int, Any, dict[str, str]] | None:
        folder, commit = "", self._find(sha)
        if commit is None:
            commit, folder = next(((c, f) for c in self.commits for f in _folders(c.tree) if _folder_sha(c, f) == sha), (None, ""))
        if commit is None:
            return None
        inside = {p[len(folder) :]: b for p, b in commit.tree.items() if p.startswith(folder)}
        tree = [{"path": p, "mode": "100644", "type": "blob", "sha": b} for p, b in inside.items() if recursive or "/" not in p]
        names = {p.split("/")[0] for p in inside if "/" in p}
        tree += [{"path": n, "mode": "040000", "type": "tree", "sha": _folder_sha(commit, f"{folder}{n}/")} for n in sorted(names)]
        return 200, {"sha": sha, "tree": tree, "truncated": False}, {}

    def _shown(self, commit: FakeCommit) -> dict[str, Any]:
        who = {"name": commit.author, "date": _iso(commit.at)}
        return {"sha": commit.sha, "commit": {"message": commit.message, "author": who, "committer": who}, "author": {"login": commit.author}}

    def _paged(self, items: list[Any], path: str, params: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        size, page = min(self.page_size, int(params.get("per_page", 30))), int(params.get("page", 1))
        following = self.public_url("github", f"/repos/{REPO}{path}", {**params, "page": str(page + 1)})
        link = {"link": f'<{following}>; rel="next"'} if page * size < len(items) else {}
        return 200, items[(page - 1) * size : page * size], link


def _iso(time: dt.datetime | None) -> str | None:
    return time.isoformat() + "Z" if time else None


def _under(root: str, path: str) -> bool:
    return path == root or path.startswith(root + "/")


def _folders(tree: Mapping[str, str]) -> set[str]:
    return {path[: i + 1] for path in tree for i, letter in enumerate(path) if letter == "/"}


def _folder_sha(commit: FakeCommit, folder: str) -> str:
    return hashlib.sha1(f"{commit.sha} {folder}".encode(), usedforsecurity=False).hexdigest()


class Tracker:
    """A lake that refreshes SGLang from a fake GitHub."""

    def __init__(self, root: Path, github: FakeGitHub):
        self.root, self.github = root, github
        self.source = SGLang()
        lake = Lake(root)
        lake.prepare()
        self.warehouse = Warehouse(lake)
        self.stopped: str | None = None

    def refresh(self, when: dt.datetime, do: Callable[[Any], None] | None = None) -> list[Any]:
        """One run at a time, with the full rate limit; returns its snapshots."""
        self.github.used = 0
        return self.resume(when, do)

    def resume(self, when: dt.datetime, do: Callable[[Any], None] | None = None) -> list[Any]:
        """One run at a time, with what is left of the rate limit."""
        run = SourceCollector(self.source, self.warehouse, self.github, load_settings(None), when, force=False, progress=lambda items, total, what: iter(items))  # type: ignore[arg-type]
        self.stopped = None
        try:
            (do or self.source.collect)(run)
        except StopSource as why:
            self.stopped = str(why)
        run.ingest()
        return run.snapshots

    def rows(self, table: str, columns: str = "*", where: str = "true", order: str = "valid_from, model") -> list[dict[str, Any]]:
        return self.warehouse.rows(f"SELECT {columns} FROM history.{table} WHERE source = 'sglang' AND {where} ORDER BY {order}")

    def points(self, columns: str = "accelerator, concurrency, total_tok_s_gpu, valid_from, valid_to", where: str = "true") -> list[tuple[Any, ...]]:
        return [tuple(r.values()) for r in self.rows("operating_points", columns, where, "valid_from, accelerator, concurrency")]

    def outcomes(self, snapshots: list[Any], resource: str) -> list[str]:
        return [s.outcome for s in snapshots if s.last.resource == resource]

    def close(self) -> None:
        self.warehouse.close()


def benchmarks(*entries: str, header: str = "") -> str:
    """A benchmarks file in the cookbook's shape."""
    return f"{header}export const benchmarks = [\n" + "".join(f"  {e},\n" for e in entries) + "];\n"


def entry(hw: str = "b300", total: float = 1000, concurrency: int = 16, **dims: str) -> str:
    """A row with the fixed-length workload of the cookbook."""
    match = ", ".join(f'{k}: "{v}"' for k, v in {"hw": hw, "quant": "nvfp4", "strategy": "balanced", **dims}.items())
    workload = f'{{ dataset: "random", isl: 8192, osl: 1024, max_concurrency: {concurrency} }}'
    speed = f"{{ workload: {workload}, ttft_ms: 1000, tpot_ms: 10, tokens_per_sec_per_gpu: {total} }}"
    return f'{{ match: {{ {match} }}, sglang_version: "0.5.21", speed: [{speed}] }}'
