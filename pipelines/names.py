"""One set of names across sources: accelerators and models.

Exact aliases only. A name that matches none stays as the source writes it and is counted as unmatched.
"""

from __future__ import annotations

import re
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
    """The text as accelerator names are compared. The SQL macro plain_name does the same."""
    return " ".join(text.lower().split())


def accelerator(text: str | None) -> Accelerator | None:
    """The accelerator a source means by exactly this text, or None."""
    return _accelerators().get(_plain(text)) if text else None


def accelerator_aliases() -> list[dict[str, str | int | None]]:
    """Every name the reference knows an accelerator by, each once."""
    return [{"name": name, "accelerator": a.name, "vendor": a.vendor, "per_node": a.per_node, "per_rack": a.per_rack} for name, a in _accelerators().items()]


@dataclass(frozen=True)
class ModelAlias:
    """One name that means a model, folded (see `fold`); `aa_id` or `aa_slug` say how Artificial Analysis lists it."""

    name: str
    model_key: str
    aa_id: str | None
    aa_slug: str | None


def fold(name: str) -> str:
    """A name as names are compared: lower case, spaces and underscores as hyphens. The SQL macro fold_name does the same."""
    return re.sub(r"[\s_-]+", "-", name.strip().lower())


def model_aliases() -> list[ModelAlias]:
    """Every name the reference knows, each once."""
    found = {}
    for entry in reference()["models"]:
        listed = (entry.get("aa") or [{}])[0]
        for name in (entry["key"], *entry["aliases"]):
            found[fold(name)] = ModelAlias(fold(name), entry["key"], listed.get("id"), listed.get("slug"))
    return list(found.values())
