"""What a benchmark row says of its deployment: GPUs, parallelism, nodes, speculation, acceptance."""

from __future__ import annotations

import re
from typing import Any

from pipelines import names
from pipelines.sources.sglang import figures
from pipelines.sources.sglang.configs import Recipe
from pipelines.sources.sglang.layout import Layout, Measurement
from pipelines.sources.sglang.parallelism import Parallelism, from_words
from pipelines.wellformed import counted

_SIMULATED = re.compile(
    r"SGLANG_SIMULATE_ACC|(?:simulated|synthetic)[\s-]+(?:\w+\s+)?accept|pinned\s+accept"
    r"|accept\w*(?:\s+len\w*)?\s+(?:is\s+|was\s+)?(?:pinned|simulated|forced)",
    re.IGNORECASE,
)
_NOT_SIMULATED = re.compile(
    r"\b(?:non|no|not|without|un|unset|never)[\s-]*(?:simulated|synthetic|pinned|SGLANG_SIMULATE_ACC\w*)(?:\s+accept\w*)?", re.IGNORECASE
)


def deployment(record: dict[str, Any], m: Measurement, layout: Layout, recipe: Recipe) -> None:
    """Parallelism, GPUs and nodes, each from the first of row, flags, notes, comments and file header that says it.

    What spans several nodes takes whole nodes, so there the accelerator reference can count the GPUs; in a single
    node it cannot, because a deployment may use a part of it.
    """
    accelerator = record["accelerator"]
    row = from_words(str(m.first("parallelism") or ""), accelerator)
    stated = {k: figures.count(m.first(k)) or getattr(row, k) for k in ("tp", "ep", "dp", "pp", "gpus", "nodes")}
    if stated["gpus"] is None:
        stated["gpus"] = _implied_gpus(Parallelism(**stated))
    sources = [("row", Parallelism(**stated)), ("flags", recipe.parallelism)]
    for name, text in (("notes", m.notes), ("comments", m.remarks)):
        said = from_words(text or "", accelerator)
        sources.append((name, said if said.gpus else Parallelism(said.tp, said.ep, said.dp, said.pp, _implied_gpus(said))))
    above = from_words(layout.header, accelerator)
    if above.gpus:  # a header speaks of several rows; only where it counts this accelerator does it speak of this one
        sources.append(("file header", above))
    for way in ("tp", "ep", "dp"):
        record[way] = next((getattr(p, way) for _, p in sources if getattr(p, way)), None)
    record["nodes"] = _nodes(m) or next((p.nodes for _, p in sources if p.nodes), None)
    where, gpus = next(((name, p.gpus) for name, p in sources if p.gpus), (None, None))
    known = names.accelerator(accelerator)
    if gpus is None and known and known.per_node and (record["nodes"] or 1) > 1:
        where, gpus = "reference", known.per_node * record["nodes"]
    record["accelerators"], record["accelerators_from"] = gpus, where


def _implied_gpus(said: Parallelism) -> int | None:
    """GPUs of one replica laid out as said; unknown with data parallelism, which may or may not multiply them."""
    return said.tp * (said.pp or 1) if said.tp and not said.dp else None


def _nodes(m: Measurement) -> int | None:
    written = str(m.match.get("nodes", ""))
    if written == "single":
        return 1
    found = re.fullmatch(r"(?:multi-?)?(\d+)", written)
    return counted(found[1]) or None if found else None


def disaggregated(m: Measurement) -> bool | None:
    """Whether prefill and decode run apart, by the row's selection."""
    mode = str(m.match.get("pdMode") or m.match.get("pd") or "").lower()
    if mode in ("unified", "off", "aggregated", "agg", "none"):
        return False
    return True if mode in ("prefill", "decode", "disaggregated", "disagg", "pd", "on") else None


def speculation(m: Measurement, recipe: Recipe) -> str | None:
    """The speculative decoding a row was measured with: by its selection, else by its recipe's flags."""
    written = m.match.get("spec") or m.match.get("speculative")
    return str(written) if written else recipe.speculative_decoding


def is_simulated(text: str) -> bool:
    """Whether a text says that speculative acceptance was simulated or pinned."""
    return bool(_SIMULATED.search(_NOT_SIMULATED.sub(" ", text)))


def acceptance(record: dict[str, Any], m: Measurement, layout: Layout, recipe: Recipe) -> None:
    """Say whether speculative acceptance was simulated, and what says so; silence says neither."""
    said = m.first("synthetic_acceptance")
    if isinstance(said, bool):
        record["synthetic_acceptance"], record["synthetic_acceptance_from"] = said, "row"
        return
    speculates = record["speculative_decoding"] != "none"
    for where, simulated in (
        ("notes", is_simulated(m.notes or "")),
        ("comments", is_simulated(m.remarks)),
        ("flags", bool(recipe.synthetic_acceptance) and speculates),
        ("file header", is_simulated(layout.header) and speculates),
    ):
        if simulated:
            record["synthetic_acceptance"], record["synthetic_acceptance_from"] = True, where
            return
