"""How many accelerators a deployment really has, and its throughput over all of them.

Rows of before autumn 2026 count TP x EP for one node of eight ("64 GPUs"), and fixed-length rows of disaggregated
deployments state input per prefill GPU and output per decode GPU, so that the two do not add up to the total.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipelines.names import Accelerator
from pipelines.sources.inferencex.identity import is_agentic
from pipelines.sources.inferencex.wire import Odd, flag, number, whole

TOLERANCE = 0.01


@dataclass(frozen=True)
class Gpus:
    """Physical accelerators (None where unknown), where the count comes from, and what is odd about it."""

    count: int | None
    source: str | None
    nodes: int | None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Throughput:
    """tok/s per accelerator over the whole deployment; None where not stated or not to be told."""

    total: float | None
    input: float | None
    output: float | None
    mismatch: bool = False


def near(a: float, b: float, tolerance: float = TOLERANCE) -> bool:
    """Whether two figures agree within a share of the second."""
    return abs(a - b) <= tolerance * abs(b)


def _role(row: dict[str, Any], metrics: dict[str, Any], role: str, odd: Odd) -> int | None:
    """TP x PP x PCP of one replica of a role."""
    tp = whole(row, f"{role}_tp", odd)
    if not tp:
        return None
    for dimension in ("pp", "pcp_size"):
        tp *= whole(metrics, f"{role}_{dimension}", odd) or whole(metrics, dimension, odd) or 1
    return tp


def _by_role(row: dict[str, Any]) -> tuple[int, int] | None:
    """Prefill and decode GPUs of a disaggregated deployment, where the row agrees with itself about them."""
    odd = Odd()
    metrics = row.get("metrics") or {}
    prefill, decode = whole(row, "num_prefill_gpu", odd), whole(row, "num_decode_gpu", odd)
    if not prefill or not decode:
        return None
    workers = [whole(row, f"{role}_num_workers", odd) for role in ("prefill", "decode")]
    sizes = [_role(row, metrics, role, odd) for role in ("prefill", "decode")]
    reckoned = [w * s if w and s else None for w, s in zip(workers, sizes, strict=True)]
    if reckoned == [prefill, decode]:
        return prefill, decode
    total, given, made = (number(metrics, k, odd) for k in ("tput_per_gpu", "input_tput_per_gpu", "output_tput_per_gpu"))
    if total and given is not None and made is not None and near((given * prefill + made * decode) / (prefill + decode), total):
        return prefill, decode
    return None


def physical(row: dict[str, Any], accelerator: Accelerator | None, odd: Odd) -> Gpus:
    """Physical accelerators of a row's deployment: total over per-GPU throughput, else what the parallelism needs."""
    metrics = row.get("metrics") or {}
    disaggregated = flag(row, "disagg", odd) or False
    prefill, decode = whole(row, "num_prefill_gpu", odd), whole(row, "num_decode_gpu", odd)
    claimed = (prefill + decode if prefill and decode else None) if disaggregated else decode or prefill
    count, source = None, None
    whole_deployment, per_gpu = number(metrics, "total_tput_tps", odd), number(metrics, "tput_per_gpu", odd)
    if whole_deployment and per_gpu:
        ratio = whole_deployment / per_gpu
        if round(ratio) >= 1 and near(ratio, round(ratio), 0.005):
            count, source = round(ratio), "total_tput_tps / tput_per_gpu"
    if count is None and not disaggregated and (size := _role(row, metrics, "decode", odd)):
        count, source = size, "tp x pp x pcp"
    if count is None and disaggregated and (roles := _by_role(row)):
        count, source = sum(roles), "num_prefill_gpu + num_decode_gpu"
    if count is None:
        return Gpus(None, None, None, ("gpus_uncertain",) if claimed else ())
    single = flag(row, "is_multinode", odd) is False and accelerator is not None and accelerator.per_node is not None and count <= accelerator.per_node
    return Gpus(count, source, 1 if single else None, ("gpus_corrected",) if claimed not in (None, count) else ())


def throughput(row: dict[str, Any], odd: Odd) -> Throughput:
    """A row's throughput with input and output per accelerator of the whole deployment."""
    metrics = row.get("metrics") or {}
    total, given, made = (number(metrics, k, odd) for k in ("tput_per_gpu", "input_tput_per_gpu", "output_tput_per_gpu"))
    if total is None or given is None or made is None:
        return Throughput(total, given, made) if not flag(row, "disagg", odd) or is_agentic(row) else Throughput(total, None, None)
    if near(given + made, total):
        return Throughput(total, given, made)
    if not flag(row, "disagg", odd) or is_agentic(row):
        return Throughput(total, given, made, mismatch=True)
    roles = _by_role(row)
    if roles is None or not near((given * roles[0] + made * roles[1]) / sum(roles), total):
        return Throughput(total, None, None)
    return Throughput(total, given * roles[0] / sum(roles), made * roles[1] / sum(roles))
