"""What a campaign does to a tracker: faults of the sources, kills, a full disk, damage, rivals, a clock set back.

Each trouble ends with the lake as an operator would find it, and says in `wrong` what should not have been.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipelines.lake import DamagedBlob, Lake
from tests.chaos.receiver import Reader
from tests.chaos.tracker import Ended, Tracker, at
from tests.shared import ReplayServer

SOURCE_OF = {"aa": "artificial_analysis", "github": "sglang", "raw": "sglang", "inferencex": "inferencex"}
FAULTS = ("status", "truncate", "garbage", "empty", "login", "reset", "bomb", "redirect", "slow")
STATUSES = (401, 403, 404, 429, 500, 502, 503)
# A robots.txt that is absent or says nothing understandable allows everything.
NO_RULES = ("garbage", "empty", "login", "redirect", "status")
PATIENCE_S = 30.0
NEVER_CHANGES = {"blob", "detail", "tree"}  # a file, a commit, a tree; a pull request and a run go on
DISK_BYTES = 2 << 30
DAMAGE = b"not a database at all" * 40


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A disk of its own under a folder; whether there is one (it takes root and the right to mount)."""
    folder.mkdir(parents=True)
    mounted = (
        shutil.which("mount") is not None
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "megawatch-chaos", str(folder)], capture_output=True, check=False
        ).returncode
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


class Troubles:
    """Troubles of one tracker; `pages` are the addresses it asks, by site; `refresh_s` is how long a quiet refresh takes."""

    def __init__(self, seed: int, tracker: Tracker, replay: ReplayServer, reader: Reader, pages: dict[str, list[str]], refresh_s: float, *, own_disk: bool):
        self.chance = random.Random(seed)
        self.tracker, self.replay, self.reader, self.pages, self.refresh_s = tracker, replay, reader, pages, refresh_s
        self.kinds = ("faults",) * 8 + ("kill",) * 3 + ("blob", "log_line", "warehouse", "published", "rivals", "back") + ("full_disk",) * (2 * own_disk)
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.lost: set[str] = set()

    def befall(self, day: str, earlier: str) -> None:
        """One trouble at random on a day; `earlier` is the day walked before it."""
        kind = self.chance.choice(self.kinds)
        self.done[kind] += 1
        print(f"{day}: {kind}", end=" ", flush=True)
        getattr(self, f"_{kind}")(day, earlier)
        self.replay.reset()
        self.replay.day(day)

    def say(self, day: str, what: str) -> None:
        self.wrong.append(f"{day}: {what}")

    def ended_in_words(self, day: str, ended: Ended, *codes: int) -> None:
        """Whatever happens, a command ends with one of its exit codes, in words."""
        if ended.code not in codes or "Traceback" in ended.err or (ended.code and not ended.err.strip()):
            self.say(day, f"ended in {ended.words}")

    # ---- the sources ---------------------------------------------------------------------------------------------

    def _faults(self, day: str, earlier: str) -> None:
        for _ in range(self.chance.randint(1, 5)):
            site = self.chance.choice(sorted(self.pages))
            kind = self.chance.choice(FAULTS)
            self.done[f"fault {kind}"] += 1
            page, times, more = self.chance.choice(self.pages[site]), self.chance.choice((1, 3, 9999)), self._more(kind)
            print(f"[{kind} {more or ''} {times} times at {site}{page}]", end=" ", flush=True)
            self.replay.fault(kind, site=site, match=page, times=times, **more)
        try:
            problems = self.tracker.refresh_here(day, publishes=False)
        except Exception as why:
            self.say(day, f"a refresh under faults raised {why!r}")
            return
        for site, path, kind in self._unanswered():
            if not any(problem.startswith(f"{SOURCE_OF[site]}:") for problem in problems):
                self.say(day, f"{kind} at {site}{path} was not told: {problems}")

    def _more(self, kind: str) -> dict[str, Any]:
        if kind == "status":
            status = self.chance.choice(STATUSES)
            return {"status": status, **({"retry_after": self.chance.choice((1, 3600))} if status == 429 else {})}
        if kind == "redirect":
            return {"location": self.chance.choice(("http://127.0.0.1:9/", "/", "//", "https://elsewhere.example/login"))}
        return {"seconds": self.chance.choice((0.5, 2, PATIENCE_S + 1))} if kind == "slow" else {}

    def _unanswered(self) -> list[tuple[str, str, str]]:
        """(site, path, fault) of the requests whose last try met a fault."""
        last = {(e["site"], e["path"], str(e["query"])): e for e in self.replay.log()}
        met = [e for e in last.values() if e.get("fault") and e["fault"] != "slow"]
        allowing = [e for e in met if e["path"] == "/robots.txt" and (e["fault"] in NO_RULES or e["status"] == 404)]
        return [(e["site"], e["path"], e["fault"]) for e in met if e not in allowing]

    # ---- the machine ---------------------------------------------------------------------------------------------

    def _kill(self, day: str, earlier: str) -> None:
        process = self.tracker.start("refresh", "--at", at(day))
        time.sleep(self.chance.uniform(0.1, 1.0) * self.refresh_s)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def _full_disk(self, day: str, earlier: str) -> None:
        free = shutil.disk_usage(self.tracker.path).free
        left = self.chance.choice((0, 4096, 100_000, 1 << 20, 8 << 20, 24 << 20))
        ballast = self.tracker.path / "ballast"
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(free - left, 1))
        ended = self.tracker.refresh(day)
        ballast.unlink()
        self.ended_in_words(day, ended, 0, 1)

    def _rivals(self, day: str, earlier: str) -> None:
        both = [self.tracker.start("refresh", "--at", at(day)) for _ in range(2)]
        said = [process.communicate(timeout=600) for process in both]
        codes = [process.returncode for process in both]
        if sorted(codes) not in ([0, 0], [0, 5]) or (5 in codes and "Another run" not in said[codes.index(5)][1]):
            self.say(day, f"two refreshes at once ended with {codes}: {said}")

    def _back(self, day: str, earlier: str) -> None:
        self.replay.day(earlier)
        self.ended_in_words(day, self.tracker.refresh(earlier, *self.chance.choice(((), ("--force",)))), 0)

    # ---- the files -----------------------------------------------------------------------------------------------

    def _blob(self, day: str, earlier: str) -> None:
        path = self._obtainable_blob(day)
        if path is None:
            return
        sound = path.read_bytes()
        while _is_sound(self.tracker.lake, path):  # a bit of a header or of padding need not change what is unpacked
            data = bytearray(sound)
            data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
            path.write_bytes(data)
        if self.chance.random() < 0.5:
            self.ended_in_words(day, self.tracker.refresh(day), 0, 1)
        self._repair(day, path.name[:12])

    def _obtainable_blob(self, day: str) -> Path | None:
        """Bytes the sources still have: those that were fetched first on this day, and of any day those that never change at their address."""
        captures = [c for c in self.tracker.captures().values() if c.sha256 and self.tracker.lake.has(c.sha256)]
        before = {c.sha256 for c in captures if c.captured_at < dt.datetime.fromisoformat(day)}
        shas = sorted({str(c.sha256) for c in captures if (c.sha256 not in before or c.source == "curated" or NEVER_CHANGES & c.meta.keys())})
        return self.tracker.lake.blob_path(self.chance.choice(shas)) if shas else None

    def _log_line(self, day: str, earlier: str) -> None:
        """A line of this day is cut short: the last one with its end, or one in the middle of the file."""
        path = self.tracker.lake.log / f"{day[:7]}.jsonl"
        todays = [line for line in self.tracker.lake.lines({}) if line[0] == path.name and line[3] and at(day)[:10] == f"{line[3].captured_at:%Y-%m-%d}"]
        if not todays:
            return
        _, start, end, capture = self.chance.choice((todays[-1], self.chance.choice(todays)))
        data = path.read_bytes()
        kept = start + self.chance.randrange(1, end - start - 1)
        path.write_bytes(data[:kept] if end == len(data) else data[:kept] + data[end - 1 :])
        self.lost.add(capture.capture_id)
        self._repair(day, path.name)

    def _warehouse(self, day: str, earlier: str) -> None:
        warehouse = self.tracker.path / "warehouse.duckdb"
        if not warehouse.exists():
            return
        how = self.chance.choice(("gone", "overwritten", "cut", "block"))
        if how == "gone":
            warehouse.unlink()
        elif how == "block":
            _damage_a_block(warehouse, self.chance)
            self.ended_in_words(day, self.tracker.refresh(day), 0, 1)
            self.ended_in_words(day, self.tracker.run_here("doctor", "--repair"), 0, 1)
        else:
            _damage(warehouse, how)
        if how != "block" and self.chance.random() < 0.5:
            self._repair(day, "warehouse")

    def _published(self, day: str, earlier: str) -> None:
        if not self.reader.path.exists():
            return
        self.reader.excused.set()
        _damage(self.reader.path, self.chance.choice(("overwritten", "cut")))
        self._repair(day, "published file")
        self.reader.excused.clear()

    def _repair(self, day: str, what: str) -> None:
        """The doctor sees it, mends what can be, and then finds nothing more to do."""
        found = self.tracker.run_here("doctor")
        if found.code != 1 or what not in found.out:
            self.say(day, f"the doctor did not see {what}: {found.words}")
        self.ended_in_words(day, self.tracker.run_here("doctor", "--repair"), 0, 1)
        after = self.tracker.run_here("doctor")
        if after.code:
            self.say(day, f"after the repair of {what} the doctor still finds: {after.words}")


def _is_sound(lake: Lake, blob: Path) -> bool:
    try:
        lake.get(blob.name.removesuffix(".gz"))
    except DamagedBlob:
        return False
    return True


def _damage(path: Path, how: str) -> None:
    if how == "cut":
        os.truncate(path, path.stat().st_size // 2)
    else:
        with path.open("r+b") as file:
            file.write(DAMAGE)


def _damage_a_block(path: Path, chance: random.Random) -> None:
    """4 KB of noise somewhere behind the headers; where the space was free, nobody need notice."""
    with path.open("r+b") as file:
        file.seek(chance.randrange(16 << 10, path.stat().st_size - (4 << 10)))
        file.write(chance.randbytes(4 << 10))
