"""The material beside the project: where it is, a mark for tests that need it, and its replay server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("MEGAWATCH_SHARED") or ROOT.parent / "shared")
BASE_SETTINGS = {
    "aa": "MEGAWATCH_AA_URL",
    "github": "MEGAWATCH_GITHUB_API_URL",
    "raw": "MEGAWATCH_GITHUB_RAW_URL",
    "inferencex": "MEGAWATCH_INFERENCEX_URL",
}


# For a test, a class or a whole module (`pytestmark = needs_shared`); required.py skips these where the material is absent.
needs_shared = pytest.mark.shared


class ReplayServer:
    """The four sites on loopback as of a day; a context manager. `urls` holds the base address of each site."""

    def __init__(self, day: str | None = None, *, world: Path | None = None, github_limit: int = 60):
        command = [sys.executable, str(SHARED / "replay" / "serve.py"), "--github-limit", str(github_limit)]
        command += ["--day", day] if day else []
        command += ["--world", str(world)] if world else []
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        if not first:
            raise RuntimeError(f"the replay server ended with exit code {self._process.wait()} before it said its addresses")
        self.urls: dict[str, str] = json.loads(first)

    def __enter__(self) -> ReplayServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def day(self, day: str) -> None:
        """Play this day from now on."""
        self._post("day", day=day)

    def fault(self, kind: str, *, site: str = "", match: str = "/", times: int = 9999, **more: Any) -> None:
        """Answer the next `times` matching requests with a fault (kinds: see the server's docstring)."""
        self._post("fault", kind=kind, site=site, match=match, times=times, **more)

    def robots(self, text: str | None) -> None:
        """What robots.txt of AA says; None for the usual."""
        self._post("robots", **({} if text is None else {"text": text}))

    def reset(self) -> None:
        """No faults, an empty log, the full rate limit."""
        self._post("reset")

    def log(self) -> list[dict[str, Any]]:
        """Every request since the reset."""
        return self._get("log")

    def days(self) -> list[str]:
        """The days on which something changes."""
        return self._get("days")

    def env(self, lake: Path) -> dict[str, str]:
        """Settings that point a run at this server, without any key."""
        return {"MEGAWATCH_LAKE": str(lake), "GITHUB_TOKEN": "", "MEGAWATCH_AA_API_KEY": "", **{name: self.urls[site] for site, name in BASE_SETTINGS.items()}}

    def _post(self, what: str, **body: Any) -> None:
        requests.post(f"{self.urls['control']}/{what}", json=body, timeout=30).raise_for_status()

    def _get(self, what: str) -> Any:
        answer = requests.get(f"{self.urls['control']}/{what}", timeout=30)
        answer.raise_for_status()
        return answer.json()
