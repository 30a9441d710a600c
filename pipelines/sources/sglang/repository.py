"""The repository we follow: which of its files matter, what identifies them, and where they can be seen.

Files: `<model>-benchmarks.jsx` with `<model>.jsx` beside it, generated files under `agentx/`, and accuracy gates
`test_*.py` for MI3xx and MI45x. Roots have moved twice, so a file is known by its name; a path is only where it stands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

SCRIPT = r"\.(?:jsx|js|mjs)"
BENCHMARKS = re.compile(rf"(?P<folder>.*/)?(?P<stem>[^/]+?)[-_.]benchmarks?{SCRIPT}", re.IGNORECASE)
NO_CONFIG = re.compile(rf".*[-_.](?:community|srt-slurm){SCRIPT}", re.IGNORECASE)
CONFIG = re.compile(rf"(?P<folder>.*/)?(?P<stem>[^/]+){SCRIPT}", re.IGNORECASE)
GATE_NAME = re.compile(r"test_.*\.py")
GATE_HARDWARE = re.compile(r"mi3\w*x|mi45\w*x", re.IGNORECASE)

COOKBOOK, GATES, PULLS = "cookbook", "gates", "pulls"
SCOPES = (COOKBOOK, GATES)


@dataclass(frozen=True)
class Repository:
    """A GitHub repository by `owner/name`."""

    name: str

    @property
    def url(self) -> str:
        return f"https://github.com/{self.name}"

    def scope(self, what: str) -> str:
        """Public name of one of our views of the repository: `cookbook`, `gates` or `pulls`."""
        return f"{self.url}/pulls" if what == PULLS else f"{self.url}#{what}"

    def file_url(self, commit: str, path: str) -> str:
        """Public page of a file at a commit."""
        return f"{self.url}/blob/{commit}/{path}"

    def api(self, path: str) -> str:
        """Path of a REST call on the repository."""
        return f"/repos/{self.name}{path}"


def repository_of(scope: str) -> Repository:
    """The repository a scope belongs to."""
    found = re.match(r"https://github\.com/([\w.-]+/[\w.-]+)", scope)
    if not found:
        raise ValueError(f"{scope} is no scope of a GitHub repository")
    return Repository(found[1])


def kind_of(path: str) -> str | None:
    """`benchmarks`, `config`, `agentx` or `gate`; None for a file we do not read."""
    name = path.rsplit("/", 1)[-1]
    if GATE_NAME.fullmatch(name):
        folder = path.rsplit("/", 2)[-2] if "/" in path else ""
        return "gate" if "/perf/" not in path and GATE_HARDWARE.search(f"{folder}/{name}") else None
    if not CONFIG.fullmatch(path):
        return None
    if "/agentx/" in path:
        return "agentx"
    if BENCHMARKS.fullmatch(path):
        return "benchmarks"
    return None if NO_CONFIG.fullmatch(path) else "config"


def scope_of(path: str) -> str | None:
    """The view a file belongs to; None for a file we do not read."""
    kind = kind_of(path)
    return None if kind is None else GATES if kind == "gate" else COOKBOOK


def is_under(path: str, folders: Iterable[str]) -> bool:
    """Whether a path lies in one of these folders."""
    return any(path.startswith(folder.rstrip("/") + "/") for folder in folders)


def moved_folder(new: str, old: str, folders: Iterable[str]) -> str:
    """The folder that takes a watched one's place when a file moves from it: `new` without what it has in common with `old` below it."""
    root = next((f.rstrip("/") for f in folders if is_under(old, [f])), old.rpartition("/")[0])
    below = old[len(root) :]
    return new.removesuffix(below) if new.endswith(below) else new.rpartition("/")[0]


def stem_of(path: str) -> str:
    """The model's name in a file's name."""
    found = BENCHMARKS.fullmatch(path) or CONFIG.fullmatch(path)
    return found["stem"] if found else path.rsplit("/", 1)[-1]


def model_key(path: str) -> str:
    """What a file's rows are identified by, under any root: kind, last folder and model without letter case; a gate's file name."""
    if kind_of(path) == "gate":
        return f"gate:{path.rsplit('/', 1)[-1]}"
    found = BENCHMARKS.fullmatch(path) or CONFIG.fullmatch(path)
    folder = (found["folder"] or "").rstrip("/").rsplit("/", 1)[-1] if found else ""
    return f"{kind_of(path)}:{folder}/{stem_of(path)}".lower()


def config_of(path: str, paths: Iterable[str]) -> str | None:
    """The config file beside a benchmarks file, among `paths`."""
    return next((p for p in sorted(paths) if kind_of(p) == "config" and _pair(p) == _pair(path)), None)


def benchmarks_of(path: str, paths: Iterable[str]) -> str | None:
    """The benchmarks file beside a config file, among `paths`."""
    return next((p for p in sorted(paths) if kind_of(p) == "benchmarks" and _pair(p) == _pair(path)), None)


def _pair(path: str) -> tuple[str, str] | None:
    found = BENCHMARKS.fullmatch(path) or CONFIG.fullmatch(path)
    return ((found["folder"] or ""), found["stem"]) if found else None


def blob_sha(data: bytes) -> str:
    """Git's name of a file's bytes: SHA-1 of `blob <length>` NUL bytes (git-hash-object)."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
