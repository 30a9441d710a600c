"""Every benchmark in a process of its own: a table, and build/bench.json with all figures.

python -m tests.bench [NAME …]          those that need ../shared are left out where it is absent
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.shared import ROOT, SHARED

# Name, what is held against what, whether it needs ../shared.
BENCHMARKS = {
    "no_change": ("refresh without change / idle Dagster job with the same requests", True),
    "rebuild_days": ("rebuild of 117 days / unpacking and decoding them", True),
    "item_versions": ("git-history on the same days / rebuild, processor time", True),
    "ten_years": ("a day after 3,650 days / a day after 30", False),
    "view_switches": ("slowest switch of a view at a million versions, also to a past day / a second", False),
    "events_share": ("telling a day after 3,650 days / after 30", False),
}
TO = ROOT / "build" / "bench.json"


def main() -> None:
    asked = sys.argv[1:] or list(BENCHMARKS)
    figures: dict[str, Any] = json.loads(TO.read_text(encoding="utf-8")) if TO.exists() and sys.argv[1:] else {}
    print(f"{'benchmark':14} {'ratio':>7} {'bound':>6} {'peak MB':>8}  what")
    for name in asked:
        what, needs_shared = BENCHMARKS[name]
        if needs_shared and not SHARED.exists():
            print(f"{name:14} left out: needs the material in ../shared")
            continue
        done = subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            print(f"{name:14} failed: {(done.stderr.strip().splitlines() or ['without a word'])[-1]}")
            continue
        figures[name] = one = json.loads(done.stdout.strip().splitlines()[-1])
        print(f"{name:14} {one.get('ratio', ''):>7} {one.get('bound', ''):>6} {one.get('peak_mb', ''):>8}  {what}", flush=True)
    Path(TO.parent).mkdir(exist_ok=True)
    TO.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
