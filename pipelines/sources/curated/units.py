"""The units a figure may be written in, turned into the one its column is in."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

_PER_MW = {"MW": Fraction(1), "kW": Fraction(1000)}
_AGENTS_PER_MW = {f"agents/{power}": times for power, times in _PER_MW.items()}
_AGENTS_PER_ACCELERATOR = {"agents/GPU": Fraction(1), "agents/accelerator": Fraction(1)}
_AGENTS = {"agents": Fraction(1)}
_TOK_S_MW = {f"{tokens}/s/{power}": scale * times for tokens, scale in (("tok", 1), ("tokens", 1), ("M tok", 10**6)) for power, times in _PER_MW.items()}
_TOK_S_GPU = {f"{tokens}/{time}/GPU": times for tokens in ("tok", "tokens") for time, times in (("s", Fraction(1)), ("h", Fraction(1, 3600)))}
WATTS = {"W": Fraction(1), "kW": Fraction(1000)}
KILOWATTS = {"kW": Fraction(1), "W": Fraction(1, 1000)}

# By metric of agentperf_results: what its unit may be written as, and how many of the metric's own unit one is.
METRICS: Mapping[str, Mapping[str, Fraction]] = {
    "agents_per_mw": _AGENTS_PER_MW,
    "agents_per_accelerator": _AGENTS_PER_ACCELERATOR,
    "agents_per_system": _AGENTS,
    "max_agents": _AGENTS,
    "throughput_tok_s_mw": _TOK_S_MW,
    "input_tok_s_gpu": _TOK_S_GPU,
    "output_tok_s_gpu": _TOK_S_GPU,
    "watts_per_accelerator": WATTS,
}

# Units of prices: the table's own unit, and how many of it one is.
PRICES: Mapping[str, tuple[str, Fraction]] = {
    "USD/GPU-hour": ("usd_gpu_h", Fraction(1)),
    "USD/Mtok": ("usd_mtok", Fraction(1)),
    "ratio": ("ratio", Fraction(1)),
    "percent": ("ratio", Fraction(1, 100)),
}


def times(value: float, factor: Fraction) -> float:
    """The value in the other unit, rounded once: 35.8 agents/kW are 35800.0 agents/MW, not 35799.999."""
    return float(Fraction(repr(value)) * factor)
