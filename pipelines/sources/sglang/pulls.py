"""Pull requests on what we watch: cookbook, measurements on AgentPerf or agentic traces, MI35x accuracy gates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pipelines import names
from pipelines.lake import utc
from pipelines.schema import canonical_json
from pipelines.sources.sglang.claims import claimed_points
from pipelines.sources.sglang.commits import member
from pipelines.sources.sglang.repository import GATES, Repository, scope_of

UNKNOWN = "unknown"
_DOCUMENTED: dict[str, Any] = {
    **dict.fromkeys(("number",), int),
    **dict.fromkeys(("title", "updated_at"), str),
    **dict.fromkeys(("body", "state", "created_at", "merged_at", "closed_at", "merge_commit_sha"), str | None),
    **dict.fromkeys(("user", "base"), dict | None),
    "labels": list | None,
    "draft": bool | None,
}
VENDORS = {
    "AMD": ("amd", "rocm", "hip"),
    "NVIDIA": ("nvidia", "nv"),
    "Intel": ("intel", "xpu"),
    "Google": ("google", "tpu"),
    "Huawei": ("ascend", "npu", "huawei"),
    "Apple": ("apple", "mlx"),
}
_TAG = re.compile(r"\[([^\][]{1,30})\]")
_QUOTED = re.compile(r'".*"')
_FOLDERS = re.compile(r"/(?:configs|agentx|cookbook)/")  # below these, folders name the makers of models
_AGENTIC = re.compile(r"agent[\s_-]?perf|\bagentic\b|\bagent[\s_-]?x\b", re.IGNORECASE)
_AGENTPERF = re.compile(r"agent[\s_-]?perf", re.IGNORECASE)
_GATE_HARDWARE = re.compile(r"\bmi(3\d?\d?|45\d?)x\b|\bmi3\d\dx?\b", re.IGNORECASE)
_GATE_WORDS = re.compile(r"accuracy|\bgates?\b|\bevals?\b|nightl(y|ies)|threshold|gsm8k", re.IGNORECASE)


def vendor_of(title: str, labels: Iterable[str] = (), paths: Iterable[str] = ()) -> tuple[str, str | None]:
    """(vendor, what says so): by the title's tags, else the labels, else the folders of the files; `unknown` where none or several."""
    own_words = _QUOTED.sub("", title) if title.lower().startswith("revert") else title  # a revert does not speak for whom it undoes
    evidence = (
        ("title tag", _TAG.findall(own_words)),
        ("label", list(labels)),
        ("paths", [folder for path in paths for folder in _FOLDERS.split(path)[0].split("/")[:-1]]),
    )
    for where, words in evidence:
        found = {v for v, spellings in VENDORS.items() for w in words if set(re.split(r"[\s/,:_-]+", w.lower())) & set(spellings)}
        if len(found) == 1:
            return found.pop(), where
        if found:
            return UNKNOWN, None
    return UNKNOWN, None


def topics_of(title: str, body: str, labels: Iterable[str], paths: Iterable[str]) -> list[str]:
    """Watched topics a pull request touches: `agentic`, `cookbook`, `gates`."""
    tags, scopes = " ".join(labels), {scope_of(path) for path in paths}
    topics = set()
    if re.search(r"cookbook", f"{title} {tags}", re.IGNORECASE) or "cookbook" in scopes:
        topics.add("cookbook")
    if _AGENTIC.search(f"{title} {tags}") or _AGENTPERF.search(body):
        topics.add("agentic")
    if GATES in scopes or (_GATE_HARDWARE.search(title) and _GATE_WORDS.search(title)):
        topics.add("gates")
    return sorted(topics)


def hardware_in(text: str) -> list[str]:
    """Accelerators of our reference that a text names."""
    words = re.findall(r"[\w.-]+", text)
    found: dict[str, None] = {}
    for size in (3, 2, 1):
        for start in range(len(words) - size + 1):
            accelerator = names.accelerator(" ".join(words[start : start + size]).rstrip("."))
            if accelerator is not None:
                found[accelerator.name] = None
    return sorted(found)


def models_in(text: str, models: Iterable[str]) -> list[str]:
    """Which of these models a text names; a longer name goes before one inside it."""
    plain = f" {_plain(text)} "
    found = []
    for model in sorted(set(models), key=lambda m: (-len(m), m)):
        name = f" {_plain(model)} "
        if name.strip() and name in plain:
            found.append(model)
            plain = plain.replace(name, " | ")
    return sorted(found)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9.]+", text.lower()))


def is_pull(item: Any) -> bool:
    """Whether an item of a listing is a pull request as documented."""
    return (
        isinstance(item, dict)
        and all(isinstance(item.get(k), kind) for k, kind in _DOCUMENTED.items())
        and item["number"] is not True
        and 0 < item["number"] < 2**53
    )


def labels_of(item: Mapping[str, Any]) -> list[str]:
    """Names of a pull request's labels."""
    return [name for label in item.get("labels") or [] if (name := member(label, "name"))]


def record_of(item: Mapping[str, Any], repository: Repository, paths: list[str], models: Iterable[str]) -> dict[str, Any]:
    """A pull request as a record of `pull_requests`, without its revert links."""
    title, body = item["title"].strip(), item.get("body") or ""
    labels = labels_of(item)
    vendor, _ = vendor_of(title, labels, paths)
    points = claimed_points(body)
    merged = time_of(item.get("merged_at"))
    extra = {"labels": labels or None, "draft": item.get("draft") or None, "base": member(item.get("base"), "ref")}
    return {
        "part": str(item["number"]),
        "repo": repository.name,
        "number": item["number"],
        "title": title,
        "state": "merged" if merged else "closed" if item.get("state") == "closed" else "open",
        "author": member(item.get("user"), "login"),
        "created_at": time_of(item.get("created_at")),
        "merged_at": merged,
        "closed_at": time_of(item.get("closed_at")),
        "merge_commit_sha": item.get("merge_commit_sha") if merged else None,
        "vendor": vendor,
        "topics": topics_of(title, body, labels, paths),
        "models": models_in(f"{title}\n{body}", models),
        "hardware": hardware_in(f"{title}\n{body}"),
        "claimed_points": canonical_json(points) if points else None,
        "source": "sglang",
        "origin": "api",
        "provenance": "framework_reported",
        "source_url": f"{repository.url}/pull/{item['number']}",
        "extra": canonical_json({k: v for k, v in extra.items() if v is not None}),
    }


def time_of(text: Any) -> dt.datetime | None:
    """Naive UTC; None where there is no time."""
    try:
        return utc(text) if isinstance(text, str) else None
    except ValueError:
        return None
