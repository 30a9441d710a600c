"""What the fuzzing of a reader needs: its name, its source, and spoilt bundles."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipelines.sources.base import Bundle, Capture, Part, Source
from tests.fuzz.spoiling import Spoiler

AT = dt.datetime(2026, 10, 23, 23)


@dataclass(frozen=True)
class Reader:
    """One reader under fuzz. `spoilt` gives a bundle; `also` are functions that read its first bytes outside of `parse`."""

    name: str
    source: Source
    spoilt: Callable[[Spoiler], Bundle]
    also: tuple[Callable[[bytes], Any], ...] = ()


def bundle_of(source: str, resource: str, scope: str, *parts: tuple[bytes, dict[str, Any]], at: dt.datetime = AT) -> Bundle:
    """Bytes with the meta of their captures, as one set."""
    captures = [Capture(f"c{n}", source, resource, scope, "s", f"{scope}?{n}" if n else scope, at, "fetched", meta=meta) for n, (_, meta) in enumerate(parts)]
    return Bundle(source, resource, scope, at, at, tuple(Part(c, body) for c, (body, _) in zip(captures, parts, strict=True)))
