"""Checks a lake from its bytes to its published file, and mends what the lake allows.

What can be mended: a warehouse (made again from the lake) and a published file (made again from the warehouse). What
cannot: bytes that are gone or changed, and log lines that were cut. Those are moved or copied to <lake>/aside, the
snapshots they belonged to are derived without them, and the next refresh asks their addresses again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.collector import Progress
from pipelines.lake import DamagedBlob, Lake, LakeError
from pipelines.publish import FILE, check
from pipelines.sources.base import Capture
from pipelines.warehouse import is_sound


@dataclass(frozen=True)
class Finding:
    """Something wrong: `kind` is `blob`, `log`, `warehouse`, `published` or `leftover`; `path` is where."""

    kind: str
    path: Path
    message: str

    @property
    def mendable(self) -> bool:
        """Whether a repair brings back everything."""
        return self.kind in ("warehouse", "published", "leftover")


def examine(lake: Lake, progress: Progress) -> list[Finding]:
    """Everything that is wrong with a lake; the run that holds its lock is the only one that may call it.

    Raises LakeError where the lake's stamp cannot be read.
    """
    if lake.kind is None:
        raise LakeError(f"{lake.root} is no lake yet: it holds no capture.")
    findings = list(_log(lake))
    findings += _blobs(lake, progress)
    findings += _leftovers(lake)
    warehouse = lake.root / "warehouse.duckdb"
    if not is_sound(lake, warehouse):
        findings.append(Finding("warehouse", warehouse, "The warehouse is missing, damaged or of another version."))
    published = lake.published / FILE
    if not published.exists():
        findings.append(Finding("published", published, "There is no published file."))
    elif why := check(published, deeply=True):
        findings.append(Finding("published", published, f"The published file cannot be read: {why}"))
    return findings


def _log(lake: Lake) -> Iterator[Finding]:
    for file, start, _, capture in lake.lines({}):
        if capture is None:
            yield Finding("log", lake.log / file, f"The log line at byte {start} of {file} is damaged; the capture it told of is unknown.")
    for path in sorted(lake.log.glob("*.jsonl")):
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            yield Finding("log", path, f"The last line of {path.name} was cut; the next capture begins a new line after it.")


def _captures(lake: Lake) -> Iterator[Capture]:
    for _, _, _, capture in lake.lines({}):
        if capture is not None and capture.sha256:
            yield capture


def _blobs(lake: Lake, progress: Progress) -> list[Finding]:
    told_by: dict[str, Capture] = {}
    for capture in _captures(lake):
        told_by.setdefault(str(capture.sha256), capture)
    findings = []
    for sha256, capture in progress(told_by.items(), len(told_by), "reading stored bytes"):
        try:
            lake.get(sha256)
        except DamagedBlob as why:
            message = f"{why} They are of {capture.url}, {capture.captured_at:%Y-%m-%d %H:%M} UTC."
            findings.append(Finding("blob", lake.blob_path(sha256), message.replace(" Run `megawatch doctor`.", "")))
    return findings


def _leftovers(lake: Lake) -> list[Finding]:
    found = [*lake.root.rglob(".tmp-*"), *lake.published.glob(".publishing-*")]
    return [Finding("leftover", p, f"{p.name} is left over from a run that was ended.") for p in sorted(found) if p.is_file()]


def set_aside(lake: Lake, findings: list[Finding]) -> None:
    """Keep what cannot be mended in <lake>/aside, and remove what stands in the way of a new warehouse or published file."""
    aside = lake.root / "aside"
    stamp = f"{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%S}"
    for number, finding in enumerate(findings):
        if finding.kind == "leftover":
            finding.path.unlink(missing_ok=True)
        elif finding.path.exists():
            aside.mkdir(exist_ok=True)
            kept = aside / f"{stamp}-{number}-{finding.path.name}"
            if finding.kind == "log":
                kept.write_bytes(finding.path.read_bytes())
            else:
                finding.path.replace(kept)


def scopes_to_derive(lake: Lake, findings: list[Finding]) -> set[tuple[str, str]]:
    """(source, scope) of the snapshots that rest on bytes which are gone."""
    gone = {f.path.name.removesuffix(".gz") for f in findings if f.kind == "blob"}
    return {(c.source, c.scope) for c in _captures(lake) if c.sha256 in gone}


def told(findings: list[Finding], repaired: bool) -> list[Any]:
    """One line a finding, for people."""
    ends = {True: "mended", False: "kept aside"} if repaired else {True: "--repair mends it", False: "--repair keeps it aside; the bytes are lost"}
    return [f"{f.message} ({ends[f.mendable]})" for f in findings]
