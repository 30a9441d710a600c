"""How many GPUs a deployment runs on: from launch flags, or from what a remark says of it.

Flag names are those of SGLang's server arguments, each in its spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines import names
from pipelines.wellformed import counted

FLAGS = {
    "tp": ("--tp", "--tp-size", "--tensor-parallel-size"),
    "ep": ("--ep", "--ep-size", "--expert-parallel-size"),
    "dp": ("--dp", "--dp-size", "--data-parallel-size"),
    "pp": ("--pp", "--pp-size", "--pipeline-parallel-size"),
    "nodes": ("--nnodes",),
}
DP_ATTENTION = "--enable-dp-attention"
_WAYS = re.compile(r"(?<![A-Za-z])(TP|EP|DP|PP)[\s=-]*(\d{1,3})(?!\d)", re.IGNORECASE)
_COUNTED = re.compile(r"(?<![\w.])(\d{1,3})\s*[x×]\s*([A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)?)", re.IGNORECASE)


@dataclass(frozen=True)
class Parallelism:
    """Ways of parallelism, GPUs and nodes; None where nothing says so."""

    tp: int | None = None
    ep: int | None = None
    dp: int | None = None
    pp: int | None = None
    gpus: int | None = None
    nodes: int | None = None


def tokens(flags: Iterable[str]) -> list[str]:
    """Flags and their values one by one, whether written `--tp 8` or `--tp=8`."""
    return [token for flag in flags for token in flag.replace("=", " ").split()]


def flag_value(words: Sequence[str], spellings: Sequence[str]) -> str | None:
    """What follows the last of a flag's spellings, as the last one counts on a command line."""
    found = None
    for number, word in enumerate(words[:-1]):
        if word in spellings:
            found = words[number + 1]
    return found


def from_flags(words: Sequence[str], *, whole: bool) -> Parallelism:
    """From launch flags. `whole`: no flag is missing from them, so that one not given has SGLang's default of 1."""
    ways = {}
    for name, spellings in FLAGS.items():
        value = flag_value(words, spellings)
        ways[name] = (counted(value) if value else None) or None
    tp = ways["tp"] or (1 if whole else None)
    replicas = 1 if DP_ATTENTION in words else ways["dp"] or 1
    gpus = tp * (ways["pp"] or 1) * replicas if tp else None
    return Parallelism(tp, ways["ep"], ways["dp"], ways["pp"], gpus, ways["nodes"])


def from_words(text: str, accelerator: str) -> Parallelism:
    """From a remark such as `8x MI355X (TP8/EP8)` or `TP4 EP4`; what it says twice and differently counts as unsaid.

    GPUs are counted only where the remark names the row's own accelerator.
    """
    said: dict[str, set[int]] = {}
    for way, number in _WAYS.findall(text):
        said.setdefault(way.lower(), set()).add(counted(number) or 0)
    for number, name in _COUNTED.findall(text):
        first = name.split()[0]
        known = names.accelerator(name) or names.accelerator(first)
        if (known.name if known else first).lower() == accelerator.lower():
            said.setdefault("gpus", set()).add(counted(number) or 0)
    return Parallelism(**{k: v.pop() for k, v in said.items() if len(v) == 1 and 0 not in v})
