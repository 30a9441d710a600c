"""git-history (datasette's tool for the same task) on some days of the real leaderboard, against our rebuild of the same days.

The days are committed as JSON files; both then make item versions of them. Needs git, ../shared and the package
git-history, which is no dependency: pip install --target DIR git-history, and PYTHONPATH=DIR.

python -m tests.bench.item_versions [DAYS]
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from tests.bench.rebuild_days import ARCHIVE, lake_of, rebuild_s
from tests.helpers.aa_pages import daily_models
from tests.memory import status_mb

BOUND = 40.0
DAYS = 20


def _git(folder: Path, *words: str, at: str = "2026-01-01T00:00:00Z") -> None:
    who = {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t"}
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, env={**os.environ, **who, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at})


def git_history_s(days: int) -> float:
    """Processor seconds of git-history over so many days."""
    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    _git(folder, "init", "-b", "main")
    for at, models in islice(daily_models(ARCHIVE), days):
        (folder / "models.json").write_text(json.dumps(models, indent=0), encoding="utf-8")
        _git(folder, "add", "models.json")
        _git(folder, "commit", "--allow-empty", "-m", f"{at}", at=f"{at.isoformat()}Z")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "from git_history.cli import cli; cli()", "file", "versions.db", "models.json", "--repo", ".", "--id", "id", "--silent"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> dict[str, Any]:
    if find_spec("git_history") is None:
        raise SystemExit("git-history is not installed here, see tests/bench/item_versions.py")
    days = int(sys.argv[1]) if len(sys.argv) > 1 else DAYS
    lake, _ = lake_of(days)
    ours, versions = rebuild_s(lake)
    theirs = git_history_s(days)
    told = {"git_history_s": round(theirs, 2), "rebuild_s": round(ours, 2), "ratio": round(theirs / ours, 1), "bound": BOUND}
    return {"days": days, "versions": versions, **told, "peak_mb": round(status_mb("VmHWM"))}


if __name__ == "__main__":
    print(json.dumps(main()))
