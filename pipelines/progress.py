"""A progress bar for work longer than two seconds, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from rich.progress import Progress

PATIENCE_S = 2


def bar(items: Iterable[Any], total: int, what: str) -> Iterator[Any]:
    """Yield the items; show a bar on standard error once they take longer than two seconds."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console

    started, shown = time.monotonic(), None
    try:
        for n, item in enumerate(items):
            if shown is None and time.monotonic() - started > PATIENCE_S:
                shown = Progress(console=Console(stderr=True), transient=True)
                shown.start()
                task = shown.add_task(what, total=total, completed=n)
            yield item
            if shown is not None:
                shown.update(task, completed=n + 1)
    finally:
        if shown is not None:
            shown.stop()
