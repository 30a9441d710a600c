"""Rent or own: from the multiple that misleads to the one that compares like with like, and a reader's own mix."""

from __future__ import annotations

import datetime as dt

import altair as alt
import streamlit as st

from dashboard import data
from dashboard.parts import caveats, charts, controls, names, page
from dashboard.parts.badges import badge
from dashboard.parts.citing import citation, source_line
from dashboard.parts.html import joined, paragraph, tag, web_link, write
from dashboard.parts.numbers import day, dollars, number, percent, price, rounded, share, text, times
from dashboard.parts.rent_steps import ladder, nearest, of_hardware, sentence
from dashboard.parts.renting import Load, Mix, by_load, comparisons, models, own_mix, steps
from dashboard.parts.table import Cells, table
from dashboard.parts.trust import name

Row = data.Row
OWN = "your own"
FIXED = {"7 : 2 : 1 (the list's blend)": (7.0, 2.0, 1.0), "chat without cache, 3 : 1": (0.0, 3.0, 1.0)}


def choose() -> tuple[dt.date | None, Row | None]:
    """The day, and which cost to hold against the list price: the one nearest to the hosted speed stands first."""
    first, left, middle, right = st.columns([1, 1.2, 1.6, 0.9])
    with first:
        as_of = controls.as_of()
    with left:
        model = names.choose(models(as_of))
    found = comparisons(model, as_of) if model else []
    if not found:
        return as_of, None
    sets = {_hardware(r): r["comparable_set"] for r in found}
    with middle:
        hardware = sets[controls.choice("Hardware", list(sets), "hardware") or next(iter(sets))]
    found = of_hardware(found, hardware)
    start = rounded(nearest(found)["own_interactivity_tok_s"])
    speeds = {rounded(r["own_interactivity_tok_s"]): r for r in sorted(found, key=lambda r: r["own_interactivity_tok_s"])}
    with right:
        speed = controls.choice("One user sees, tok/s", list(speeds), "speed", start)
    return as_of, speeds[speed or next(iter(speeds))]


def _hardware(r: Row) -> str:
    whose = f"as stated by {r['publisher'] or name(r['source'])}" if r["method"] == "stated" else f"as measured by {name(r['source'])}"
    precision = f", {r['precision'].upper()}" if r["precision"] else ""
    return f"{r['accelerator']}{precision}, {whose}"


def ladder_chart(rungs: list[Row], chosen: Row) -> None:
    """One bar a step."""
    shown = [{**r, "said": f"{rounded(r['ratio'])}×", "label": f"{r['step']}\n{r['why']}", "naive": r["place"] == 0} for r in rungs]
    y = alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelExpr="split(datum.label, '\\n')", labelLimit=260))
    drawing = charts.Drawing("rent_steps")
    base = drawing.of(shown)
    bars = base.mark_bar(height=22).encode(
        x=alt.X("ratio:Q", title="Renting as a multiple of owning", axis=alt.Axis(format="~f", titleAnchor="end")),
        y=y,
        color=alt.ColorValue(value="#3f7cac", condition=alt.ConditionalPredicateValueDefGradientstringnullExprRef(test="datum.naive", value="#b9b3a8")),
        tooltip=[alt.Tooltip("step:N", title="Step"), alt.Tooltip("ratio:Q", title="Multiple", format=".4~g")],
    )
    words = base.mark_text(align="left", dx=5, fontWeight=600).encode(x="ratio:Q", y=y, text="said:N")
    says = "; ".join(f"{r['step']}: {r['said']}" for r in shown)
    drawing.show(
        (bars + words).properties(height=alt.Step(46)),
        rungs,
        says=f"Renting as a multiple of owning, step by step. {says}.",
        source=f"derived here from the costs of {chosen['accelerator']} and the hosted list price",
    )


def both_sides(chosen: Row) -> None:
    """What is held against what, and what else differs."""
    page.section("What is compared with what?")
    split = {k.removeprefix("split_"): v for k, v in chosen.items() if k.startswith("split_")}
    rows = [
        {
            "side": "Owning",
            "figure": price(chosen["own_usd_mtok"], "M tokens"),
            "from": joined([f"{chosen['accelerator']} at {dollars(chosen['usd_gpu_h'])} a GPU-hour, {chosen['method']}"]),
            "speed": number(chosen["own_interactivity_tok_s"], "tok/s"),
            "who": source_line(chosen, "rent_vs_own"),
        },
        {
            "side": "Renting, same mix",
            "figure": price(chosen["rent_usd_mtok_same_split"], "M tokens"),
            "from": joined(
                [
                    f"{chosen['hosted_name']}:",
                    _listed(chosen["hosted_cached_input_usd_mtok"], "cached"),
                    _listed(chosen["hosted_input_usd_mtok"], "input"),
                    _listed(chosen["hosted_output_usd_mtok"], "output"),
                    "per M tokens",
                ]
            ),
            "speed": number(chosen["hosted_output_tok_s"], "tok/s"),
            "who": joined([f"listed since {day(chosen['hosted_from'])}", web_link(chosen["hosted_url"], "page")]),
        },
        {
            "side": "The mix of tokens",
            "figure": joined(
                [share(chosen["cached_input_share"]), "cached,", share(chosen["uncached_input_share"]), "new,", share(chosen["output_share"]), "generated"]
            ),
            "from": "of the measured point itself"
            if chosen["split_source"] == "own"
            else f"borrowed from {split['accelerator']}"
            if chosen["split_source"]
            else "not known",
            "speed": number(split["interactivity_tok_s"], "tok/s"),
            "who": source_line({**split, "source": split.get("point_source")}, "rent_vs_own") if chosen["split_source"] else "",
        },
    ]
    columns = (
        Cells("Side", lambda r: tag("<strong>{}</strong>", r["side"])),
        Cells("Figure", lambda r: r["figure"]),
        Cells("From", lambda r: r["from"]),
        Cells("One user sees", lambda r: r["speed"]),
        Cells("Who says so", lambda r: r["who"]),
    )
    table(rows, columns, "Both sides of the comparison, and the mix of tokens they are made equal by.")
    write(joined((tag('<p class="caveat">{}</p>', d[:1].upper() + d[1:]) for d in chosen["differences"] or []), ""))


def _listed(value: float | None, what: str) -> str:
    return f"{dollars(value)} {what}," if value is not None else f"{what} not listed,"


def your_mix(chosen: Row, bases: list[Row]) -> None:
    """The reader's own mix and load: the multiple, and where it flips."""
    page.section("And with your own workload?")
    presets: dict[str, tuple[float, float, float]] = {}
    if chosen["cached_input_share"] is not None:
        presets["AgentPerf trace"] = (100 * chosen["cached_input_share"], 100 * chosen["uncached_input_share"], 100 * chosen["output_share"])
    presets |= FIXED
    with st.container(horizontal=True, vertical_alignment="bottom"):
        preset = st.segmented_control("Tokens", [*presets, OWN], default=next(iter(presets)), key="mix", bind="query-params", required=True)
        basis = st.segmented_control(
            "Price of an hour", [r["price_basis"] for r in bases], default=bases[0]["price_basis"], key="basis", bind="query-params", required=True
        )
    own = st.container()  # kept where there is nothing in it: what moves up or down is drawn anew and forgets its state
    left, right = st.columns(2)
    with left:
        busy = st.slider("Share of time the hardware is busy, %", 5, 100, 50, 5, key="busy", bind="query-params")
    with right:
        overhead = st.slider("On top of the price of an hour (staff, network, spares), %", 0, 200, 0, 5, key="overhead", bind="query-params")
    with own:
        amounts = presets.get(str(preset)) or _own_amounts()
    if sum(amounts) <= 0:
        page.empty("Give at least one kind of token an amount above 0.")
        return
    row = next(r for r in bases if r["price_basis"] == basis)
    mix, load = Mix.of(*amounts), Load(busy / 100, overhead / 100)
    result = own_mix(row, mix, load)
    if result["rent"] is None:
        page.empty("The list names no price of cached input, so a mix with cached input cannot be priced.")
        return
    verdict(result, mix, load, row)
    load_chart(by_load(bases, mix, load.overhead_share), load)


def _own_amounts() -> tuple[float, float, float]:
    columns = st.columns(3)
    found = []
    for column, (label, key, start) in zip(
        columns, (("Cached input", "cached", 90.0), ("New input", "new", 8.0), ("Generated", "generated", 2.0)), strict=True
    ):
        with column:
            found.append(st.number_input(label, 0.0, 1e9, start, key=key, bind="query-params"))
    return found[0], found[1], found[2]


def verdict(result: Row, mix: Mix, load: Load, row: Row) -> None:
    """What the mix and load come to, in words, with both ways to reckon the hardware's cost."""
    write(
        paragraph(
            f"Per million tokens ({percent(mix.cached)} cached, {percent(mix.new)} new, {percent(mix.generated)} generated) renting costs",
            price(result["rent"], "M tokens"),
            "and owning",
            price(result["own"], "M tokens"),
            tag("if each token costs what one of the measured run costs: renting is {}.", times(result["ratio"])),
            badge("derived here"),
        )
    )
    if result["own_by_generated"] is not None and abs(result["ratio_by_generated"] / result["ratio"] - 1) > 0.01:
        write(
            paragraph(
                "If the hardware's time goes with the generated tokens instead, owning costs",
                price(result["own_by_generated"], "M tokens"),
                tag("and renting is {}.", times(result["ratio_by_generated"])),
                "The measured run generated",
                share(row["output_share"]),
                "of its tokens; a mix far from that was not measured, and the truth lies between or beyond the two.",
            )
        )
    if result["flips_at"] is not None:
        flips = (
            f"Owning is the cheaper way while the hardware is busy more than {percent(result['flips_at'])} of the time, reckoned by all tokens."
            if result["flips_at"] < 1
            else "Owning is never the cheaper way at this price and overhead, even when always busy."
        )
        write(paragraph(flips))


def load_chart(rows: list[Row], load: Load) -> None:
    """The multiple for every load, with the line where renting and owning cost the same."""
    drawing = charts.Drawing("rent_by_load")
    x = alt.X("busy_share:Q", title="Share of time the hardware is busy", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("ratio:Q", title="Renting as a multiple of owning (log)", scale=alt.Scale(type="log"), axis=alt.Axis(format="~f"))
    colour = alt.Color(
        "price_basis:N", title="Price of an hour", scale=alt.Scale(domain=["owning", "rental"], range=["#3f7cac", "#b5651d"]), legend=alt.Legend(orient="top")
    )
    lines = (
        drawing.of(rows)
        .mark_line(point=True, strokeDash=[6, 3])
        .encode(
            x=x,
            y=y,
            color=colour,
            tooltip=[
                alt.Tooltip("busy_share:Q", title="Busy", format=".0%"),
                alt.Tooltip("ratio:Q", title="Multiple", format=".3~g"),
                alt.Tooltip("price_basis:N", title="Price of an hour"),
            ],
        )
    )
    even = drawing.of([{"ratio": 1, "said": "renting and owning cost the same"}])
    rule = even.mark_rule(strokeWidth=1.5, color="#8a857c").encode(y="ratio:Q")
    words = even.mark_text(align="right", x="width", dy=11, color="#8a857c").encode(y="ratio:Q", text="said:N")
    here = drawing.of([{"busy_share": load.busy_share}]).mark_rule(strokeDash=[2, 3], color="#8a857c").encode(x="busy_share:Q")
    says = "; ".join(
        f"{r['price_basis']}, busy {percent(r['busy_share'])}: {rounded(r['ratio'])}×" for r in rows if round(r["busy_share"] * 100) in (10, 50, 100)
    )
    drawing.show(
        alt.layer(rule, words, here, lines).properties(height=260),
        rows,
        says=f"Renting as a multiple of owning by load. {says}.",
        source="derived here",
    )


def show() -> None:
    """The view."""
    tables = ("rent_vs_own", "cost_at_interactivity", "models", "token_split")
    if not page.question("Is owning the hardware cheaper than renting the model?", sources=("artificial_analysis", "inferencex", "curated"), tables=tables):
        return
    answered = st.container()
    as_of, chosen = choose()
    if chosen is None:
        page.empty("There is no model yet with both a cost of its own hardware and a hosted list price" + (f" as of {day(as_of)}." if as_of else "."))
        return
    compared, own = st.container(), st.container()
    found = steps(chosen, as_of)
    rungs = ladder(found)
    with answered:
        page.answer(sentence(chosen, rungs))
    with compared:
        if rungs:
            ladder_chart(rungs, chosen)
        both_sides(chosen)
        base = "stated_costs" if chosen["method"] == "stated" else "cost_at_interactivity"
        caveats.show(base, [{**chosen, "cost_of": "total", "interactivity_tok_s": chosen["own_interactivity_tok_s"]}], as_of)
    with own:
        your_mix(chosen, [r for r in (found.get(("owning", 1.0)), found.get(("rental", 1.0))) if r])
    where = f"{chosen['hosted_name']} on {chosen['accelerator']} at {text(chosen['own_interactivity_tok_s'], 'tok/s per user')}"
    derived = {**chosen, "provenance": "derived"}
    citation([(f"{where}, {r['step'].lower()}: renting costs {rounded(r['ratio'])} times as much as owning", derived) for r in rungs])


show()
