"""Numbers as people read them: three significant digits in human units; the exact value on hover."""

from __future__ import annotations

import datetime as dt
import math
from decimal import ROUND_HALF_UP, Decimal

from markupsafe import Markup

from dashboard.parts.html import tag

NOT_PUBLISHED = "not published"

# Units as the tables name them, and as people write them.
UNITS = {
    "throughput_tok_s_mw": "tok/s per MW",
    "agents_per_mw": "agents per MW",
    "agents_per_accelerator": "agents per accelerator",
    "agents_per_system": "agents per system",
    "max_agents": "agents",
    "input_tok_s_gpu": "tok/s per GPU",
    "output_tok_s_gpu": "tok/s per GPU",
    "total_tok_s_gpu": "tok/s per GPU",
    "watts_per_accelerator": "W per accelerator",
}

# Figures as the tables name them, and as people call them.
FIGURES = {
    "input_usd_mtok": "input price",
    "cached_input_usd_mtok": "cached input price",
    "output_usd_mtok": "output price",
    "blend_7_2_1_usd_mtok": "blend of 7:2:1",
    "output_tok_s": "output speed as hosted",
    "ttft_s": "time to first token",
    "index_usd_task": "cost of an Index task",
    "total_tok_s_gpu": "throughput",
    "output_tok_s_gpu": "output throughput",
    "interactivity_tok_s": "speed one user sees",
}


def figure_name(column: str) -> str:
    """What people call a figure."""
    return FIGURES.get(column) or column.replace("_", " ")


def rounded(value: float) -> str:
    """Three significant digits, thousands separated, millions and billions in words: 61,400; 150 M; 0.667."""
    if not math.isfinite(value):
        return str(value)
    if value < 0:
        return f"−{rounded(-value)}"
    for size, word in ((1e9, " bn"), (1e6, " M")):
        if value >= size * 0.9995:
            return plain(_significant(value / size)) + word
    return plain(_significant(value))


def _significant(value: float) -> Decimal:
    if value == 0:
        return Decimal(0)
    exact = Decimal(repr(float(value)))
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - 2), ROUND_HALF_UP)


def plain(value: Decimal | float | int) -> str:
    """All digits a number has, thousands separated."""
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if exact == exact.to_integral_value():
        return f"{int(exact):,}"
    return f"{exact.normalize():,f}"


def text(value: float | None, unit: str = "") -> str:
    """A number with its unit; `not published` where there is none."""
    if value is None:
        return NOT_PUBLISHED
    if unit == "USD" or unit.startswith("USD "):
        return dollars(value) + unit.removeprefix("USD")
    return f"{rounded(value)} {unit}".strip()


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun: no headline, 1 headline, 6 headlines."""
    return f"{f'{count:,}' if count else 'no'} {one if count < 2 else many or one + 's'}"


def number(value: float | None, unit: str = "") -> Markup:
    """A number with its unit, its exact value on hover."""
    if value is None:
        return tag('<span class="missing">{}</span>', NOT_PUBLISHED)
    return tag('<data value="{}" title="{}">{}</data>', value, f"{plain(value)} {unit}".strip(), text(value, unit))


def dollars(value: float) -> str:
    """An amount in USD: $1.25, $0.019, $20 M."""
    shown = rounded(abs(value))
    whole, point, part = shown.partition(".")
    if abs(value) < 1000 and point and len(part) == 1:
        shown += "0"
    elif 1 <= abs(value) < 100 and not point:
        shown = f"{whole}.00"
    return f"{'−' if value < 0 else ''}${shown}"


def price(value: float | None, per: str) -> Markup:
    """An amount in USD per something."""
    if value is None:
        return number(None)
    return tag('<data value="{}" title="${} per {}">{} per {}</data>', value, plain(value), per, dollars(value), per)


def share(value: float | None) -> Markup:
    """A share from 0 to 1 in per cent."""
    if value is None:
        return number(None)
    return tag('<data value="{}" title="{} %">{}</data>', value, f"{value * 100:.6g}", percent(value))


def percent(value: float) -> str:
    """A share from 0 to 1 in per cent, in words."""
    return f"{rounded(value * 100)} %"


def times(value: float | None) -> Markup:
    """A multiple."""
    if value is None:
        return number(None)
    return tag('<data value="{}" title="{}">{}×</data>', value, plain(value), rounded(value))


def day(value: dt.date | dt.datetime | None) -> str:
    """A day in words: 23 Oct 2026."""
    return f"{value.day} {value:%b %Y}" if value else "no date"


def moment(value: dt.datetime | None) -> str:
    """A time in words: 23 Oct 2026 23:00 UTC."""
    return f"{day(value)} {value:%H:%M} UTC" if value else "never"


def change(old: float | None, new: float | None) -> str:
    """A change in per cent with its sign; empty where it cannot be told."""
    if not old or new is None:
        return ""
    moved = new / old - 1
    return f"{'+' if moved > 0 else '−' if moved < 0 else '±'}{rounded(abs(moved) * 100)} %"
