"""Takes pages saved by hand or found in an archive into the lake, at the time they were saved."""

from __future__ import annotations

import datetime as dt
import gzip
import re
from pathlib import Path

from pipelines.lake import Lake, new_capture
from pipelines.sources.artificial_analysis.importing import KnownPage

SOURCE = "artificial_analysis"
_TIME = re.compile(r"(20\d\d)-?(\d\d)-?(\d\d)(?:[T_ -]?(\d\d)[:-]?(\d\d)(?:[:-]?(\d\d))?)?")


class NotImportable(ValueError):
    """A file cannot be imported; the message says which and why. Nothing of the call was imported."""


def saved_pages(path: Path, at: dt.datetime | None, now: dt.datetime) -> list[tuple[Path, dt.datetime]]:
    """Files to import with the time each was saved: `at` for a file, the time in its name for each file of a folder.

    A name holds its time as 2026-06-12, 20260612 or with hours and minutes behind; a day alone means its last second
    but for today.

    Raises NotImportable.
    """
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
        if not files:
            raise NotImportable(f"The folder {path} holds no file.")
        if at is not None:
            raise NotImportable("--at is for one file; in a folder each file's name says when it was saved, like 2026-06-12.html.")
        found = [(p, _time_in(p.name)) for p in files]
    else:
        found = [(path, at if at is not None else _time_in(path.name))]
    for file, time in found:
        if time > now:
            raise NotImportable(f"{file.name} would be of {time:%Y-%m-%d %H:%M} UTC, which lies in the future.")
    return sorted(found, key=lambda f: f[1])


def _time_in(name: str) -> dt.datetime:
    match = _TIME.search(name)
    if match is None:
        raise NotImportable(f"{name} does not say when it was saved. Name it like 2026-06-12.html, or give --at for a single file.")
    try:
        year, month, day, hour, minute, second = (int(g) if g else None for g in match.groups())
        if hour is None:
            return dt.datetime(year or 0, month or 0, day or 0, 23, 59, 59)
        return dt.datetime(year or 0, month or 0, day or 0, hour, minute or 0, second or 0)
    except ValueError as why:
        raise NotImportable(f"{name} holds no real time ({why}).") from None


def take_in(lake: Lake, page: KnownPage, file: Path, at: dt.datetime) -> None:
    """Store one saved page as a capture of that time.

    Raises NotImportable where it cannot be read.
    """
    try:
        body = file.read_bytes()
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
    except (OSError, EOFError, ValueError) as why:
        raise NotImportable(f"{file} cannot be read ({why}).") from why
    capture = new_capture(
        source=SOURCE,
        resource=page.resource,
        scope=page.scope,
        set_id=None,
        url=page.url,
        captured_at=at,
        outcome="fetched",
        sha256=lake.put(body),
        bytes=len(body),
        meta={"imported": file.name},
    )
    lake.record(capture)
