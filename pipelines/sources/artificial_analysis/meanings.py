"""What a path of keys means on a page whose keys are not known beforehand: by its end, the longest end first.

`models[].name` and `modelName` are the same, and so are `perMegawatt.agents` and `agentsPerMegawatt`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.aliases import RESULT_KEYS
from pipelines.sources.artificial_analysis.measures import Measure, measure_of
from pipelines.sources.artificial_analysis.records import plain_key, words
from pipelines.sources.artificial_analysis.tiers import Limit, limit_of

Path = tuple[str, ...]

_COLUMNS = {key: (column, rank) for column, keys in RESULT_KEYS.items() for rank, key in enumerate(keys)}
_GROUPED_BY = {"model": "model", "system": "system", "accelerator": "accelerator", "gpu": "accelerator", "tier": "slo_label", "slo": "slo_label"}


def _ends(path: Path) -> list[Path]:
    return [path[n:] for n in range(len(path))]


@lru_cache(maxsize=50_000)
def column_of(path: Path) -> tuple[str, int] | None:
    """(column of `agentperf_results`, rank of preference) of a path; None where it is none of them."""
    for end in _ends(path):
        keys = [plain_key(k) for k in end]
        joined = "".join(k.removesuffix("s") for k in keys[:-1]) + keys[-1]
        if joined in _COLUMNS:
            return _COLUMNS[joined]
    return None


@lru_cache(maxsize=50_000)
def measure_at(path: Path) -> Measure | None:
    """What a path measures; None where nothing known."""
    return next((found for end in _ends(path) if (found := measure_of(tuple(w for key in end for w in words(key))))), None)


@lru_cache(maxsize=50_000)
def limit_at(path: Path) -> Limit | None:
    """The service-level limit a path states; None where it states none."""
    return next((found for end in _ends(path) if (found := limit_of(tuple(w for key in end for w in words(key))))), None)


def metric_at(path: Path) -> str | None:
    """The metric of `agentperf_results` that a path measures."""
    found = measure_at(path)
    return found.metric if found else None


def said_by_keys(path: Path, column: str) -> str | None:
    """What the keys themselves say: in `resultsByModel.<key>` and `tiers.<key>` the key is the model, the tier."""
    for outer, inner in pairwise(path):
        said = words(outer)
        by = said[said.index("by") + 1 :] if "by" in said else said[-1:]
        if len(by) == 1 and _GROUPED_BY.get(by[0].removesuffix("s")) == column and not column_of((inner,)) and not metric_at((inner,)):
            return inner
    return None


def is_mapping(value: dict[str, Any]) -> bool:
    """Whether an object is a list of records under keys: two or more objects, each with a metric of its own."""
    return len(value) > 1 and all(isinstance(m, dict) and any(metric_at((k,)) for k in m) for m in value.values()) and not any(metric_at((k,)) for k in value)


def is_empty(value: Any) -> bool:
    """Whether a value is missing, or a list, which no column holds."""
    return value is None or isinstance(value, list) or (isinstance(value, str) and value.strip().lower() in numbers.MISSING)
