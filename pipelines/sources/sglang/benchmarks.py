"""Cookbook benchmark files: measurements become records of `operating_points`."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pipelines import names
from pipelines.schema import canonical_json, content_id
from pipelines.sources.sglang import figures
from pipelines.sources.sglang.configs import HARDWARE, QUANTIZATION, Config, Recipe, first_of
from pipelines.sources.sglang.deployment import acceptance, deployment, disaggregated, speculation
from pipelines.sources.sglang.layout import Layout, Measurement
from pipelines.sources.sglang.throughput import Workload, basis_by_date, said_basis, settled
from pipelines.sources.sglang.versions import version_class

DEFAULT_LENGTHS = (8192, 1024)
WEIGHT_FORMATS = ("nvfp4", "mxfp4", "mxfp8", "fp8", "bf16", "fp16", "int4", "int8")
INTERACTIVITY_KINDS = {"p50": "tpot_p50", "mean": "tpot_mean"}


@dataclass(frozen=True)
class Place:
    """Where a file stands: its path and public address at a commit, and the model its rows are identified by."""

    path: str
    url: str
    model_key: str
    model: str
    committed_at: dt.datetime
    commit_sha: str
    pull_request: int | None = None
    author: str | None = None


@dataclass
class Points:
    """Records of one file, with the accelerator names our reference does not know."""

    records: list[dict[str, Any]] = field(default_factory=list)
    unmatched: set[str] = field(default_factory=set)
    unknown_keys: set[str] = field(default_factory=set)


def common(place: Place) -> dict[str, Any]:
    """What every record of a file has in common."""
    return {
        "part": place.path,
        "framework": "SGLang",
        "source": "sglang",
        "origin": "git",
        "provenance": "framework_reported",
        "source_url": place.url,
        "commit_sha": place.commit_sha,
        "pull_request": place.pull_request,
    }


def points(layout: Layout, config: Config, place: Place) -> Points:
    """The records of a benchmarks file. `config` is the config file beside it, or an empty one."""
    found = Points()
    scenarios = {_scenario(m) for m in layout.measurements if m.measured}
    numbered: Counter[str] = Counter()
    for measurement in layout.measurements:
        record = _record(measurement, layout, config, place)
        if not measurement.measured and len(scenarios) == 1:
            record["scenario"] = next(iter(scenarios))
        key = _key(measurement, record, config, place)
        numbered[key] += 1
        record["point_id"] = key if numbered[key] == 1 else content_id(key, numbered[key])
        found.records.append(record)
        if names.accelerator(record["accelerator"]) is None:
            found.unmatched.add(record["accelerator"])
        found.unknown_keys |= set(measurement.extra) - {"num_prompts"}
    return found


def _key(m: Measurement, record: dict[str, Any], config: Config, place: Place) -> str:
    """Identity of a point: independent of path, commit and figures, so that it lasts while the file moves."""
    workload = [record.get(k) for k in ("dataset", "isl", "osl", "concurrency")]
    statistic = _statistic(m, config) if m.measured else None
    return content_id("sglang", place.model_key, canonical_json(m.match), *workload, statistic, bool(record.get("synthetic_acceptance")))


def _record(m: Measurement, layout: Layout, config: Config, place: Place) -> dict[str, Any]:
    written = str(first_of(m.match, HARDWARE))
    accelerator = names.accelerator(written)
    recipe = config.recipe(m.match)
    quantization = first_of(m.match, QUANTIZATION)
    record: dict[str, Any] = {
        **common(place),
        "model": config.model_name or place.model,
        "accelerator": accelerator.name if accelerator else written,
        "vendor": accelerator.vendor if accelerator else None,
        "precision": str(quantization) if quantization is not None else None,
        "weight_format": str(quantization).upper() if str(quantization).lower() in WEIGHT_FORMATS else None,
        "framework_version": m.version,
        "framework_version_class": version_class(m.version),
        "match": canonical_json(m.match),
        "scenario": _scenario(m),
        "status": "active" if m.measured else "pending",
        "verified": _first_bool(m.first("verified"), recipe.verified),
        "measured_on": figures.day(m.first("measured_on")),
        "notes": m.notes,
        "cache_hit_kind": "missing",
        "disaggregated": disaggregated(m),
        "speculative_decoding": speculation(m, recipe),
    }
    doubts: list[str] = []
    deployment(record, m, layout, recipe)
    _workload(record, m)
    acceptance(record, m, layout, recipe)
    derived = _speeds(record, m, config, layout, place, doubts)
    _cache(record, m, recipe, doubts)
    record["flags"] = sorted(set(doubts))
    record["extra"] = _extra(m, record, recipe, place, derived)
    return record


def _scenario(m: Measurement) -> str:
    """The kind of workload by its data set's name; by the remarks beside the point where it names none."""
    name = str(m.workload.get("dataset") or "")
    text = re.sub(r"[^a-z0-9]", "", (name or ("" if "isl" in m.workload else m.remarks)).lower())
    if "agentperf" in text:
        return "aa_agentperf"
    return "agentic_traces" if re.search(r"agentx|agentic|inferencex", text) else "fixed_length"


def _workload(record: dict[str, Any], m: Measurement) -> None:
    dataset = m.workload.get("dataset")
    record["dataset"] = str(dataset) if dataset is not None else None
    record["isl"], record["osl"] = (figures.count(m.workload.get(k)) for k in ("isl", "osl"))
    record["concurrency"] = figures.count(m.first("concurrency"))


def _speeds(record: dict[str, Any], m: Measurement, config: Config, layout: Layout, place: Place, doubts: list[str]) -> list[str]:
    """Latency, speed per user and throughput; returns the columns that were derived."""
    if not m.measured:
        return []
    derived = []
    usual = _statistic(m, config)
    for column in ("ttft_s", "tpot_s"):
        record[column], record[column.replace("_s", "_percentile")] = _latency(m, column, usual)
    given = _number(m, "interactivity_tok_s")
    kind = INTERACTIVITY_KINDS.get(record["tpot_percentile"] or "")
    if given is not None:
        record["interactivity_tok_s"], record["interactivity_kind"] = given, "given"
    elif record["tpot_s"] and kind:
        record["interactivity_tok_s"], record["interactivity_kind"] = 1 / record["tpot_s"], kind
        derived.append("interactivity_tok_s")
    for column in ("total_tok_s_gpu", "output_tok_s_gpu", "input_tok_s_gpu"):
        record[column] = _number(m, column)
    return derived + _throughput(record, m, layout, place, doubts)


def _throughput(record: dict[str, Any], m: Measurement, layout: Layout, place: Place, doubts: list[str]) -> list[str]:
    random = str(record["dataset"] or "").lower().startswith("random")
    if random and record["isl"] is None and record["osl"] is None:
        record["isl"], record["osl"] = DEFAULT_LENGTHS
    stated = _number(m, "stated_tok_s_gpu")
    if stated is not None:
        record["stated_tok_s_gpu"] = stated
        declared = said_basis(f"{m.remarks}\n{m.notes or ''}\n{layout.header}") or basis_by_date(place.committed_at)
        if record["output_tok_s_gpu"] is not None:
            declared = "total"
        basis, flags = settled(stated, declared, _fixed_workload(record) if random else None, counted=record["accelerators_from"] != "reference")
        doubts += flags
        record["throughput_basis"] = basis
        column = f"{basis}_tok_s_gpu"
        record[column] = record[column] if record[column] is not None else stated
    total, output, lengths = record["total_tok_s_gpu"], record["output_tok_s_gpu"], (record["isl"], record["osl"])
    if not random or None in lengths or (total is None) == (output is None):
        return []
    share = record["osl"] / (record["isl"] + record["osl"])
    if output is None:
        record["output_tok_s_gpu"] = total * share
        return ["output_tok_s_gpu"]
    record["total_tok_s_gpu"] = output / share
    return ["total_tok_s_gpu"]


def _fixed_workload(record: dict[str, Any]) -> Workload | None:
    parts = [record[k] for k in ("isl", "osl", "concurrency", "ttft_s", "tpot_s", "accelerators")]
    return Workload(*parts) if all(p is not None for p in parts) and record["osl"] > 0 else None


def _latency(m: Measurement, column: str, usual: str) -> tuple[float | None, str | None]:
    """Seconds and their statistic: of several statistics of one latency, the usual one, else the first written."""
    written = [(key.percentile or usual, figures.number(value), key.factor) for _, key, value in m.figures.get(column, ())]
    known = [(percentile, value, factor) for percentile, value, factor in written if value is not None and value >= 0]
    if not known:
        return None, None
    percentile, value, factor = next((k for k in known if k[0] == usual), known[0])
    return round(value * factor, 9), percentile


def _statistic(m: Measurement, config: Config) -> str:
    """The statistic of latencies whose key names none: the entry's, else the config's, else the median."""
    text = m.percentile or config.latency_percentile or "P50"
    return figures.percentile_of(figures.words_of(text.strip())) or text.strip().lower()


def _number(m: Measurement, figure: str) -> float | None:
    found = figures.number(m.first(figure))
    return float(found) if found is not None and found >= 0 else None


def _first_bool(*values: Any) -> bool | None:
    return next((v for v in values if isinstance(v, bool)), None)


def _cache(record: dict[str, Any], m: Measurement, recipe: Recipe, doubts: list[str]) -> None:
    figure = "cache_hit_pct" if "cache_hit_pct" in m.figures else "cache_hit"
    exact, low, high, doubtful = figures.ratio(m.first(figure), percent_key=figure == "cache_hit_pct")
    record["cache_hit_ratio"], record["cache_hit_ratio_low"], record["cache_hit_ratio_high"] = exact, low, high
    if exact is not None or low is not None:
        record["cache_hit_kind"] = "reported"
    if doubtful:
        doubts.append("unit_suspect")
    said = m.first("hicache") if "hicache" in m.figures else m.match.get("hicache")
    if isinstance(said, bool):
        record["kv_offload"] = "hicache" if said else "none"
    elif isinstance(said, str):
        record["kv_offload"] = "none" if said.lower() in ("none", "off", "no", "false") else "hicache"
    else:
        record["kv_offload"] = recipe.kv_offload


def _extra(m: Measurement, record: dict[str, Any], recipe: Recipe, place: Place, derived: list[str]) -> str | None:
    """Everything a record says that has no column, as written; also what stands under a known key but was not taken."""
    extra = {
        **m.extra,
        **_not_taken(m, record),
        "accuracy": dict(m.accuracy) or None,
        "comments": m.remarks or None,
        "image": recipe.image,
        "verification_status": recipe.verification_status,
        "author": place.author,
        "derived": derived or None,
    }
    kept = {k: v for k, v in extra.items() if v is not None}
    return canonical_json(kept) if kept else None


def _not_taken(m: Measurement, record: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in m.workload.items() if value is not None and record.get(name) is None}
    for figure, written in m.figures.items():
        lost = figure.startswith("cache_hit") and record["cache_hit_kind"] == "missing"
        for name, _, value in written:
            if value is not None and not isinstance(value, bool) and (lost or len(written) > 1 or (figures.number(value) or -1) < 0):
                kept.setdefault(name, value)
    return kept
