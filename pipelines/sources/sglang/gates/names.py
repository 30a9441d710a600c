"""What names mean: which are thresholds, of which metric, on which data set."""

from __future__ import annotations

import re

from pipelines.sources.sglang.gates.model import ACCEPT_LENGTH, ACCEPT_RATE, ACCURACY

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_THRESHOLD = frozenset({"threshold", "thresholds", "thres", "thresh", "thr", "baseline", "baselines", "floor", "floors", "cutoff", "cutoffs"})
_BOUND = frozenset({"min", "minimum", "required", "requirement", "expected", "target", "limit", "goal", "lower", "bar", "gate", "gates"})
_TIMES = {"timeout", "timeouts", "interval", "delay", "window", "retry", "retries", "attempts", "warmup"}
_COUNTS = {"num", "number", "count", "size", "capacity", "batch", "threads", "questions", "examples", "shots", "parallel", "port", "seed"}
_OTHER = frozenset(_TIMES | _COUNTS | {"tolerance", "tol", "rtol", "atol", "margin", "slack", "memory", "mem", "prefill", "graph", "cache", "percentile"})
_DATASET = re.compile(
    r"(?<![a-z0-9])(gsm[-_ ]?8k(?:[-_ ]?platinum)?|mmlu(?:[-_ ]?(?:pro|redux))?|mmmu(?:[-_ ]?pro)?|gpqa(?:[-_ ]?diamond)?|aime[-_ ]?\d{2,4}|mgsm(?:[-_ ]?en)?"
    r"|human[-_ ]?eval(?:plus)?|math[-_ ]?500|live[-_ ]?code[-_ ]?bench|if[-_ ]?eval|hellaswag|arc[-_ ](?:easy|challenge)|truthful[-_ ]?qa|winogrande"
    r"|longbench(?:[-_ ]?v2)?|swe[-_ ]?bench|simple[-_ ]?qa|bfcl|docvqa|chartqa|mathvista|mmstar|ocr[-_ ]?bench)(?![a-z0-9])",
    re.IGNORECASE,
)
_MODEL = frozenset({"model", "models", "checkpoint"})
_NOT_A_MODEL = frozenset({"dir", "directory", "cache", "config", "configs", "name", "prefix", "suffix", "type", "url", "timeout", "class", "env", "draft"})


def words(name: str) -> list[str]:
    """The words of an identifier, in lower case: of snake case, camel case and capitals."""
    return [w.lower() for w in _WORD.findall(name)]


def dataset_in(text: str) -> str | None:
    """The first known data set that the text names, in lower case with underscores; None where it names none."""
    found = _DATASET.search(text.replace("_", " "))
    return re.sub(r"[-_ ]+", "_", found[1].lower()).replace("gsm_8k", "gsm8k") if found else None


def metric_in(text: str) -> str | None:
    """The metric an identifier or a piece of code speaks of; None where it names none."""
    found = set(words(text))
    if found & {"accept", "acceptance", "accepted"} or ("acc" in found and found & {"len", "length", "lens"}):
        return ACCEPT_RATE if "rate" in found else ACCEPT_LENGTH
    for metric in ("ttft", "tpot", "itl", "latency", "throughput", "speed"):
        if metric in found:
            return metric
    if found & {"tput"}:
        return "throughput"
    if found & {"tps", "toks"} or {"tok", "s"} <= found:
        return "speed"
    if found & {"accuracy", "acc", "score", "scores", "accuracies"} or dataset_in(text):
        return ACCURACY
    return None


def is_threshold_name(name: str) -> bool:
    """Whether a value under this name is meant as a threshold."""
    found = set(words(name))
    if found & _OTHER or (found & {"token", "tokens"} and not found & {"accept", "accepted"}):
        return False
    return bool(found & _THRESHOLD) or bool(found & _BOUND and metric_in(name))


def is_model_name(name: str) -> bool:
    """Whether a text under this name is the model that is tested."""
    found = words(name)
    if found and found[-1] == "name" and set(found[:-1]) & _MODEL:
        return True
    return bool(set(found) & _MODEL) and not set(found) & _NOT_A_MODEL
