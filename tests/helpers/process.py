"""`megawatch` as a process of its own, over a lake in a folder."""

import os
import subprocess
import sys
from pathlib import Path

from tests.shared import BASE_SETTINGS, ROOT

CLOSED = "http://127.0.0.1:9"


def environment(lake: Path, **more: str) -> dict[str, str]:
    """No source can be reached, no key is set, nothing of the developer's shell is taken over."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "MEGAWATCH_LAKE": str(lake), **dict.fromkeys(BASE_SETTINGS.values(), CLOSED), **more}


def start(lake: Path, *arguments: str, **more: str) -> subprocess.Popen:
    """Start a command in the lake's folder."""
    lake.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pipelines.cli", *arguments]
    return subprocess.Popen(command, cwd=lake.parent, env=environment(lake, **more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(lake: Path, *arguments: str, code: int = 0, **more: str) -> subprocess.CompletedProcess:
    """Run a command to its end and check its exit code."""
    process = start(lake, *arguments, **more)
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, f"megawatch {' '.join(arguments)}: exit {process.returncode}\n{out}\n{err}"
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)
