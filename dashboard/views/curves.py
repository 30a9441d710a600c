"""Curves: what each accelerator serves, and what a million tokens cost, at the speed one user sees."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import streamlit as st

from dashboard import data
from dashboard.parts import caveats, controls, curve_chart, names, page
from dashboard.parts.badges import badges, words
from dashboard.parts.citing import citation, publisher
from dashboard.parts.curve_data import Workload, at_speeds, curve, models, points, workloads
from dashboard.parts.export import download
from dashboard.parts.html import joined, tag, write
from dashboard.parts.numbers import counted, day, dollars, plain, rounded, share
from dashboard.parts.table import Cells, table

Row = data.Row
BASES = {"owning": "owning", "rental": "rental"}
COST_OF = {"all tokens": "total", "generated tokens": "output"}
SIGNS = {"measured": "", "interpolated": "~", "clamped": "≈ end of curve "}


def answer(found: list[Row], basis: str) -> None:
    """What speed costs, in words: two vendors at the speeds both reach, or the one there is."""
    told = comparison(found)
    alone = [r for r in found if r["method"] != "clamped" and r["usd_mtok"] is not None]
    if told:
        (speed, cheap, dear), (fast, cheap_fast, dear_fast) = told[0], told[-1]
        page.answer(
            f"At {rounded(speed)} tok/s per user a million tokens cost {_cost(cheap)} and {_cost(dear)} at {basis} price,",
            f"{rounded(dear['usd_mtok'] / cheap['usd_mtok'])} times as much",
            f"; at {rounded(fast)} tok/s it is {rounded(dear_fast['usd_mtok'] / cheap_fast['usd_mtok'])} times" if len(told) > 1 else "",
            ".",
        )
    elif alone:
        cheap = min(alone, key=lambda r: (r["interactivity_tok_s"], r["usd_mtok"]))
        where = f"At {rounded(cheap['interactivity_tok_s'])} tok/s per user"
        page.answer(where, f"a million tokens cost {_cost(cheap)} at {basis} price; no other vendor was measured at it.")
    else:
        page.answer("There is no frontier to read costs from: what is published here are single points.")


def _cost(r: Row) -> str:
    return f"{dollars(r['usd_mtok'])} on {r['accelerator']}"


def comparison(found: list[Row]) -> list[tuple[float, Row, Row]]:
    """Speed, cheapest accelerator and cheapest of another vendor, at every target speed that neither curve is clamped at."""
    told = []
    for speed in sorted({r["interactivity_tok_s"] for r in found}):
        here = sorted(
            (r for r in found if r["interactivity_tok_s"] == speed and r["method"] != "clamped" and r["usd_mtok"] is not None), key=lambda r: r["usd_mtok"]
        )
        other = next((r for r in here if r["vendor"] != here[0]["vendor"]), None)
        if other:
            told.append((speed, here[0], other))
    return told


def costs(found: list[Row], cost_of: str) -> None:
    """The costs at the target speeds: one column a curve."""
    rows = [r for r in found if r["usd_mtok"] is not None]
    if not rows:
        return
    page.section("What does a million tokens cost at a speed?")
    series = list(dict.fromkeys((r["accelerator"], r["precision"]) for r in rows))
    by_place = {(r["interactivity_tok_s"], r["accelerator"], r["precision"]): r for r in rows}
    speeds = sorted({r["interactivity_tok_s"] for r in rows if r["method"] != "clamped"})

    def cell(speed: float, which: tuple[str, str | None]) -> object:
        r = by_place.get((speed, *which))
        if r is None:
            return ""
        at = f"{plain(round(r['usd_mtok'], 6))} USD at {plain(r['usd_gpu_h'])} USD a GPU-hour, {r['method']}"
        return tag('<span title="{}">{}{}</span>', at, SIGNS.get(r["method"], ""), dollars(r["usd_mtok"]))

    columns = [Cells("One user sees", lambda s: rounded(s), "output tok/s", right=True)]
    columns += [Cells(f"{a} {p or ''}", (lambda w: lambda s: cell(s, w))((a, p)), "per M tokens", right=True) for a, p in series]
    table(
        speeds, columns, f"Cost of {'all' if cost_of == 'total' else 'generated'} tokens; ~ interpolated between measured points, ≈ beyond the end of a curve."
    )
    prices = {(r["accelerator"], r["usd_gpu_h"]) for r in rows}
    page.small("At", ", ".join(f"{dollars(p)} a {a}-hour" for a, p in sorted(prices)) + ".", "Idle hours, staff and spare capacity are not in it.")


def origins(found: list[Row], against: dt.date | None) -> None:
    """Who measured, when, and how sure."""
    who = sorted({publisher(p) for p in found})
    newest = max((p["measured_on"] for p in found if p["measured_on"]), default=None)
    marks = joined(badges(p) for p in {tuple(words(p)): p for p in found}.values())
    doubtful = sum(bool(p["flags"]) or p["status"] != "active" for p in found)
    write(
        tag(
            '<p class="source">Measured by {}; newest point {}. {} Points are measured; dashed lines are interpolated between them. {} {} {}</p>',
            ", ".join(who),
            day(newest),
            marks,
            f"{counted(doubtful, 'point is', 'points are')} doubtful or superseded: pale." if doubtful else "",
            f"Pale lines: as of the end of {day(against)}." if against else "",
            "Hollow: entered by hand." if any(p["origin"] == "curated" for p in found) else "",
        )
    )


def subsets(model: str, workload: Workload, as_of: dt.date | None) -> None:
    """A publication that shows some of what it measured."""
    if workload.source not in ("curated", "sglang") or not data.has("published_subsets"):
        return
    for r in data.rows(f"SELECT * FROM published_subsets WHERE {names.key_of('model')} = ?", [model], as_of):
        covered = (
            tag(", covering {} of the frontier by its own account", share(r["frontier_coverage_ratio"])) if r["frontier_coverage_ratio"] is not None else ""
        )
        write(
            tag(
                '<p class="caveat">{} shows {} of {} measured points{}; {}</p>',
                r["publication_name"],
                r["published_points"],
                r["measured_points"],
                covered,
                r["selection"] or "how they were chosen is not said",
            )
        )


def choose() -> tuple[str, Workload, str, str, bool, dt.date | None, dt.date | None] | None:
    """The controls."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        as_of = controls.as_of(width=170)
        against = controls.as_of("Overlay the curves of", "against", width=190)
        basis = st.segmented_control("Price of an hour", list(BASES), default="owning", key="basis", bind="query-params", required=True)
        cost_of = st.segmented_control("Spread over", list(COST_OF), default="all tokens", key="cost_of", bind="query-params", required=True)
        log = st.segmented_control("Axes", ["linear", "log"], default="linear", key="axes", bind="query-params", required=True) == "log"
    left, right = st.columns([1, 2])
    with left:
        model = names.choose(models(as_of))
    if model is None:
        return None
    found = workloads(model, as_of)
    with right:
        picked = controls.choice("Workload", list(found), "workload")
    return model, found[picked or next(iter(found))], str(basis), COST_OF[str(cost_of)], log, as_of, against


def draw(model: str, workload: Workload, basis: str, cost_of: str, log: bool, days: Sequence[dt.date | None], found: list[Row]) -> None:
    """Both charts."""
    curves = [(when, curve(model, workload, basis, cost_of, found if n == 0 else points(model, workload, basis, when), when)) for n, when in enumerate(days)]
    source = ", ".join(sorted({publisher(p) for p in found}))
    page.section("How much does one accelerator serve?")
    of = ("total_tok_s_gpu", "total_tok_s_gpu") if cost_of == "total" else ("output_tok_s_gpu", "output_tok_s_gpu")
    counted = "all tokens" if cost_of == "total" else "generated tokens"
    curve_chart.show(found, curves, of, title=f"tok/s per GPU, {counted}", log=log, name="throughput", source=source)
    if any(p["usd_mtok_total"] is not None for p in found):
        page.section("And what does that cost?")
        paid = "usd_mtok_total" if cost_of == "total" else "usd_mtok_generated"
        curve_chart.show(
            found,
            curves,
            (paid, "usd_mtok"),
            title=f"USD per M {counted}, {basis} price",
            log=log,
            name="cost",
            source=f"{source}; prices of an hour as listed",
        )


def show() -> None:
    """The view."""
    tables = ("operating_points", "frontier_points", "cost_at_interactivity", "unit_costs")
    if not page.question("What does speed per user cost?", sources=("inferencex", "sglang"), tables=tables):
        return
    answered = st.container()
    chosen = choose()
    if chosen is None:
        page.empty("No measured point is published yet. They come with InferenceX, the SGLang cookbook or a curated entry.")
        return
    model, workload, basis, cost_of, log, as_of, against = chosen
    found = points(model, workload, basis, as_of)
    told = at_speeds(model, workload, basis, cost_of, as_of)
    with answered:
        answer(told, basis)
    draw(model, workload, basis, cost_of, log, [as_of, *([against] if against else [])], found)
    origins(found, against)
    subsets(model, workload, as_of)
    caveats.show("operating_points", found, as_of)
    costs(told, cost_of)
    if told:
        download(told, "cost_at_speed", "These costs as CSV")
    if workload.synthetic_acceptance:
        write(tag('<p class="caveat">Speculative acceptance was simulated in these runs: real text may be served slower.</p>'))
    citation([(f"{names.label(model)}, {workload.label}: {line}", r) for line, r in _figures(told, basis)])


def _figures(found: list[Row], basis: str) -> list[tuple[str, Row]]:
    return [
        (f"at {rounded(speed)} tok/s per user a million tokens cost {_cost(a)}, {_cost(b)}, at {basis} price", {**a, "provenance": "derived"})
        for speed, a, b in comparison(found)[:6]
    ]


show()
