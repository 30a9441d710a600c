"""Reading the list of pull requests: newest updates first, down to what the last reading had seen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.sources.base import Capture
from pipelines.sources.sglang.commits import revert_of
from pipelines.sources.sglang.github import GONE, PAGE, GitHub, has, is_list
from pipelines.sources.sglang.pulls import UNKNOWN, is_pull, labels_of, time_of, topics_of, vendor_of
from pipelines.sources.sglang.repository import PULLS, SCOPES
from pipelines.sources.sglang.settled import Settled, settled_sets

RESOURCE = "pull_requests"
PARAMS = {"state": "all", "sort": "updated", "direction": "desc", "per_page": PAGE}
FIRST_PAGES, MOST_PAGES = 5, 30
MOST_FILE_LISTS = 10
TRIED_AGAIN_FOR = dt.timedelta(days=7)
Pull = dict[str, Any]


class PullPages:
    """Reads the list once a run and attaches what it saw as one set, its end marker last.

    The end marker is the first page again; its `meta` holds what the pages do not say: `newest` (how far the next
    reading has to go), `paths` (watched files of merged commits by number), `reverts` and `reverted_by` (number to number),
    `models` (names to look for), `lacks` (whether something of these could not be had: what was read is read again).
    """

    def __init__(self, github: GitHub):
        self.run, self.github = github.run, github
        self.scope = github.repository.scope(PULLS)
        self.commits: list[Settled] = []

    def read(self) -> None:
        """Read down to the last reading's newest update; a first reading takes the newest pages.

        Raises BudgetSpent; nothing is attached then, and the next run reads again.
        """
        ends = self._ends()
        seen, reached = _newest(ends), _newest(self._all_ends())
        pages: list[Capture] = []
        for page in self.github.pages("/pulls", PARAMS, resource=RESOURCE, expect=is_list):
            if not page.ok or (not pages and ends and ends[-1].sha256 == page.sha256):
                return  # the list cannot be had, or says what the last reading ended with
            pages.append(page)
            updated = [time_of(p["updated_at"]) for p in self._pulls([page])]
            if not updated or (seen and (updated[-1] or seen) <= seen):
                break
            follows_on = seen is not None or (reached is not None and (updated[-1] or reached) > reached)
            if len(pages) >= (MOST_PAGES if follows_on else FIRST_PAGES):
                self._tell_gap(reached, updated[-1])
                break
        if not pages:
            return
        pulls = self._pulls(pages)
        self.commits = [s for scope in SCOPES for s in settled_sets(self.run, scope) if s.meta.get("pull")]
        reverts, reverted_by = self._reverts(pulls)
        paths = self._paths({p["number"] for p in pulls} | set(reverted_by.values()) | {int(n) for n in reverted_by})
        asked = [*self._missing(pulls, reverted_by), *self._file_lists(pulls, seen, paths)]
        newest = max((t for p in pulls if (t := time_of(p["updated_at"]))), default=seen)
        end = {
            "end": True,
            "newest": newest.isoformat() if newest else None,
            "paths": paths,
            "reverts": reverts,
            "reverted_by": reverted_by,
            "models": self._models(),
            **({"lacks": True} if self._lacks() else {}),
        }
        set_id = self._set_id()
        for capture, meta in [*((page, {"page": True}) for page in pages[1:]), *asked, (pages[0], end)]:
            self.run.attach(capture, set_id=set_id, scope=self.scope, resource=RESOURCE, meta=meta)

    def _set_id(self) -> str:
        """A set of its own for every reading, also of a run at the same time as one that ended."""
        name = f"pulls@{self.run.at:%Y-%m-%dT%H%M%SZ}"
        there = {c.set_id for c in self._all_ends() if c.set_id.startswith(name)}
        return f"{name}/{len(there) + 1}" if there else name

    def _ends(self) -> list[Capture]:
        """Ends of earlier readings, without those whose pages were lost, and the last ones that lacked something, of a week at most."""
        broken = {c.set_id for c in self.run.lost(RESOURCE)}
        ends = [c for c in self._all_ends() if c.set_id not in broken]
        while ends and ends[-1].meta.get("lacks") and ends[-1].captured_at > self.run.at - TRIED_AGAIN_FOR:
            ends.pop()
        return ends

    def _all_ends(self) -> list[Capture]:
        return [c for c in self.run.captures(resource=RESOURCE) if c.meta.get("end")]

    def _lacks(self) -> bool:
        """Whether something failed in this run by which pull requests are told apart: files of theirs, or what names the models."""
        last = {c.url: c for resource in (RESOURCE, "commits", *SCOPES) for c in self.run.captures(resource=resource) if c.captured_at == self.run.at}
        return any(not c.ok and c.outcome != GONE for c in last.values() if c.url != self.scope)

    def _tell_gap(self, known_to: dt.datetime | None, reached: dt.datetime | None) -> None:
        if known_to and reached and reached > known_to:
            message = (
                f"Pull requests updated between {known_to:%Y-%m-%d %H:%M} and {reached:%Y-%m-%d %H:%M} UTC were not read: too many since the last run. "
                "Merged ones are found by their commits, the others when they are next updated."
            )
            self.run.failed(RESOURCE, self.scope, "rate_limited", message)

    def _pulls(self, pages: Iterable[Capture]) -> list[Pull]:
        return [item for page in pages for item in self.github.json(page) if is_pull(item)]

    def _paths(self, numbers: set[int]) -> dict[str, list[str]]:
        found: dict[str, set[str]] = {}
        for commit in self.commits:
            if commit.meta["pull"] in numbers:
                found.setdefault(str(commit.meta["pull"]), set()).update(commit.meta.get("changes", {}))
        return {number: sorted(paths) for number, paths in found.items()}

    def _reverts(self, pulls: Iterable[Pull]) -> tuple[dict[str, int], dict[str, int]]:
        """What pull requests of these pages revert, by number; and what merged ones, also of earlier readings, have reverted."""
        live = self.run.live(RESOURCE, self.scope)
        by_title = {r["title"]: int(r["number"]) for r in live} | {p["title"].strip(): p["number"] for p in pulls}
        by_sha = {s.sha: int(s.meta["pull"]) for s in self.commits} | {r["merge_commit_sha"]: int(r["number"]) for r in live if r["merge_commit_sha"]}
        by_sha |= {p["merge_commit_sha"]: p["number"] for p in pulls if p.get("merged_at") and p.get("merge_commit_sha")}
        reverts: dict[str, int] = {}
        reverted_by = {str(r["number"]): int(r["reverted_by"]) for r in live if r["reverted_by"]}
        for pull in pulls:
            revert = revert_of(pull["title"], pull.get("body") or "")
            if revert is None:
                continue
            by_hash = next((n for sha, n in by_sha.items() if revert.sha and sha.startswith(revert.sha)), None)
            target = revert.number or by_hash or by_title.get(revert.title or "")
            if target and target != pull["number"]:
                reverts[str(pull["number"])] = target
                if pull.get("merged_at"):
                    reverted_by[str(target)] = pull["number"]
        return reverts, reverted_by

    def _missing(self, pulls: list[Pull], reverted_by: Mapping[str, int]) -> list[tuple[Capture, dict[str, Any]]]:
        """Pull requests that one of these pages reverted and that the pages do not hold."""
        shown = {p["number"] for p in pulls}
        asked: list[tuple[Capture, dict[str, Any]]] = []
        for number in sorted(int(n) for n, by in reverted_by.items() if by in shown and int(n) not in shown):
            capture = self.github.get(f"/pulls/{number}", resource=RESOURCE, expect=has("number", "title"), meta={"pull": number})
            if capture.ok:
                asked.append((capture, {"pull": number}))
        return asked

    def _file_lists(self, pulls: list[Pull], seen: dt.datetime | None, paths: Mapping[str, list[str]]) -> list[tuple[Capture, dict[str, Any]]]:
        """Files of watched pull requests whose title and labels name no vendor and whose commit is not known.

        Asked are those updated since the last reading; of others, and of those that cannot be had, the last list that was had stands.
        """
        last = {c.meta["files_of"]: c for c in self.run.captures(resource=RESOURCE) if c.ok and "files_of" in c.meta and "attached" not in c.meta}
        found: list[tuple[Capture, dict[str, Any]]] = []
        left = MOST_FILE_LISTS
        for pull in pulls:
            number, labels = pull["number"], labels_of(pull)
            watched = topics_of(pull["title"], pull.get("body") or "", labels, [])
            if not watched or str(number) in paths or vendor_of(pull["title"], labels)[0] != UNKNOWN:
                continue
            if left and (seen is None or (time_of(pull["updated_at"]) or seen) > seen):
                left -= 1
                capture = self.github.get(f"/pulls/{number}/files", {"per_page": PAGE}, resource=RESOURCE, expect=is_list, meta={"files_of": number})
                if capture.ok:
                    last[number] = capture
            if number in last:
                found.append((last[number], {"files_of": number}))
        return found

    def _models(self) -> list[str]:
        """Names to look for: of every model in our views now, or known to the last reading, as a view may just lack some."""
        ends = self._all_ends()
        known = set(ends[-1].meta.get("models", ())) if ends else set()
        named = known | {str(r["model"]) for table in ("operating_points", "accuracy_gates") for r in self.run.live(table) if r["model"]}
        return sorted({name.rsplit("/", 1)[-1] for name in named} | set(self.run.settings.watched_models))


def _newest(ends: list[Capture]) -> dt.datetime | None:
    """How far the last of these readings had come."""
    return next((t for end in reversed(ends) if (t := time_of(end.meta.get("newest")))), None)
