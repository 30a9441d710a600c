"""The steps from the multiple that misleads to the one that compares like with like, and what they say in words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from dashboard import data
from dashboard.parts.html import prose, tag
from dashboard.parts.numbers import rounded, times

Row = data.Row


def nearest(found: Sequence[Row]) -> Row:
    """Of the costs of one hardware, the measured or stated one nearest to the speed of the hosted model."""
    exact = [r for r in found if r["method"] in ("measured", "stated")] or found
    return min(exact, key=lambda r: abs(r["own_interactivity_tok_s"] - (r["hosted_output_tok_s"] or 0)))


def of_first_hardware(found: Sequence[Row]) -> list[Row]:
    """The costs of the hardware that stands first, at the owning price where there is one."""
    return of_hardware(found, found[0]["comparable_set"])


def of_hardware(found: Sequence[Row], comparable_set: str) -> list[Row]:
    """The costs of one hardware, at the owning price where there is one."""
    here = [r for r in found if r["comparable_set"] == comparable_set]
    return [r for r in here if r["price_basis"] == "owning"] or here


def ladder(found: dict[tuple[str, float], Row]) -> list[Row]:
    """The steps from the naive multiple down, as far as they are published."""
    full, rented, half = found.get(("owning", 1.0)), found.get(("rental", 1.0)), found.get(("rental", 0.5))
    rungs = [
        ("List blend against the cost of all tokens", "naive: two different mixes of tokens", full, "ratio_naive"),
        ("Same mix of tokens on both sides", "like for like, hardware owned and always busy", full, "ratio_same_split"),
        ("Accelerators rented, not owned", "at the rental price of an hour", rented, "ratio_same_split"),
        ("And busy half the time", "idle hours are paid too", half, "ratio_same_split"),
    ]
    return [{"step": step, "why": why, "ratio": row[column], "place": n} for n, (step, why, row, column) in enumerate(rungs) if row and row[column] is not None]


def sentence(chosen: Row, rungs: Sequence[Row]) -> Markup:
    """The steps in words."""
    where = f"On {chosen['accelerator']} at {rounded(chosen['own_interactivity_tok_s'])} tok/s per user"
    by_step = {r["place"]: r["ratio"] for r in rungs}
    if 1 not in by_step:
        why = "no measured point tells how this model's tokens split" if chosen["split_source"] is None else "the hosted list names no price of cached input"
        return prose(
            f"{where} it is not known, like for like: {why}.", tag("By the list's blend renting costs {} as much.", times(by_step[0])) if 0 in by_step else ""
        )
    said: list[object] = [where, "renting costs", times(by_step[1]), "as much as owning, like for like"]
    if 0 in by_step:
        said.append(tag("; the {} of the list's blend compares two different mixes", times(by_step[0])))
    if 3 in by_step:
        said.append(tag("; on rented accelerators that are busy half the time it is {}", times(by_step[3])))
    return prose(*said, ".")
