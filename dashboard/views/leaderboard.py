"""Leaderboard: agents per megawatt at one service level across models and systems; throughput within a model."""

from __future__ import annotations

import datetime as dt
import textwrap

import altair as alt
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import data
from dashboard.parts import caveats, charts, controls, disagreements, gaps, names, page
from dashboard.parts.agentperf import results, tier
from dashboard.parts.citing import citation, source_line
from dashboard.parts.colours import of_vendor, vendor_scale
from dashboard.parts.html import joined, tag
from dashboard.parts.numbers import UNITS, change, day, number, plain, rounded, text
from dashboard.parts.table import Cells, table

Row = data.Row
PER = {
    "agents_per_mw": "agents per MW",
    "agents_per_accelerator": "agents per accelerator",
    "agents_per_system": "agents per system",
    "max_agents": "agents at once",
}


def level(row: Row) -> float | None:
    """What puts results into one tier: the speed promised to the slowest quarter of agents."""
    return row["slo_p25_tok_s"]


def before(metric: str, against: dt.date | None) -> dict[tuple[str, str, str | None], float]:
    """The values of another day, by result."""
    if against is None:
        return {}
    return {(r["result_id"], r["origin"], r["publication"]): r["value"] for r in results(metric, against)}


def answer(rows: list[Row], metric: str) -> None:
    """Who leads, and how far the best of another vendor is behind the leader on its own model: two models are two workloads."""
    best = rows[0]
    other = next((r for r in rows if r["vendor"] != best["vendor"] and r["vendor"]), None)
    said = [f"At {tier(best)}, {best['system']} leads with", number(best["value"], UNITS[metric]), f"on {best['model']}"]
    tail = ""
    if other:
        rival = next(r for r in rows if r["model"] == other["model"])
        part = "" if rival is other else f", {rounded(100 * other['value'] / rival['value'])} % of {rival['system']} there"
        tail = f"; the best {other['vendor']} system, {other['system']} on {other['model']}, reaches {rounded(other['value'])}{part}"
    page.answer(*said, f"{tail}.")


def bars(rows: list[Row], metric: str, name: str) -> None:
    """One bar a result; hollow where the figure came second-hand."""
    shown = [
        {
            **{k: r[k] for k in ("model", "system", "value", "accelerators", "source", "origin", "provenance", "source_url")},
            "vendor": r["vendor"] or "unknown",
            "configured_by": r["configured_by"] or "not published",
            "label": "\n".join([*textwrap.wrap(f"{r['system']}{' *' if r['origin'] == 'curated' else ''}", 24)[:2], r["model"]]),
            "shown": rounded(r["value"]),
            "hand": r["origin"] == "curated",
            "since": day(r["valid_from"]),
        }
        for r in rows
    ]
    y = alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelLimit=150, labelOverlap=False, labelExpr="split(datum.label, '\\n')"))
    room = max(r["value"] for r in shown) * (1 + 0.028 * max(len(r["shown"]) for r in shown))
    x = alt.X("value:Q", title=UNITS[metric], axis=alt.Axis(format="~s"), scale=alt.Scale(domain=[0, room], nice=False))
    drawing = charts.Drawing(name)
    base = drawing.of(shown)
    drawn = base.mark_bar(height=18, strokeWidth=1.5).encode(
        x=x,
        y=y,
        color=alt.Color("vendor:N", title=None, scale=vendor_scale(r["vendor"] for r in shown), legend=alt.Legend(orient="top")),
        stroke=alt.Stroke("vendor:N", scale=vendor_scale(r["vendor"] for r in shown), legend=None),
        fillOpacity=alt.FillOpacityValue(**charts.when("datum.hand", 0.12, 1)),
        tooltip=[
            alt.Tooltip("system:N", title="System"),
            alt.Tooltip("model:N", title="Model"),
            alt.Tooltip("value:Q", title=UNITS[metric], format=",.0f"),
            alt.Tooltip("configured_by:N", title="Configured by"),
            alt.Tooltip("since:N", title="Since"),
        ],
    )
    values = base.mark_text(align="left", dx=5).encode(x=x, y=y, text="shown:N")
    says = "; ".join(f"{r['system']}, {r['model']}: {r['shown']}" for r in shown[:12])
    drawing.show(
        (drawn + values).properties(height=alt.Step(16 + 12 * max(r["label"].count("\n") + 1 for r in shown))),
        shown,
        says=f"Bars of {UNITS[metric]}. {says}.",
        source="AA-AgentPerf",
    )
    if any(r["hand"] for r in shown):
        page.small("* Hollow: entered by hand from a publication, not read from the page.")


def listing(rows: list[Row], metric: str, former: dict[tuple[str, str, str | None], float], against: dt.date | None) -> None:
    """The results with all that belongs to a number."""

    def moved(r: Row) -> object:
        old = former.get((r["result_id"], r["origin"], r["publication"]))
        if old is None:
            return "not there"
        return "no change" if old == r["value"] else tag('<span title="from {}">{}</span>', plain(old), change(old, r["value"]))

    columns = [
        Cells("System", lambda r: tag('<span class="key" style="background:{}"></span>{}', of_vendor(r["vendor"]), r["system"])),
        Cells("Model", lambda r: r["model"]),
        Cells("Figure", lambda r: joined([{"about": "about", "up_to": "up to"}.get(r["qualifier"], ""), number(r["value"])]), UNITS[metric], right=True),
        Cells("Accelerators", lambda r: number(r["accelerators"]), "count", right=True),
        Cells("Configured by", lambda r: r["configured_by"] or "not published"),
        Cells("Reading", lambda r: {"ceiling": "a ceiling", "floor": "a floor"}.get(r["bound"], "")),
        Cells("Who says so", lambda r: source_line(r, "agentperf_results")),
    ]
    if against:
        columns.insert(3, Cells("Change", moved, f"since {day(against)}", right=True))
    table(rows, columns, "Results, best first.")


def across(day_shown: dt.date | None, against: dt.date | None, answered: DeltaGenerator) -> list[Row]:
    """Agents at one service level: these may be ranked across models."""
    metrics = [m for m in PER if data.rows("SELECT 1 FROM agentperf_results WHERE metric = ? LIMIT 1", [m], day_shown)]
    if not metrics:
        page.empty("No count of agents is published yet. It comes with the AA-AgentPerf results page or a curated entry.")
        return []
    left, right = st.columns(2)
    with left:
        metric = {PER[m]: m for m in metrics}[controls.choice("Count", [PER[m] for m in metrics], "count") or PER[metrics[0]]]
    rows = results(metric, day_shown)
    tiers = sorted({level(r) for r in rows}, key=lambda t: (t is None, t or 0))
    labels = {f"{rounded(t)} tok/s per user" if t is not None else "not published": t for t in tiers}
    with right:
        picked = labels[controls.choice("Service level: speed of the slowest quarter of agents", list(labels), "tier") or next(iter(labels))]
    rows = [r for r in rows if level(r) == picked]
    with answered:
        answer(rows, metric)
    bars(rows, metric, "agents")
    caveats.show("agentperf_results", rows, day_shown)
    listing(rows, metric, before(metric, against), against)
    disagreements.show(
        [d for key in dict.fromkeys(r["model_key"] for r in rows) for d in disagreements.of(key, day_shown, ("agentperf_value", "service_level_label"))]
    )
    return rows


def within(day_shown: dt.date | None, against: dt.date | None) -> None:
    """Throughput per megawatt: only within a model."""
    rows = results("throughput_tok_s_mw", day_shown)
    page.section("And within one model, how much throughput per megawatt?")
    if not rows:
        page.small("No throughput per megawatt is published" + (f" as of {day(day_shown)}." if day_shown else " yet."))
        return
    newest = sorted(rows, key=lambda r: r["valid_from"], reverse=True)
    model = names.choose(r["model_key"] for r in newest)
    rows = [r for r in rows if r["model_key"] == model]
    gap(model or "", day_shown)
    bars(rows, "throughput_tok_s_mw", "throughput")
    caveats.show("agentperf_results", rows, day_shown)
    listing(rows, "throughput_tok_s_mw", before("throughput_tok_s_mw", against), against)
    page.small("Input and output tokens count alike here, so a model with longer prompts counts more; across models this figure ranks nothing.")


def gap(model: str, day_shown: dt.date | None) -> None:
    """How far the best systems of two vendors stand apart, what that was before, and what else differs between them."""
    found = gaps.widest(model, day_shown)
    if not found:
        return
    page.answer(gaps.sentence(found))
    if found["differences"]:
        page.small("Between the two also differ:", "; ".join(found["differences"]) + ".")


def show() -> None:
    """The view."""
    if not page.question("Who serves the most agents per megawatt?", sources=("artificial_analysis", "curated"), tables=("agentperf_results",)):
        return
    answered = st.container()
    left, right, _ = st.columns([1, 1, 2])
    with left:
        day_shown = controls.as_of()
    with right:
        against = controls.as_of("Change since the end of", "against")
    rows = across(day_shown, against, answered)
    within(day_shown, against)
    if rows:
        citation([(f"{r['model']} on {r['system']} at {tier(r)}: {text(r['value'], UNITS[r['metric']])}", r) for r in rows[:20]])


show()
