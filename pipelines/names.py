"""One set of names across sources: accelerators and models.

Exact aliases only. A name that matches none stays as the source writes it and is counted as unmatched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

REFERENCE = Path(__file__).with_name("reference.yaml")


@dataclass(frozen=True)
class Accelerator:
    """An accelerator: its maker and how many sit in a node and in a rack (None where unknown)."""

    name: str
    vendor: str | None
    per_node: int | None
    per_rack: int | None


@cache
def reference() -> dict:
    """The reference file, read once."""
    return YAML(typ="safe").load(REFERENCE.read_text(encoding="utf-8"))


@cache
def _accelerators() -> dict[str, Accelerator]:
    known: dict[str, Accelerator] = {}
    for entry in reference()["accelerators"]:
        accelerator = Accelerator(entry["name"], entry.get("vendor"), entry.get("per_node"), entry.get("per_rack"))
        for alias in (entry["name"], *entry["aliases"]):
            known[_plain(alias)] = accelerator
    return known


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def accelerator(text: str | None) -> Accelerator | None:
    """The accelerator a source means by exactly this text, or None."""
    return _accelerators().get(_plain(text)) if text else None
