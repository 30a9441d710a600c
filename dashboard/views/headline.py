"""What the headline counts: a throughput per megawatt taken apart into cached input, new input and generated tokens."""

from __future__ import annotations

import datetime as dt

import altair as alt
import streamlit as st

from dashboard import data
from dashboard.parts import caveats, charts, controls, names, page
from dashboard.parts.agentperf import results
from dashboard.parts.badges import badge
from dashboard.parts.citing import citation, shared_source, source_line
from dashboard.parts.colours import TOKENS, ground, of_vendor
from dashboard.parts.headlines import VERDICTS, apart, key, paired, point
from dashboard.parts.html import joined, paragraph, tag, view_link, write
from dashboard.parts.numbers import number, percent, plain, rounded, share, text
from dashboard.parts.table import Cells, table

Row = data.Row
Paired = dict[tuple[str, str, str | None], Row]
KINDS = (("cached input", "cached_input"), ("new input", "uncached_input"), ("generated", "output"))

UNPAIRED: Row = {"cached_input_share": None}


def answer(headline: Row, pair: Row | None) -> None:
    """What the headline counts, in words."""
    if pair is None or pair["cached_input_share"] is None:
        page.answer(
            f"Nothing measured at that speed is published for {headline['model']} on {headline['system']},",
            "so its tokens cannot be told apart: input and output count alike in it.",
        )
        return
    page.answer(
        share(pair["cached_input_share"]),
        "of the tokens it counts are input read from cache,",
        share(pair["uncached_input_share"]),
        "are new input, and",
        share(pair["output_share"]),
        "are generated. At that point one user sees",
        number(pair["interactivity_tok_s"], "tok/s") + ".",
    )


def bars(headlines: list[Row], by_result: Paired) -> None:
    """One bar a headline, as long as its figure, parted where its parts are known."""
    rows = []
    for headline in headlines:
        pair = by_result.get(key(headline))
        known = pair is not None and pair["cached_input_share"] is not None
        for kind, column in KINDS if known else (("not told apart", ""),):
            part = pair[f"{column}_share"] if pair and column else 1.0
            rows.append(
                {
                    "model": headline["model"],
                    "system": headline["system"],
                    "kind": kind,
                    "share": part if column else None,
                    "tok_s_mw": headline["value"] * part,
                    "headline_tok_s_mw": headline["value"],
                }
            )
    colours = {**TOKENS[ground()], "not told apart": "#bcb6ab" if ground() == "light" else "#57534d"}
    shown = [{**r, "order": list(colours).index(r["kind"])} for r in rows]
    kinds = [k for k in colours if any(r["kind"] == k for r in rows)]
    by_system = {h["system"]: [r for r in rows if r["system"] == h["system"]] for h in headlines}
    labels = [{"system": system, "said": _said(parts[:1]), "start": 0} for system, parts in by_system.items()]
    y = alt.Y("system:N", title=None, sort=[h["system"] for h in headlines])
    drawing = charts.Drawing("headline")
    drawn = (
        drawing.of(shown)
        .mark_bar(height=26)
        .encode(
            x=alt.X("tok_s_mw:Q", title="tok/s per MW, input and output", axis=alt.Axis(format="~s", titleAnchor="end")),
            y=y,
            color=alt.Color("kind:N", title=None, scale=alt.Scale(domain=kinds, range=[colours[k] for k in kinds]), legend=alt.Legend(orient="top", columns=2)),
            order=alt.Order("order:Q"),
            tooltip=[
                alt.Tooltip("system:N", title="System"),
                alt.Tooltip("kind:N", title="Tokens"),
                alt.Tooltip("share:Q", title="Share", format=".3%"),
                alt.Tooltip("tok_s_mw:Q", title="tok/s per MW", format=",.0f"),
                alt.Tooltip("headline_tok_s_mw:Q", title="Headline", format=",.0f"),
            ],
        )
    )
    said = drawing.of(labels).mark_text(align="left", dx=8, fontSize=12).encode(x="start:Q", y=y, text="said:N")
    chart = (drawn + said).properties(height=alt.Step(40))
    says = "; ".join(f"{system}: {_said(parts)}" for system, parts in by_system.items())
    drawing.show(
        chart,
        rows,
        says=f"Bars of throughput per megawatt by kind of token. {says}.",
        source="AA-AgentPerf for the length of a bar; the paired measurement for its parts",
    )


def _said(parts: list[Row]) -> str:
    """The parts of one bar in words."""
    return " · ".join(f"{percent(p['share'])} {p['kind']}" if p["share"] is not None else p["kind"] for p in parts)


def headline_list(headlines: list[Row], by_result: Paired) -> None:
    """The headlines with who measured them and the speed a user sees."""
    columns = (
        Cells("System", lambda r: tag('<span class="key" style="background:{}"></span>{}', of_vendor(r["vendor"]), r["system"])),
        Cells("Headline", lambda r: joined([{"about": "about", "up_to": "up to"}.get(r["qualifier"], ""), number(r["value"])]), "tok/s per MW", right=True),
        Cells("One user sees", lambda r: number(by_result.get(key(r), {}).get("interactivity_tok_s")), "output tok/s", right=True),
        Cells("Reading", lambda r: {"ceiling": "a ceiling", "floor": "a floor"}.get(r["bound"], "")),
        Cells("Configured by", lambda r: r["configured_by"] or "not published"),
    )
    who, line = shared_source(headlines, "agentperf_results")
    table(headlines, (*columns, *who), "Each headline, who measured it and where to look.")
    write(line)


def crosscheck(found: list[Row]) -> None:
    """Whether the headline and the measured point can be of one run."""
    page.section("Does the headline agree with a measurement?")
    if not found:
        page.small("There is nothing to hold against the headline.")
    for r in sorted(found, key=lambda r: r["point_id"] is None):
        if r["point_id"] is None:
            write(paragraph(tag("<strong>{}: not known.</strong>", r["system"]), r["unknown"][:1].upper() + r["unknown"][1:] + "."))
            continue
        said: list[object] = [tag("<strong>{}: {}.</strong>", r["system"], VERDICTS.get(r["verdict"], f"not known, because {r['unknown']}"))]
        if r["implied_tok_s_gpu_low"] is not None:
            exact = f"{plain(r['implied_tok_s_gpu_low'])} to {plain(r['implied_tok_s_gpu_high'])} tok/s per GPU"
            band = f"{rounded(r['implied_tok_s_gpu_low'])} to {rounded(r['implied_tok_s_gpu_high'])} tok/s per GPU"
            said += [
                tag(
                    'At {} to {} W an accelerator the headline implies <span title="{}">{}</span>;',
                    rounded(r["kw_low"] * 1000),
                    rounded(r["kw_high"] * 1000),
                    exact,
                    band,
                )
            ]
        said += ["measured were", number(r["measured_tok_s_gpu"], "tok/s per GPU"), "at", number(r["interactivity_tok_s"], "tok/s per user")]
        if r["implied_watts_per_accelerator"] is not None:
            said += [", which would be", number(r["implied_watts_per_accelerator"], "W"), "an accelerator"]
        write(paragraph(*said, ".", badge(f"pairing {r['pairing']}")))
        write(paragraph("Measured point:", source_line(point(r), "operating_points"), kind="source"))


def speeds(model: str, day: dt.date | None) -> None:
    """The other points of the same workload: how the counting changes with the speed a user sees."""
    rows = data.rows(
        """SELECT p.*, s.output_share, s.cached_input_share, s.uncached_input_share
           FROM operating_points p JOIN token_split s USING (point_id, source, origin)
           WHERE p.model_key = ? AND p.scenario = 'aa_agentperf' AND p.status IN ('active', 'superseded') AND p.total_tok_s_gpu IS NOT NULL
             AND NOT (p.origin = 'curated' AND EXISTS (
               FROM operating_points o WHERE o.origin <> 'curated' AND o.model_key = p.model_key AND o.accelerator = p.accelerator
                 AND o.scenario = p.scenario AND o.concurrency = p.concurrency AND o.total_tok_s_gpu IS NOT NULL))
           ORDER BY p.accelerator, p.interactivity_tok_s, p.origin LIMIT 200""",
        [model],
        day,
    )
    if not rows:
        return
    page.section("And when each user gets more speed?")
    columns = (
        Cells("Accelerator", lambda r: r["accelerator"]),
        Cells("Users at once", lambda r: number(r["concurrency"]), "concurrency", right=True),
        Cells("One user sees", lambda r: number(r["interactivity_tok_s"]), "output tok/s", right=True),
        Cells("In all", lambda r: number(r["total_tok_s_gpu"]), "tok/s per GPU", right=True),
        Cells("Read from cache", lambda r: share(r["cached_input_share"]), "of all tokens", right=True),
        Cells("New input", lambda r: share(r["uncached_input_share"]), "of all tokens", right=True),
        Cells("Generated", lambda r: share(r["output_share"]), "of all tokens", right=True),
        Cells("Cache hits", _hits, "of input", right=True),
    )
    who, line = shared_source(rows, "operating_points")
    table(rows, (*columns, *who), "Measured points, slowest first.")
    write(line)
    caveats.show("operating_points", rows, day)


def _hits(r: Row) -> object:
    if r["cache_hit_ratio_low"] is None or r["cache_hit_ratio_low"] == r["cache_hit_ratio_high"]:
        return share(r["cache_hit_ratio"])
    return joined([share(r["cache_hit_ratio"]), tag("({} to {})", percent(r["cache_hit_ratio_low"]), percent(r["cache_hit_ratio_high"]))])


def show() -> None:
    """The view."""
    title = st.container()
    left, right, _ = st.columns([2, 1, 1])
    with right:
        day = controls.as_of()
    tables = ("agentperf_results", "operating_points", "token_split", "headline_crosscheck")
    found = results("throughput_tok_s_mw", day) if data.has(*tables) else []
    with left:
        model = names.choose(r["model_key"] for r in sorted(found, key=lambda r: r["valid_from"], reverse=True))
    headlines = [r for r in found if r["model_key"] == model]
    with title:
        said = text(headlines[0]["value"], "tok/s per MW") if headlines else "tokens per second per megawatt"
        if not page.question(f"What does “{said}” count?", sources=("artificial_analysis", "sglang", "curated"), tables=tables):
            return
        if not model:
            page.empty(
                "No throughput per megawatt is published yet"
                + (f" as of {day}." if day else ". It comes with the AA-AgentPerf datacenter page or a curated entry.")
            )
            return
        by_result = paired(model, day)
        best = next((h for h in headlines if apart([by_result.get(key(h), UNPAIRED)])), headlines[0])
        answer(best, by_result.get(key(best)))
    bars(headlines, by_result)
    caveats.show("agentperf_results", headlines, day)
    headline_list(headlines, by_result)
    crosscheck([by_result[key(h)] for h in headlines if key(h) in by_result])
    speeds(model, day)
    write(
        paragraph(
            "Tokens per second per megawatt never rank models: what a model counts depends on its workload.",
            "Agents per megawatt at one service level do, in the",
            view_link("leaderboard", "leaderboard") + ".",
            kind="small",
        )
    )
    citation([(f"{h['model']} on {h['system']}: {text(h['value'], 'tok/s per MW')} (input and output)", h) for h in headlines])


show()
