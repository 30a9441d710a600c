"""What `tokens_per_sec_per_gpu` counts, and whether it fits the latencies beside it.

The cookbook's key meant output tokens until sgl-project/sglang#30214 (2026-07-06) and input and output tokens since,
and some authors wrote the old figure for longer. What the file says of its key goes before the commit's date, and
arithmetic, where it can be done, before both.

expected total tok/s/GPU = concurrency · (isl + osl) / (TTFT + (osl − 1) · TPOT) / GPUs
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

TOTAL_SINCE = dt.datetime(2026, 7, 6)
OFF_RATIO = 0.05
OUTPUT_ONLY_RATIO = 0.02
_KEY = "tokens_per_sec_per_gpu"
_TOTAL = re.compile(r"\btotal\b|\binput\s*(?:\+|and|&)\s*output|\bin\s*\+\s*out", re.IGNORECASE)
_OUTPUT = re.compile(r"\boutput\b|\bgenerated\b", re.IGNORECASE)


@dataclass(frozen=True)
class Workload:
    """A fixed-length workload as measured: tokens, concurrent requests, seconds, GPUs."""

    isl: int
    osl: int
    concurrency: int
    ttft_s: float
    tpot_s: float
    gpus: int

    @property
    def output_share(self) -> float:
        return self.osl / (self.isl + self.osl)

    @property
    def expected_total_tok_s_gpu(self) -> float:
        return self.concurrency * (self.isl + self.osl) / (self.ttft_s + (self.osl - 1) * self.tpot_s) / self.gpus


def said_basis(comments: str) -> str | None:
    """`total` or `output` where a comment says what the key counts."""
    for sentence in re.split(r"[;\n]|\.\s", comments):
        if _KEY in sentence:
            if _TOTAL.search(sentence):
                return "total"
            if _OUTPUT.search(sentence.replace(_KEY, "")):
                return "output"
    return None


def basis_by_date(committed_at: dt.datetime) -> str:
    """What the key counted when the file was committed."""
    return "total" if committed_at >= TOTAL_SINCE else "output"


def settled(stated_tok_s_gpu: float, declared: str, workload: Workload | None, *, counted: bool) -> tuple[str, list[str]]:
    """(basis, flags) of a stated throughput, given what it is declared to count.

    `counted`: the number of GPUs was stated for this deployment and not taken from the size of a node; only then does
    a misfit say anything (`arithmetic_off`). `unit_suspect`: arithmetic says the other basis than declared, and wins.
    """
    if workload is None or workload.ttft_s + workload.tpot_s <= 0:
        return declared, []
    of_total = stated_tok_s_gpu / workload.expected_total_tok_s_gpu
    fits = None
    if abs(of_total / workload.output_share - 1) <= OUTPUT_ONLY_RATIO:
        fits = "output"
    elif abs(of_total - 1) <= OFF_RATIO:
        fits = "total"
    if fits == declared:
        return declared, []
    if fits == "output" or (fits and counted):
        return fits, ["unit_suspect"]
    of_declared = of_total if declared == "total" else of_total / workload.output_share
    return declared, ["arithmetic_off"] if counted and abs(of_declared - 1) > OFF_RATIO else []
