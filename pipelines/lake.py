"""The lake: raw bytes by SHA-256, and a log line for every fetch. The truth everything else is rebuilt from.

    <lake>/lake.json                   live or replay, stamped by the first capture
    <lake>/raw/blobs/ab/abcd….gz       bytes, gzip-compressed, named by the SHA-256 of the bytes before compression
    <lake>/raw/captures/2026-11.jsonl  one JSON line per capture, by month of capture
    <lake>/decisions.jsonl             snapshots let through by hand
    <lake>/told.jsonl, outbox.jsonl    what was told, and on which channel it went out (told.py, notify.py)
    <lake>/aside/                      what the doctor could not mend; lost.jsonl names the bytes that are gone

Nothing is overwritten or deleted. A file appears by rename when it is whole; a log line is written in one call.
DuckDB reads the log as it is: read_json('<lake>/raw/captures/*.jsonl').
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import os
import secrets
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from pipelines.schema import content_id
from pipelines.sources.base import OK_OUTCOMES, Capture

FORMAT = 1
DAMAGED = "The stored bytes"


class LakeError(Exception):
    """The lake cannot be used as asked; the message says why and what to do."""


class DamagedBlob(LakeError):
    """Stored bytes are missing or do not match their hash: the message is the same whatever became of them, `reason` says it."""

    def __init__(self, sha256: str, reason: str):
        super().__init__(f"{DAMAGED} {sha256[:12]} are missing or damaged. Run `megawatch doctor`.")
        self.reason = reason


def utc(text: str) -> dt.datetime:
    """Naive UTC from an ISO 8601 time; a time without a zone counts as UTC.

    Raises ValueError where the text is no time.
    """
    time = dt.datetime.fromisoformat(text)
    try:
        return time.astimezone(dt.UTC).replace(tzinfo=None) if time.tzinfo else time
    except OverflowError as why:
        raise ValueError(f"{text} is no time of the years 1 to 9999 in UTC") from why


def iso(time: dt.datetime) -> str:
    """ISO 8601 of a naive UTC time, with Z."""
    return time.isoformat() + "Z"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is either whole or not there: temporary file, fsync, rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.parent / f".tmp-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def append_line(path: Path, record: dict[str, Any]) -> None:
    """Append one JSON line; a torn last line of an earlier crash is closed off first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            line = b"\n" + line
        written = os.write(handle, line)
        if written != len(line):
            os.ftruncate(handle, size)
            raise OSError(f"only {written} of {len(line)} bytes could be written to {path}")
        os.fsync(handle)
    finally:
        os.close(handle)


def lines_after(path: Path, start: int) -> Iterator[tuple[int, int, bytes]]:
    """Lines of a file after a byte offset, but for empty ones: (offset, end, line).

    A last line without its line end is still being written, or torn; it is left for the next reading.
    """
    if not path.exists() or path.stat().st_size <= start:
        return
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            if not line.endswith(b"\n"):
                return
            end = start + len(line)
            if line.strip():
                yield start, end, line
            start = end


class Lake:
    """A lake in a folder."""

    def __init__(self, root: Path):
        self.root = root
        self.blobs = root / "raw/blobs"
        self.log = root / "raw/captures"
        self.curated = root / "curated"
        self.published = root / "published"
        self.decisions = root / "decisions.jsonl"
        self.told = root / "told.jsonl"
        self.outbox = root / "outbox.jsonl"
        self.aside = root / "aside"
        self._lost = self.aside / "lost.jsonl"

    def prepare(self) -> None:
        """Make the folders.

        Raises LakeError where the folder cannot be written.
        """
        try:
            for folder in (self.blobs, self.log, self.published):
                folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.root / ".writable", b"")
        except OSError as why:
            raise LakeError(
                f"The lake {self.root} cannot be written ({why.strerror}). Nothing was changed. Check MEGAWATCH_LAKE and the folder's rights."
            ) from why

    @property
    def kind(self) -> str | None:
        """`live` or `replay`; None before the first capture."""
        try:
            return json.loads((self.root / "lake.json").read_text(encoding="utf-8"))["kind"]
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, OSError) as why:
            raise LakeError(f"{self.root / 'lake.json'} cannot be read ({why}). It says whether the lake is live or replay; restore it from a backup.") from why

    def admit(self, kind: str) -> None:
        """Stamp a new lake as live or replay, or check that it is of that kind.

        Raises LakeError where the lake is of the other kind, or holds captures but no stamp.
        """
        stamped = self.kind
        if stamped is None and any(self.log.glob("*.jsonl")):
            raise LakeError(
                f"{self.root / 'lake.json'} is missing, though the lake holds captures. It says whether they are live or of a replay, which never mix. "
                "Nothing was fetched. Restore the file from a backup."
            )
        if stamped is None:
            write_whole(self.root / "lake.json", json.dumps({"kind": kind, "format": FORMAT}).encode())
        elif stamped != kind:
            raise LakeError(
                f"The lake {self.root} is a {stamped} lake, but the base URLs in the settings are of a {kind}. "
                f"Nothing was fetched: the two never mix. Set MEGAWATCH_LAKE to another folder, or the base URLs back."
            )

    def put(self, data: bytes) -> str:
        """Store bytes and return their SHA-256; the same bytes are stored once."""
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.blob_path(sha256)
        if not path.exists():
            write_whole(path, gzip.compress(data, 6, mtime=0))
        return sha256

    def blob_path(self, sha256: str) -> Path:
        """Where the bytes of a hash are."""
        return self.blobs / sha256[:2] / f"{sha256}.gz"

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash, verified.

        Raises DamagedBlob where they are missing or not what they were.
        """
        path = self.blob_path(sha256)
        try:
            data = gzip.decompress(path.read_bytes())
        except FileNotFoundError as why:
            raise DamagedBlob(sha256, "are missing") from why
        except (OSError, EOFError, ValueError, zlib.error) as why:
            raise DamagedBlob(sha256, f"cannot be unpacked: {why}") from why
        if hashlib.sha256(data).hexdigest() != sha256:
            raise DamagedBlob(sha256, "do not match their hash")
        return data

    def has(self, sha256: str) -> bool:
        """Whether the bytes of a hash are there; `get` verifies them."""
        return self.blob_path(sha256).exists()

    def give_up(self, sha256: str, at: dt.datetime) -> None:
        """Note that stored bytes cannot be mended, and keep what is left of them aside."""
        append_line(self._lost, {"sha256": sha256, "found_at": iso(at)})
        if self.has(sha256):
            self.blob_path(sha256).replace(self.aside / f"{at:%Y%m%dT%H%M%S}-{sha256}.gz")

    def lost(self) -> frozenset[str]:
        """Hashes of bytes that were given up and did not come back since."""
        return frozenset(r["sha256"] for r in _records(self._lost) if "sha256" in r and not self.has(r["sha256"]))

    def record(self, capture: Capture) -> None:
        """Append a capture to the log; its bytes must be stored before."""
        append_line(self.log / f"{capture.captured_at:%Y-%m}.jsonl", to_json(capture))

    def lines(self, since: dict[str, int]) -> Iterator[tuple[str, int, int, Capture | None]]:
        """Log lines after the given byte offset of each file: (file, offset, end, capture; None where damaged)."""
        for path in sorted(self.log.glob("*.jsonl")):
            for start, end, line in lines_after(path, since.get(path.name, 0)):
                yield path.name, start, end, from_json(line)

    def log_sizes(self) -> dict[str, int]:
        """Bytes of each file of the capture log."""
        return {path.name: path.stat().st_size for path in self.log.glob("*.jsonl")}

    def decide(self, snapshot_id: str, reason: str, at: dt.datetime) -> None:
        """Let a snapshot through by hand."""
        append_line(self.decisions, {"snapshot_id": snapshot_id, "reason": reason, "at": iso(at)})

    def accepted(self) -> dict[str, str]:
        """Snapshots let through by hand, with the reason."""
        return {r["snapshot_id"]: r["reason"] for r in _records(self.decisions) if "snapshot_id" in r and "reason" in r}


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a JSON-lines file; damaged lines are passed over."""
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


_TIMES = ("captured_at", "effective_at")
_FIELDS = tuple(f.name for f in fields(Capture))


def new_capture(**values: Any) -> Capture:
    """A capture with its id: the hash of source, resource, scope, set, URL, time, outcome and bytes.

    A capture without a set is a set of its own, and so is one that failed.
    """
    if values["outcome"] not in OK_OUTCOMES:
        values["set_id"] = None
    capture_id = _identity(values)
    return Capture(**{**values, "capture_id": capture_id, "set_id": values.get("set_id") or capture_id})


def _identity(values: Mapping[str, Any]) -> str:
    said = [values["source"], values["resource"], values["scope"], values.get("set_id") or "", values["url"], iso(values["captured_at"]), values["outcome"]]
    return content_id(*said, values.get("sha256") or "")


def is_as_written(capture: Capture) -> bool:
    """Whether a capture read from the log still is what its id was made from."""
    values = vars(capture) | {"set_id": None if capture.set_id == capture.capture_id else capture.set_id}
    return _identity(values) == capture.capture_id


def to_json(capture: Capture) -> dict[str, Any]:
    """A log line's record: fields that are not set are left out."""
    record = {k: v for k, v in asdict(capture).items() if v not in (None, {}, False)}
    record["meta"] = dict(capture.meta)
    return {k: iso(v) if k in _TIMES else v for k, v in record.items() if v != {}}


def from_json(line: bytes) -> Capture | None:
    """A capture from a log line; None where the line is damaged."""
    try:
        record = json.loads(line)
        for name in _TIMES:
            if record.get(name):
                record[name] = utc(record[name])
        return Capture(**{k: v for k, v in record.items() if k in _FIELDS})
    except (ValueError, TypeError, AttributeError):
        return None
