"""AgentPerf figures as published (June and October 2026), as flat records and in other layouts a page could have.

Figures: Artificial Analysis' launch post of 2026-06-12 and NVIDIA's configurations of that month; the datacenter page
as reported on 2026-10-23. Key names are ours: the page's own are not publicly known.
"""

from __future__ import annotations

from typing import Any


def result(model: str, system: str, accelerator: str, count: int, tier: tuple[float, float], by: str, **figures: float | None) -> dict[str, Any]:
    """A flat record of one result."""
    metrics = {"agentsPerMegawatt": None, "agentsPerAccelerator": None, "maxConcurrentAgents": None, "totalThroughputPerMegawatt": None}
    return {
        "id": f"r-{system}-{tier[0]}",
        "modelName": model,
        "modelSlug": model.lower().replace(" ", "-"),
        "systemName": system,
        "accelerator": accelerator,
        "acceleratorVendor": "AMD" if accelerator.startswith("MI") else "NVIDIA",
        "acceleratorCount": count,
        "slo": {"p25OutputSpeed": tier[0], "p95TimeToFirstToken": tier[1]},
        "configuredBy": by,
        "verifiedBy": "Artificial Analysis",
        "configId": f"c-{system}-{tier[0]}",
        "measuredOn": "2026-06-10",
        **metrics,
        **figures,
    }


DEEPSEEK, MUSE = "DeepSeek V4 Pro (max)", "Muse Spark Open"
RACK = "GB300 NVL72 (rack-scale disaggregated)"
SLOW, MIDDLE = (20, 10), (60, 5)


def published() -> list[dict[str, Any]]:
    """The published results as flat records."""
    return [
        result(DEEPSEEK, RACK, "GB300", 32, SLOW, "NVIDIA", agentsPerMegawatt=61354, agentsPerAccelerator=57.5, maxConcurrentAgents=1840),
        result(DEEPSEEK, "B300 (single node disaggregated)", "B300", 8, SLOW, "NVIDIA", agentsPerMegawatt=21053),
        result(DEEPSEEK, "MI355X", "MI355X", 8, SLOW, "Artificial Analysis", agentsPerMegawatt=3551),
        result(DEEPSEEK, "H200", "H200", 8, SLOW, "Artificial Analysis", agentsPerMegawatt=2594, agentsPerAccelerator=1.4),
        result(DEEPSEEK, RACK, "GB300", 40, MIDDLE, "NVIDIA", agentsPerAccelerator=19.2, maxConcurrentAgents=768),
        result(MUSE, "4x GB300", "GB300", 4, SLOW, "NVIDIA", totalThroughputPerMegawatt=150e6),
        result(MUSE, "4x MI355X", "MI355X", 4, SLOW, "Artificial Analysis", totalThroughputPerMegawatt=70e6),
    ]


# (model, accelerator, tier in tok/s, metric) → value, as published.
FIGURES = {
    (DEEPSEEK, "GB300", 20, "agents_per_mw"): 61354,
    (DEEPSEEK, "GB300", 20, "agents_per_accelerator"): 57.5,
    (DEEPSEEK, "GB300", 20, "max_agents"): 1840,
    (DEEPSEEK, "B300", 20, "agents_per_mw"): 21053,
    (DEEPSEEK, "MI355X", 20, "agents_per_mw"): 3551,
    (DEEPSEEK, "H200", 20, "agents_per_mw"): 2594,
    (DEEPSEEK, "H200", 20, "agents_per_accelerator"): 1.4,
    (DEEPSEEK, "GB300", 60, "agents_per_accelerator"): 19.2,
    (DEEPSEEK, "GB300", 60, "max_agents"): 768,
    (MUSE, "GB300", 20, "throughput_tok_s_mw"): 150e6,
    (MUSE, "MI355X", 20, "throughput_tok_s_mw"): 70e6,
}

METRICS = ("agentsPerMegawatt", "agentsPerAccelerator", "maxConcurrentAgents", "totalThroughputPerMegawatt")
OF_TIER = ("slo", *METRICS, "configId", "acceleratorCount", "measuredOn", "id")


def _without(record: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {k: v for k, v in record.items() if k not in keys}


def _grouped(records: list[dict[str, Any]], *keys: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    groups: dict[tuple[Any, ...], tuple[dict[str, Any], list[dict[str, Any]]]] = {}
    for record in records:
        one = groups.setdefault(tuple(str(record[k]) for k in keys), ({k: record[k] for k in keys}, []))
        one[1].append(_without(record, *keys))
    return list(groups.values())


def nested(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Every part of a record in an object of its own."""
    return {
        "results": [
            {
                "model": {"name": r["modelName"], "slug": r["modelSlug"]},
                "system": {
                    "name": r["systemName"],
                    "accelerator": {"name": r["accelerator"], "vendor": r["acceleratorVendor"], "count": r["acceleratorCount"]},
                },
                "slo": {"label": "SLO", "outputSpeed": {"p25": r["slo"]["p25OutputSpeed"]}, "p95Ttft": r["slo"]["p95TimeToFirstToken"]},
                "config": {"id": r["configId"], "configuredBy": r["configuredBy"]},
                "verifiedBy": r["verifiedBy"],
                "measuredOn": r["measuredOn"],
                "metrics": {
                    "agents": {"perMegawatt": r["agentsPerMegawatt"], "perAccelerator": r["agentsPerAccelerator"], "max": r["maxConcurrentAgents"]},
                    "throughput": {"totalPerMegawatt": r["totalThroughputPerMegawatt"]},
                },
            }
            for r in records
        ]
    }


def listed_metrics(records: list[dict[str, Any]]) -> dict[str, Any]:
    """The metrics of a record as a list of name, value and unit."""
    names = (
        ("Agents per MW", "agents/MW"),
        ("Agents per accelerator", "agents/GPU"),
        ("Max concurrent agents", "agents"),
        ("Total throughput per MW", "tok/s/MW"),
    )
    return {
        "entries": [
            {**_without(r, *METRICS), "metrics": [{"name": n, "value": r[k], "unit": u} for k, (n, u) in zip(METRICS, names, strict=True)]} for r in records
        ]
    }


def long(records: list[dict[str, Any]]) -> dict[str, Any]:
    """One record per figure."""
    return {"rows": [{**_without(r, *METRICS), "metric": k, "value": r[k]} for r in records for k in METRICS if r[k] is not None]}


def by_model(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Results in a list under each model."""
    return {"models": [{"name": head["modelName"], "slug": head["modelSlug"], "results": rows} for head, rows in _grouped(records, "modelName", "modelSlug")]}


def by_system_and_tier(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Tiers in a list under each system, with what is the same for both on the system."""
    heads = ("modelName", "modelSlug", "systemName", "accelerator", "acceleratorVendor", "configuredBy", "verifiedBy")
    return {"systems": [{**head, "tiers": rows} for head, rows in _grouped(records, *heads)]}


def under_keys(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Results in a list under each model's name as a key."""
    return {"resultsByModel": {head["modelName"]: rows for head, rows in _grouped([_without(r, "modelSlug") for r in records], "modelName")}}


def by_view(records: list[dict[str, Any]]) -> dict[str, Any]:
    """A list for each view of the page, per MW and per accelerator, and one of the rest."""
    views = {"perMegawatt": ("agents", "agentsPerMegawatt"), "perAccelerator": ("agents", "agentsPerAccelerator")}
    made: dict[str, Any] = {view: [{**_without(r, *METRICS), key: r[of]} for r in records if r[of] is not None] for view, (key, of) in views.items()}
    made["others"] = [_without(r, "agentsPerMegawatt", "agentsPerAccelerator") for r in records]
    return made


def tiers_under_keys(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Tiers under their names as keys of each system."""
    grouped = by_system_and_tier(records)["systems"]
    return {"systems": [{**system, "tiers": {f"tier {n}": tier for n, tier in enumerate(system["tiers"])}} for system in grouped]}


def by_reference(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Models, systems and tiers in lists of their own, to which the results refer by id."""
    models = list({r["modelName"]: {"id": r["modelSlug"], "name": r["modelName"], "slug": r["modelSlug"]} for r in records}.values())
    systems = list({r["systemName"]: {"id": f"s-{r['systemName']}", "name": r["systemName"], "accelerator": r["accelerator"]} for r in records}.values())
    tiers = list({str(r["slo"]): {"id": r["slo"]["p25OutputSpeed"], **r["slo"]} for r in records}.values())
    rows = [
        {
            **_without(r, "modelName", "modelSlug", "systemName", "accelerator", "slo"),
            "model": r["modelSlug"],
            "systemId": f"s-{r['systemName']}",
            "tierId": r["slo"]["p25OutputSpeed"],
        }
        for r in records
    ]
    return {"models": models, "systems": systems, "tiers": tiers, "results": rows}


def labelled(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Labels for people as keys."""
    names = {
        "modelName": "Model",
        "modelSlug": "Model slug",
        "systemName": "System",
        "accelerator": "Accelerator",
        "acceleratorCount": "Accelerators",
        "configuredBy": "Configured by",
        "configId": "Config ID",
        "agentsPerMegawatt": "Agents per MW",
        "agentsPerAccelerator": "Agents per accelerator",
        "maxConcurrentAgents": "Max concurrent agents",
        "totalThroughputPerMegawatt": "Throughput per MW (input + output tok/s)",
    }
    return {
        "table": [
            {**{label: r[key] for key, label in names.items()}, "SLO": f"{r['slo']['p25OutputSpeed']} tok/s, TTFT {r['slo']['p95TimeToFirstToken']} s"}
            for r in records
        ]
    }


def wrapped_in_nodes(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Records inside nodes with attributes, as a query language gives them."""
    return {"edges": [{"cursor": str(n), "node": {"attributes": r}} for n, r in enumerate(records)]}


LAYOUTS = {
    f.__name__: f
    for f in (nested, listed_metrics, long, by_model, by_system_and_tier, under_keys, by_view, tiers_under_keys, by_reference, labelled, wrapped_in_nodes)
}
# Layouts whose keys are names or labels: they are not respelled.
KEYS_ARE_NAMES = {"under_keys", "labelled"}

MI355X_CONFIGURATION = {
    "id": "4adc5bbf-c454-547c-8ba1-72fadb95da26",
    "title": "MI355X",
    "text": "8 GPUs. Precision FP4. Framework SGLang. Configuration by Artificial Analysis.",
    "command": "serve --tp 8",
    "model": "DeepSeek V4 Pro (max)",
    "acceleratorSystem": "MI355X",
    "precision": "FP4",
    "framework": "SGLang",
    "configuredBy": "Artificial Analysis",
}
