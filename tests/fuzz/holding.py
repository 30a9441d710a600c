"""What must hold of every reader, whatever bytes it gets.

It gives rows or refuses in the project's own words, within time and memory, the same every time; it opens no file, no
connection, no process and runs nothing; and what it gives can be judged, stored, published and exported.
"""

from __future__ import annotations

import codecs
import contextlib
import datetime as dt
import json
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ruamel.yaml

from pipelines.ingest import ingest
from pipelines.lake import new_capture
from pipelines.schema import frame
from pipelines.snapshot import MOST_SAID
from pipelines.sources.base import Bundle, Incomplete, NoData, Parsed, Source, Unreadable
from pipelines.tables import TABLES
from pipelines.validate import content, profile, rows_are_sound, schema_failures
from pipelines.warehouse import Warehouse
from tests.memory import status_mb

LONGEST_S = 30.0
MOST_MB = 1500.0
FORBIDDEN = ("open", "exec", "import", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "pty.", "urllib.", "webbrowser.", "sqlite3.")
# Python's own parser looks for the line of a syntax error in a file named after the text it was given; ast.parse calls it so.
OF_THE_PARSER = ("<unknown>",)
# ruamel.yaml looks for plug-ins in its own folder whenever a reader of YAML is made.
OF_RUAMEL = (str(Path(ruamel.yaml.__file__).parent),)
# Codecs that json.loads and bytes.decode load when they first meet them.
LOADED_LATE = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
REFUSALS = (NoData, Unreadable, Incomplete)


class Broken(AssertionError):
    """Something that must hold does not. `where` tells one kind of breakage from another."""

    def __init__(self, what: str, where: str = ""):
        super().__init__(what)
        self.where = where or what


class TooSlow(Exception):
    """Raised from the alarm, wherever the reader is."""


class _Watch:
    """Sees what the interpreter is asked to do while a reader reads. A hook cannot be taken off, so it is put on once."""

    on = False
    seen: list[str]
    installed = False


_watch = _Watch()


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _watch.on and event.startswith(FORBIDDEN) and arguments[:1] != OF_THE_PARSER and not (event == "os.scandir" and arguments[:1] == OF_RUAMEL):
        _watch.seen.append(f"{event} {str(arguments)[:80]}")


def _alarm(*_: object) -> None:
    raise TooSlow(f"still reading after {LONGEST_S:g} s")


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """Nothing but reading happens in here, and not for long.

    Raises Broken.
    """
    if not _watch.installed:
        for name in LOADED_LATE:
            codecs.lookup(name)
        sys.addaudithook(_hook)
        _watch.installed = True
    _watch.seen, _watch.on = [], True
    former = signal.signal(signal.SIGALRM, _alarm)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        _watch.on = False
        if _watch.seen:
            raise Broken(f"the reader did more than read: {_watch.seen[0]}")


def answer(ask: Callable[[], Any]) -> Any:
    """What a reader answers; None where it refuses.

    Raises Broken where it does anything else.
    """
    before = status_mb("VmHWM")
    try:
        with watched():
            given = ask()
    except REFUSALS as why:
        said = str(why)
        if not said.strip():
            raise Broken("a refusal without a word") from why
        said.encode()
        given = None
    except Broken:
        raise
    except Exception as why:
        raise Broken(f"{type(why).__name__}: {str(why)[:200]}", _place(why)) from why
    if status_mb("VmHWM") - before > MOST_MB:
        raise Broken(f"reading took {status_mb('VmHWM') - before:.0f} MB")
    return given


def _place(error: BaseException) -> str:
    """The kind of an error and the line of ours it came from."""
    ours = [f for f in traceback.extract_tb(error.__traceback__) if "/pipelines/" in f.filename]
    return f"{type(error).__name__} at {ours[-1].filename.rsplit('/pipelines/', 1)[-1]}:{ours[-1].lineno}" if ours else type(error).__name__


def read(source: Source, bundle: Bundle, *, thoroughly: bool = True) -> bool:
    """Whether a bundle was read; False where it was refused. `thoroughly`: what was read goes through pandera too, which is slow.

    Raises Broken.
    """
    parsed = answer(lambda: source.parse(bundle))
    again = answer(lambda: source.parse(bundle))
    if parsed is None:
        if again is not None:
            raise Broken("refused once and read once")
        return False
    try:
        one, two = _told(parsed), _told(again)
        profile(parsed).as_json()
        if thoroughly:
            schema_failures(parsed, rows_sound=rows_are_sound([(parsed, content(parsed))]))
        else:
            schema_failures(parsed, rows_sound=True)
            for name, rows in parsed.rows.items():
                frame(TABLES[name], [{k: v for k, v in row.items() if k != "part"} for row in rows])
    except Exception as why:
        raise Broken(f"judging: {type(why).__name__}: {str(why)[:200]}", _place(why)) from why
    if one != two:
        raise Broken("the same bytes read differently the second time")
    return True


def _told(parsed: Parsed) -> str:
    return json.dumps([content(parsed).sha256, parsed.warnings, parsed.suspicions, parsed.unmatched_names, parsed.fields, parsed.shape], default=str)


def take_in(warehouse: Warehouse, source: Source, bundle: Bundle, at: dt.datetime) -> str:
    """Let a lake take a bundle in as a capture set of its own; returns the snapshot's outcome.

    Raises Broken where that fails.
    """
    lake = warehouse.lake
    for part in bundle.parts:
        was = part.capture
        common = {
            "source": source.name,
            "resource": was.resource,
            "scope": bundle.scope,
            "set_id": f"set {at}",
            "url": was.url,
            "captured_at": at,
            "meta": was.meta,
        }
        lake.record(
            new_capture(**common, outcome="fetched", sha256=lake.put(part.body), bytes=len(part.body), effective_at=at if source.name == "sglang" else None)
        )
    try:
        made = ingest(warehouse, source)
    except Exception as why:
        raise Broken(f"taking in: {type(why).__name__}: {str(why)[:200]}", _place(why)) from why
    for snapshot in made:
        told = snapshot.record(source.parser_version)["message"]
        if told and len(told) > 2 * MOST_SAID:
            raise Broken(f"taking in: a message of {len(told)} characters")
        if snapshot.message and "The parser failed" in snapshot.message:
            raise Broken(f"taking in: {snapshot.message[:200]}")
    return made[0].outcome if made else "pending"
