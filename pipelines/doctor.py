"""Checks a lake from its bytes to its published file, and mends what the lake allows.

Mended are a warehouse (made again from the lake), a published file (made again from the warehouse), and log lines that
were cut but that a warehouse has read before. What cannot be mended, bytes that are gone or changed and lines nobody
remembers, is moved or copied to <lake>/aside; the snapshots it belonged to are derived without it, and the next refresh
asks for the bytes again. Lost bytes stay in aside/lost.jsonl, so that the doctor tells them from new damage.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.collector import Progress
from pipelines.lake import DamagedBlob, Lake, LakeError, from_json, is_as_written, to_json, write_whole
from pipelines.publish import FILE, check
from pipelines.sources.base import Capture
from pipelines.told import read_anew
from pipelines.warehouse import fault, remembered


@dataclass(frozen=True)
class Finding:
    """Something wrong: `kind` is `blob`, `lost`, `log`, `warehouse`, `published` or `leftover`; `path` is where.

    `mendable`: whether a repair brings back everything. `lost` are bytes an earlier repair gave up; nothing is left to do.
    """

    kind: str
    path: Path
    message: str
    mendable: bool = True

    @property
    def is_new(self) -> bool:
        return self.kind != "lost"


def examine(lake: Lake, progress: Progress) -> list[Finding]:
    """Everything that is wrong with a lake; the run that holds its lock is the only one that may call it.

    Raises LakeError where the lake's stamp cannot be read, WarehouseError where another program has the warehouse open.
    """
    if lake.kind is None:
        raise LakeError(f"{lake.root} is no lake yet: it holds no capture.")
    warehouse, published = lake.root / "warehouse.duckdb", lake.published / FILE
    why_not = fault(lake, warehouse)
    findings = [*_log(lake), *_memories(lake), *_blobs(lake, progress), *_leftovers(lake)]
    if why_not:
        findings.append(Finding("warehouse", warehouse, f"The warehouse {why_not}."))
    if not published.exists():
        findings.append(Finding("published", published, "There is no published file."))
    elif why := check(published, deeply=True):
        findings.append(Finding("published", published, f"The published file cannot be read: {why}"))
    return findings


def _is_whole(line: bytes) -> bool:
    """Whether a log line is the one that was written."""
    capture = from_json(line)
    return capture is not None and is_as_written(capture)


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _split(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines of a file with the byte each begins at; without blank ones."""
    start = 0
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
        if line.strip():
            yield start, line
        start += len(line)


def _missing(lake: Lake, path: Path, known: list[Capture]) -> list[Capture]:
    """Captures a warehouse has read from a log file that no longer holds them, as far as the lake still has their bytes."""
    there = {c.capture_id for _, line in _split(path) if _is_whole(line) and (c := from_json(line))}
    return [c for c in known if c.capture_id not in there and (c.sha256 is None or lake.has(c.sha256))]


def _log(lake: Lake) -> Iterator[Finding]:
    known = remembered(lake)
    for name in sorted({p.name for p in lake.log.glob("*.jsonl")} | set(known)):
        path = lake.log / name
        missing = _missing(lake, path, known.get(name, []))
        damaged = [(start, line) for start, line in _split(path) if not _is_whole(line)]
        for start, line in damaged:
            what = "is damaged" if line.endswith(b"\n") else "was cut"
            yield Finding("log", path, f"The log line at byte {start} of {name} {what}.", len(damaged) <= len(missing))
        if len(missing) > len(damaged):
            message = f"{name} no longer holds {len(missing)} captures the warehouse has read from it, such as that of {missing[0].url}."
            yield Finding("log", path, message)
        if not damaged and path.exists() and not path.read_bytes().endswith(b"\n"):
            yield Finding("log", path, f"The end of the last line of {name} was cut.")


def _memories(lake: Lake) -> Iterator[Finding]:
    for path in (lake.decisions, lake.told, lake.outbox):
        for start, line in _split(path):
            if not _is_record(line):
                yield Finding("log", path, f"The line at byte {start} of {path.name} is damaged.", mendable=False)


def _captures(lake: Lake) -> Iterator[Capture]:
    for _, _, _, capture in lake.lines({}):
        if capture is not None and capture.sha256:
            yield capture


def _blobs(lake: Lake, progress: Progress) -> list[Finding]:
    told_by: dict[str, Capture] = {}
    for capture in _captures(lake):
        told_by.setdefault(str(capture.sha256), capture)
    given_up = lake.lost()
    findings = []
    for sha256, capture in progress(told_by.items(), len(told_by), "reading stored bytes"):
        of = f"of {capture.url}, {capture.captured_at:%Y-%m-%d %H:%M} UTC"
        path = lake.blob_path(sha256)
        if sha256 in given_up:
            findings.append(Finding("lost", path, f"The stored bytes {sha256[:12]} {of} are lost since an earlier repair.", mendable=False))
            continue
        try:
            lake.get(sha256)
        except DamagedBlob as why:
            findings.append(Finding("blob", path, f"The stored bytes {sha256[:12]} {of} {why.reason}.", mendable=False))
    return findings


def _leftovers(lake: Lake) -> list[Finding]:
    found = [*lake.root.rglob(".tmp-*"), *lake.published.glob(".publishing-*")]
    return [Finding("leftover", p, f"{p.name} is left over from a run that was ended.") for p in sorted(found) if p.is_file()]


def set_aside(lake: Lake, findings: list[Finding]) -> None:
    """Mend the log, keep what cannot be mended in <lake>/aside, and remove what stands in the way of a new warehouse or published file."""
    logs = sorted({f.path for f in findings if f.kind == "log"})
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0)
    lake.aside.mkdir(exist_ok=True)
    known = remembered(lake) if logs else {}
    for path in logs:
        if path.exists():
            write_whole(lake.aside / f"{now:%Y%m%dT%H%M%S}-{path.name}", path.read_bytes())
        if path.parent == lake.log:
            write_whole(path, _mended(lake, path, known.get(path.name, [])))
            read_anew(lake, path.name)
        else:
            write_whole(path, _records(path))
    for finding in findings:
        if finding.kind == "leftover":
            finding.path.unlink(missing_ok=True)
        elif finding.kind in ("warehouse", "published") and finding.path.exists():
            finding.path.replace(lake.aside / f"{now:%Y%m%dT%H%M%S}-{finding.path.name}")
    if logs or any(f.kind == "warehouse" for f in findings):  # it has read lines that are where they were no more
        for path in lake.root.glob("warehouse.duckdb*"):
            path.unlink()


def give_up(lake: Lake, findings: list[Finding]) -> None:
    """Keep aside what is left of lost bytes; done last, so that a repair that was ended is done again."""
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0)
    for finding in findings:
        if finding.kind == "blob":
            lake.give_up(finding.path.name.removesuffix(".gz"), now)


def _mended(lake: Lake, path: Path, known: list[Capture]) -> bytes:
    """A log file's whole lines, and those a warehouse remembers, in the order they were written."""
    there = {c.capture_id: line.rstrip(b"\n") for _, line in _split(path) if _is_whole(line) and (c := from_json(line))}
    missing = {c.capture_id: c for c in _missing(lake, path, known)}
    order = dict.fromkeys([*(c.capture_id for c in known), *there])
    written = [there.get(i) or json.dumps(to_json(missing[i]), separators=(",", ":"), ensure_ascii=False).encode() for i in order if i in there or i in missing]
    return b"".join(line + b"\n" for line in written)


def _records(path: Path) -> bytes:
    """A file of records with spaces for what is damaged: where a record stands in it means something (see notify.py)."""
    lines = (line.rstrip(b"\n") for line in path.read_bytes().splitlines(keepends=True))
    return b"".join((line if _is_record(line) else b" " * len(line)) + b"\n" for line in lines)


def scopes_to_derive(lake: Lake, findings: list[Finding]) -> set[tuple[str, str]]:
    """(source, scope) of the snapshots that rest on bytes which are gone."""
    gone = {f.path.name.removesuffix(".gz") for f in findings if f.kind == "blob"}
    return {(c.source, c.scope) for c in _captures(lake) if c.sha256 in gone}


def told(findings: list[Finding], repaired: bool) -> list[str]:
    """One line a finding, for people."""
    return [f"{f.message} ({_end(f, repaired)})" for f in findings]


def _end(finding: Finding, repaired: bool) -> str:
    if not finding.is_new:
        return "nothing is left to do"
    if finding.mendable:
        return "mended" if repaired else "--repair mends it"
    return "kept aside" if repaired else "--repair keeps it aside; what it held is lost unless a backup or the source has it"
