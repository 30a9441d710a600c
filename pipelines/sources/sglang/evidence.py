"""What accuracy gates rest on beside their own text: the pull request's words, and the conclusions of runs they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipelines.sources.base import Capture
from pipelines.sources.sglang.gates import read_gates
from pipelines.sources.sglang.github import GONE, GitHub
from pipelines.sources.sglang.repository import GATES

Parts = Sequence[tuple[Capture, Mapping[str, Any]]]


def pull_text(answer: Any) -> str:
    """Title and body of a pull request's answer."""
    said = [answer.get(k) if isinstance(answer, dict) else None for k in ("title", "body")]
    return "\n\n".join(s if isinstance(s, str) else "" for s in said) if any(said) else ""


class Evidence:
    """Fetches each pull request's text and each run's conclusion once."""

    def __init__(self, github: GitHub):
        self.github = github
        self._gone = {str(c.meta["run"]) for c in github.run.captures(resource=GATES) if c.outcome == GONE and "run" in c.meta}

    def parts(self, files: Mapping[str, str], pulls: Iterable[int]) -> Parts | None:
        """The answers a gates set needs beside its files (text by path); None where one is still to be had.

        `pulls`: the pull requests that brought the files and their former versions, newest first.
        Raises BudgetSpent where no API call is left.
        """
        found: list[tuple[Capture, Mapping[str, Any]]] = []
        words = []
        for number in pulls:
            capture = self.github.once("pull", number, f"/pulls/{number}", resource=GATES)
            if capture.ok:
                found.append((capture, {"pull": number}))
                words.append(pull_text(self.github.json(capture)))
            elif capture.outcome != GONE:
                return None
        named = {run for path, text in files.items() for run in read_gates(path, text, runs={}, pull_request_text="\n\n".join(words)).run_ids}
        for run_id in sorted(named - self._gone):
            capture = self.github.once("run", run_id, f"/actions/runs/{run_id}", resource=GATES)
            if capture.ok:
                found.append((capture, {"run": run_id}))
            elif capture.outcome == GONE:
                self._gone.add(run_id)
            else:
                return None
        return found
