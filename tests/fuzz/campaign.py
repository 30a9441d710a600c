"""Fuzzes the readers for as long as asked, publishes a lake full of what they let through, and tells what broke.

python -m tests.fuzz.campaign --minutes 10 [--reader NAME] [--seed N] [--to REPORT.json]
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import datetime as dt
import hashlib
import json
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from pipelines.lake import Lake
from pipelines.sources.base import Bundle
from pipelines.warehouse import Warehouse
from tests.fuzz.holding import Broken, answer, read, take_in
from tests.fuzz.readers import READERS
from tests.fuzz.readers.base import Reader
from tests.fuzz.showing import show
from tests.fuzz.spoiling import Spoiler
from tests.memory import status_mb

MOST_ADDRESS_SPACE = 6 << 30
TAKEN_IN_EVERY = 25
THOROUGHLY_EVERY = 10
COMPARED = 500
STARTED = dt.datetime(2027, 1, 1)  # no figure entered by hand is later


def warmed(reader: Reader) -> None:
    """Let a reader load what it loads when it first reads."""
    for number in range(20):
        bundle = reader.spoilt(Spoiler(Random(f"warm {number}")))
        with contextlib.suppress(Exception):
            reader.source.parse(bundle)


def tried(reader: Reader, bundle: Bundle, *, thoroughly: bool = True) -> bool:
    """One input through everything that reads it; whether it was read.

    Raises Broken.
    """
    for ask in reader.also:
        answer(lambda ask=ask: ask(bundle.parts[0].body))
    return read(reader.source, bundle, thoroughly=thoroughly)


def fuzz(reader: Reader, minutes: float, seed: int) -> dict[str, Any]:
    """Inputs for so many minutes; what broke, by where, with the first input's number and bytes."""
    lake = Lake(Path(tempfile.mkdtemp(prefix="fuzz-")))
    lake.prepare()
    lake.admit("replay")
    warehouse = Warehouse(lake)
    found: dict[str, dict[str, Any]] = {}
    outcomes: Counter[str] = Counter()
    digest = hashlib.sha256()
    digest_of_first = ""
    warmed(reader)
    number, started = 0, time.monotonic()
    while time.monotonic() - started < minutes * 60:
        number += 1
        bundle = reader.spoilt(Spoiler(Random(f"{seed} {number}")))
        try:
            was_read = tried(reader, bundle, thoroughly=number % THOROUGHLY_EVERY == 0)
            outcomes["read" if was_read else "refused"] += 1
            digest.update(f"{was_read}{number}".encode())
            if number % TAKEN_IN_EVERY == 0 and was_read:
                outcomes[f"taken in: {take_in(warehouse, reader.source, bundle, STARTED + dt.timedelta(minutes=number))}"] += 1
        except Broken as broken:
            outcomes["broken"] += 1
            if broken.where not in found:
                bytes_ = [base64.b64encode(p.body[:20_000]).decode() for p in bundle.parts]
                found[broken.where] = {"what": str(broken), "number": number, "resource": bundle.resource, "parts": bytes_, "times": 0}
                print(f"{reader.name}, input {number}: {broken.where}: {str(broken)[:200]}", flush=True)
            found[broken.where]["times"] += 1
        if number == COMPARED:
            digest_of_first = digest.hexdigest()[:16]
    warehouse.close()
    try:
        show(lake)
    except Broken as broken:
        found[broken.where] = {"what": str(broken), "times": 1}
        print(f"{reader.name}: {broken.where}: {str(broken)[:200]}", flush=True)
    told = {"minutes": round((time.monotonic() - started) / 60, 2), "inputs": number, "outcomes": dict(outcomes), "digest_of_first": digest_of_first}
    return {"reader": reader.name, "seed": seed, **told, "peak_mb": round(status_mb("VmHWM")), "lake": str(lake.root), "found": found}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--reader", choices=sorted(READERS), action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
    reports = []
    for name in asked.reader or list(READERS):
        reports.append(fuzz(READERS[name], asked.minutes, asked.seed))
        one = reports[-1]
        print(
            f"{one['reader']}: {one['minutes']} min, {one['inputs']:,} inputs, {one['outcomes']}, {len(one['found'])} kinds of breakage, {one['peak_mb']} MB",
            flush=True,
        )
        if asked.to:
            asked.to.parent.mkdir(parents=True, exist_ok=True)
            asked.to.write_text(json.dumps(reports, indent=1), encoding="utf-8")
    raise SystemExit(any(r["found"] for r in reports))


if __name__ == "__main__":
    main()
