"""Whether AgentPerf figures can be in the units they are stored in, by what an accelerator can draw and do.

Bounds: an accelerator under load draws 300 to 1,700 W at die and HBM (published results imply 540 to 1,240 W). A
wrong unit is off by 1,000 (kW for MW) or by the accelerators of a system (4 to 72), so wide bounds tell it apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from pipelines.sources.artificial_analysis.measures import WATTS_HIGH, WATTS_LOW

RATIO_TOLERANCE = 0.05
MOST_RATIO = 3.0
MOST_TIER_RATIO = 20.0
LEAST_THROUGHPUT_TOK_S_MW, MOST_THROUGHPUT_TOK_S_MW = 5e5, 5e9
LEAST_TOK_S_AGENT, MOST_TOK_S_AGENT = 10.0, 200_000.0
MOST_OUTPUT_TOK_S_GPU = 20_000.0
MOST_AGENTS_PER_MW = 2e6
SLOW_TIER_TOK_S, LEAST_AGENTS_PER_MW_AT_SLOW_TIER = 60.0, 100.0


def unit_doubts(figures: Mapping[str, float], accelerators: int | None, slo_tok_s: float | None) -> list[str]:
    """Sentences on why the figures of one model, system and tier cannot all be in the units of their metrics; empty where they can."""
    return [
        *_watts(figures, accelerators),
        *_ratios(figures, accelerators),
        *_throughput(figures),
        *_agents(figures, accelerators, slo_tok_s),
    ]


def _watts(figures: Mapping[str, float], accelerators: int | None) -> list[str]:
    """Implied watts per accelerator = 10⁶ · (figure per accelerator) / (figure per MW)."""
    doubts = []
    per_mw = figures.get("agents_per_mw")
    systems = [(m, figures[m] / accelerators) for m in ("max_agents", "agents_per_system") if m in figures] if accelerators else []
    singles = [("agents_per_accelerator", figures["agents_per_accelerator"])] if "agents_per_accelerator" in figures else []
    if per_mw:
        doubts += [_out_of_band(name, value / per_mw * 1e6, accelerators) for name, value in singles + systems]
    throughput = figures.get("throughput_tok_s_mw")
    if throughput and "input_tok_s_gpu" in figures and "output_tok_s_gpu" in figures:
        per_gpu = figures["input_tok_s_gpu"] + figures["output_tok_s_gpu"]
        doubts.append(_out_of_band("input and output tok/s/GPU", per_gpu / throughput * 1e6))
    if "watts_per_accelerator" in figures:
        doubts.append(_out_of_band("the stated power", figures["watts_per_accelerator"]))
    return [d for d in doubts if d]


def _out_of_band(name: str, watts: float, accelerators: int | None = None) -> str:
    if WATTS_LOW <= watts <= WATTS_HIGH:
        return ""
    guesses = [("kW is taken for MW", 1000.0), ("MW is taken for kW", 0.001)]
    guesses += [("a figure per system is taken for one per accelerator", float(accelerators))] if accelerators and accelerators > 1 else []
    guess = next((f"; it looks as if {what}" for what, factor in guesses if WATTS_LOW <= watts / factor <= WATTS_HIGH), "")
    return f"{name} against the figure per MW implies {watts:,.0f} W per accelerator, outside {WATTS_LOW:.0f} to {WATTS_HIGH:,.0f} W{guess}"


def _ratios(figures: Mapping[str, float], accelerators: int | None) -> list[str]:
    """Agents of a system = agents per accelerator · accelerators, as far as the count is of those in use."""
    per_one = figures.get("agents_per_accelerator")
    if not per_one or not accelerators or accelerators == 1:
        return []
    doubts = []
    for name in ("max_agents", "agents_per_system"):
        whole = figures.get(name)
        if not whole:
            continue
        is_same = abs(whole / per_one - 1) < RATIO_TOLERANCE
        ratio = whole / (per_one * accelerators)
        if is_same or not 1 / MOST_RATIO <= ratio <= MOST_RATIO:
            guess = "; it looks as if a figure per system is taken for one per accelerator" if is_same else ""
            doubts.append(f"{name} of {whole:g} does not fit {accelerators} accelerators at {per_one:g} each{guess}")
    return doubts


def _throughput(figures: Mapping[str, float]) -> list[str]:
    throughput, agents = figures.get("throughput_tok_s_mw"), figures.get("agents_per_mw")
    if throughput is None:
        return []
    if not LEAST_THROUGHPUT_TOK_S_MW <= throughput <= MOST_THROUGHPUT_TOK_S_MW:
        watts = f"{throughput * WATTS_LOW / 1e6:,.0f} to {throughput * WATTS_HIGH / 1e6:,.0f}"
        return [f"throughput of {throughput:,.0f} tok/s/MW means {watts} tok/s per accelerator, which no agent workload has; kW may be taken for MW"]
    if agents and not LEAST_TOK_S_AGENT <= throughput / agents <= MOST_TOK_S_AGENT:
        return [
            f"throughput of {throughput:,.0f} tok/s/MW for {agents:,.0f} agents/MW means {throughput / agents:,.1f} tok/s per agent; one of them may be per kW"
        ]
    return []


def _agents(figures: Mapping[str, float], accelerators: int | None, slo_tok_s: float | None) -> list[str]:
    doubts = []
    per_mw = figures.get("agents_per_mw")
    if per_mw:
        if per_mw > MOST_AGENTS_PER_MW:
            doubts.append(f"{per_mw:,.0f} agents/MW is more than any accelerator can serve")
        if accelerators and per_mw * accelerators * WATTS_HIGH / 1e6 < 1:
            doubts.append(f"{per_mw:g} agents/MW is less than one agent on {accelerators} accelerators; kW may be taken for MW")
        elif slo_tok_s and slo_tok_s <= SLOW_TIER_TOK_S and per_mw < LEAST_AGENTS_PER_MW_AT_SLOW_TIER:
            doubts.append(f"{per_mw:g} agents/MW at {slo_tok_s:g} tok/s means over 10 kW for one agent; kW may be taken for MW")
    per_one = figures.get("agents_per_accelerator")
    if per_one and slo_tok_s and per_one * slo_tok_s > MOST_OUTPUT_TOK_S_GPU:
        doubts.append(
            f"{per_one:g} agents per accelerator at {slo_tok_s:g} tok/s is more output than an accelerator can make; a figure per system may be taken for it"
        )
    return doubts


def order_doubts(agents_per_mw_by_tier: Mapping[float, float]) -> list[str]:
    """A faster tier cannot hold many times the agents of a slower one of the same model and system."""
    tiers = sorted(agents_per_mw_by_tier.items())
    return [
        f"{fast_agents:g} agents/MW at {fast:g} tok/s against {slow_agents:g} at {slow:g} tok/s: one of them may be per kW"
        for (slow, slow_agents), (fast, fast_agents) in combinations(tiers, 2)
        if fast_agents > slow_agents * MOST_TIER_RATIO
    ]
