"""A reading of the pull request list as records of `pull_requests`."""

from __future__ import annotations

from typing import Any

from pipelines.sources.base import Bundle, Incomplete, Parsed, Unreadable
from pipelines.sources.sglang.commits import member, read_json
from pipelines.sources.sglang.pulls import is_pull, record_of
from pipelines.sources.sglang.repository import repository_of

TABLE = "pull_requests"


def read_pulls(bundle: Bundle) -> Parsed:
    """What a reading says: for every pull request it saw, whether it is on a watched topic, and its record if so.

    Raises Incomplete where the reading did not end, Unreadable where a page is no list.
    """
    end = next((p for p in bundle.parts if p.meta.get("end")), None)
    if end is None:
        raise Incomplete("the reading of the list has not ended")
    items: dict[int, dict[str, Any]] = {}
    files: dict[str, list[str]] = {}
    strange = 0
    for part in bundle.parts:
        answer = read_json(part.body)
        if "files_of" in part.meta:
            files[str(part.meta["files_of"])] = [name for f in answer if (name := member(f, "filename"))] if isinstance(answer, list) else []
            continue
        if not isinstance(answer, list | dict):
            raise Unreadable(f"{part.url} is no list of pull requests")
        for item in answer if isinstance(answer, list) else [answer]:
            if not is_pull(item):
                strange += 1
            else:
                former = items.get(item["number"])
                items[item["number"]] = item if former is None or item["updated_at"] >= former["updated_at"] else former
    meta = end.meta
    paths: dict[str, list[str]] = meta.get("paths", {})
    records = {
        number: record_of(item, repository_of(bundle.scope), paths.get(str(number)) or files.get(str(number), []), meta.get("models", ()))
        for number, item in items.items()
    }
    reverts, reverted_by = meta.get("reverts", {}), meta.get("reverted_by", {})
    watched = {number for number, record in records.items() if record["topics"]}
    linked = {number for number in records for other in (reverts.get(str(number)), reverted_by.get(str(number))) if other in watched}
    rows = []
    for number in sorted(watched | linked):
        record = records[number]
        record["reverts"], record["reverted_by"] = reverts.get(str(number)), reverted_by.get(str(number))
        rows.append(record)
    warnings = [f"{strange} items of the list are no pull requests as GitHub documents them, and were left out"] if strange else []
    return Parsed(rows={TABLE: rows}, covers=frozenset(str(n) for n in items), compared=False, may_be_empty=True, warnings=warnings)
