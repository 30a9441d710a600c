"""Model: one page a model, from its listing to what it was measured to serve."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard import data
from dashboard.parts import caveats, controls, disagreements, names, news, page
from dashboard.parts.badges import badges
from dashboard.parts.citing import publisher, source_line, when
from dashboard.parts.entities import history_link
from dashboard.parts.html import joined, paragraph, tag, view_link, web_link, write
from dashboard.parts.numbers import UNITS, counted, day, dollars, number, price, rounded, share, text
from dashboard.parts.table import Cells, table
from dashboard.parts.trust import name

Row = data.Row

METRICS = {
    "intelligence_index": ("Intelligence Index", ""),
    "output_tok_s": ("Output speed as hosted", "tok/s"),
    "ttft_s": ("Time to first token as hosted", "s"),
    "input_usd_mtok": ("Input price", "USD per M tokens"),
    "cached_input_usd_mtok": ("Cached input price", "USD per M tokens"),
    "output_usd_mtok": ("Output price", "USD per M tokens"),
    "blend_7_2_1_usd_mtok": ("Blend of cached, new and output at 7:2:1", "USD per M tokens"),
    "index_usd_task": ("Cost of one Index task", "USD"),
    "context_window_tokens": ("Context window", "tokens"),
    "cache_discount_ratio": ("Discount on cached input", "share"),
}


# Facts that stand in the open; the others are folded away.
FIRST_FACTS = ("licence", "total_parameters", "active_parameters", "weights", "smallest_node", "checkpoint", "release", "modality")


def of_model(sql: str, model: str, as_of: dt.date | None) -> list[Row]:
    """Rows of a model."""
    return data.rows(sql, [model], as_of)


def listing(model: str, as_of: dt.date | None) -> Row:
    """The listing that holds: the page's own before one entered by hand."""
    found = of_model("SELECT * FROM models WHERE model_key = ? ORDER BY origin = 'curated', origin = 'api', valid_from DESC LIMIT 1", model, as_of)
    return found[0] if found else {}


def answer(model: str, row: Row, results: int, points: int) -> None:
    """What it is, costs and serves, in words."""
    said: list[object] = [tag("<strong>{}</strong>", model)]
    if row:
        if row["creator"]:
            said.append(f"by {row['creator']}")
        if row["input_usd_mtok"] is not None and row["output_usd_mtok"] is not None:
            said.append(f"is listed at {dollars(row['input_usd_mtok'])} in and {dollars(row['output_usd_mtok'])} out per million tokens")
        if row["intelligence_index"] is not None:
            said.append(f"with an Intelligence Index of {rounded(row['intelligence_index'])}{' (estimated)' if row['index_is_estimated'] else ''}")
    else:
        said.append("is not listed by Artificial Analysis")
    page.answer(*said, f"; {counted(results, 'AgentPerf figure')} and {counted(points, 'measured point')} of it are published.")


def against_peers(row: Row, as_of: dt.date | None) -> None:
    """The listing's figures beside the median of its peers."""
    page.section("How does its listing compare?")
    if not row:
        page.small("It has no listing.")
        return
    peers: dict[str, Row] = {}
    if data.has("model_peers"):
        peers = {r["metric"]: r for r in data.rows("SELECT * FROM model_peers WHERE model_id = ?", [row["model_id"]], as_of)}
    shown = [{"metric": m, "value": row.get(m), "peer": peers.get(m)} for m in METRICS if row.get(m) is not None or m in peers]
    columns = [
        Cells("Figure", lambda r: METRICS[r["metric"]][0]),
        Cells("Listed", _listed, right=True),
    ]
    columns += [
        Cells("Median of its peers", lambda r: _peer(r, "peer_median"), "open weights, same size class", right=True),
        Cells("Peers", lambda r: r["peer"]["peers"] if r["peer"] and r["peer"]["peers"] else "", "count", right=True),
        Cells("Median of its peers", lambda r: _peer(r, "published_median"), "as published", right=True),
    ]
    table(shown, columns, "What Artificial Analysis lists.")
    for why in dict.fromkeys(p["unknown"] for p in peers.values() if p["unknown"]):
        page.small(f"No median is reckoned here for {', '.join(METRICS[m][0] for m, p in peers.items() if p['unknown'] == why)}: {why}.")
    write(paragraph(source_line(row, "models"), kind="source"))
    caveats.show("models", [row], as_of)


def _listed(r: Row) -> object:
    unit = METRICS[r["metric"]][1]
    if unit.startswith("USD per"):
        return price(r["value"], unit.removeprefix("USD per "))
    return share(r["value"]) if unit == "share" else number(r["value"], unit)


def _peer(r: Row, column: str) -> object:
    return number(r["peer"][column]) if r["peer"] and r["peer"][column] is not None else ""


def offers(model: str, as_of: dt.date | None) -> None:
    """Who sells it, at what price."""
    here = names.key_of("item")
    found = of_model(f"SELECT * FROM prices WHERE {here} = ? AND price_basis IN ('hosted', 'router') ORDER BY seller, component LIMIT 300", model, as_of)
    if not found:
        return
    page.section("Who offers it, at what price?")
    columns = (
        Cells("Seller", lambda r: r["seller"]),
        Cells("What", lambda r: r["component"].replace("_", " ")),
        Cells("Price", lambda r: _amount(r), right=True),
        Cells("Kind", lambda r: {"hosted": "own list price", "router": "through a router"}.get(r["price_basis"], r["price_basis"])),
        Cells("Who says so", lambda r: source_line(r, "prices")),
    )
    table(found, columns, "Prices of the model.")
    caveats.show("prices", found, as_of)


def _amount(r: Row) -> object:
    if r["unit"] == "ratio":
        return share(r["low"])
    per = "M tokens" if r["unit"] == "usd_mtok" else "GPU-hour"
    return price(r["low"], per) if r["low"] == r["high"] else joined([price(r["low"], per), "to", price(r["high"], per)])


def facts(model: str, as_of: dt.date | None) -> None:
    """Licence, weights, support: what is known besides the figures."""
    found = of_model("SELECT * FROM model_facts WHERE model_key = ? ORDER BY fact, publisher LIMIT 300", model, as_of)
    if not found:
        return
    page.section("What else is known of it?")
    columns = (
        Cells("Fact", lambda r: r["fact"].replace("_", " ")),
        Cells("Of", lambda r: r.get("offer") or ""),
        Cells(
            "Figure",
            lambda r: (
                joined([{"about": "about", "up_to": "up to"}.get(r["qualifier"], ""), number(r["value"], r["unit"] or "")]) if r["value"] is not None else ""
            ),
            right=True,
        ),
        Cells("In words", lambda r: r["value_text"]),
        Cells("Who says so", lambda r: joined([f"{publisher(r)}, {when(r)}", badges(r), web_link(r["source_url"], "page")])),
    )
    first = [r for r in found if r["fact"].startswith(FIRST_FACTS)]
    if first:
        table(first, columns, "Licence, weights and release.")
    others = [r for r in found if r not in first]
    if others:
        with st.expander(f"{counted(len(others), 'more fact')} as told by publications"):
            table(others, columns, "Facts on the model, by name.")
    caveats.show("model_facts", found, as_of)


def results(found: list[Row], as_of: dt.date | None) -> None:
    """Its AgentPerf figures."""
    page.section("What does it serve on AA-AgentPerf?")
    if not found:
        page.small("Nothing is published.")
        return
    columns = (
        Cells("System", lambda r: tag('<span class="name">{}</span>', r["system"])),
        Cells("Service level", lambda r: f"{rounded(r['slo_p25_tok_s'])} tok/s" if r["slo_p25_tok_s"] is not None else r["slo_label"] or "not published"),
        Cells("Figure", lambda r: number(r["value"], UNITS.get(r["metric"], r["metric"])), right=True),
        Cells("Configured by", lambda r: r["configured_by"] or "not published"),
        Cells("Who says so", lambda r: source_line(r, "agentperf_results")),
    )
    table(found, columns, "AgentPerf figures that stand.")
    caveats.show("agentperf_results", found, as_of)


def deployments(model: str, as_of: dt.date | None) -> int:
    """Measured points by source and accelerator, with the way to the curves; how many there are."""
    found = of_model(
        """SELECT source, origin, any_value(provenance) AS provenance, model, accelerator, precision, scenario, count(*) AS points,
                  min(interactivity_tok_s) AS slowest, max(interactivity_tok_s) AS fastest, max(total_tok_s_gpu) AS most,
                  max(measured_on) AS measured_on FROM operating_points
           WHERE model_key = ? AND status IN ('active', 'superseded') GROUP BY ALL ORDER BY source, scenario, accelerator LIMIT 300""",
        model,
        as_of,
    )
    page.section("Which deployments were measured?")
    if not found:
        page.small("None is published.")
        return 0
    columns = (
        Cells("Source", lambda r: name(r["source"])),
        Cells("Accelerator", lambda r: r["accelerator"]),
        Cells("Precision", lambda r: r["precision"] or "not published"),
        Cells("Workload", lambda r: r["scenario"].replace("_", " ")),
        Cells("Points", lambda r: number(r["points"]), "count", right=True),
        Cells("One user sees", lambda r: f"{text(r['slowest'])} to {text(r['fastest'])}", "output tok/s", right=True),
        Cells("At most", lambda r: number(r["most"]), "tok/s per GPU", right=True),
        Cells("Newest", lambda r: day(r["measured_on"]) if r["measured_on"] else "not published"),
        Cells("", badges),
        Cells("", lambda r: view_link("curves", "curves", model=names.label(model))),
    )
    table(found, columns, "Measured points by source and accelerator.")
    return sum(r["points"] for r in found)


def gates(model: str, as_of: dt.date | None) -> None:
    """Its accuracy gates."""
    found = of_model("SELECT * FROM accuracy_gates WHERE model_key = ? ORDER BY metric LIMIT 100", model, as_of)
    page.section("Is its accuracy guarded?")
    if not found:
        page.small("No accuracy gate names it.")
        return
    columns = (
        Cells("On", lambda r: r["accelerator"] or ""),
        Cells("Metric", lambda r: r["metric"].replace("_", " ")),
        Cells("Threshold", lambda r: number(r["threshold"]), right=True),
        Cells("Rests on", lambda r: r["threshold_basis"].replace("_", " ")),
        Cells("Run", lambda r: r["run_state"].replace("_", " ")),
        Cells("", lambda r: history_link("accuracy_gates", r)),
    )
    table(found, columns, "Accuracy gates of the model.")
    caveats.show("accuracy_gates", found, as_of)


def events(model: str, as_of: dt.date | None) -> None:
    """What changed about it lately."""
    if not data.has("change_events"):
        return
    found = of_model(
        f"SELECT * FROM change_events WHERE {names.key_of('model')} = ? ORDER BY detected_at DESC, summary LIMIT 30",
        model,
        as_of,
    )
    if found:
        page.section("What changed about it?")
        write(news.listed(found))


def show() -> None:
    """The view."""
    title = st.container()
    left, right, _ = st.columns([2, 1, 1])
    with right:
        as_of = controls.as_of()
    with left:
        model = names.choose(names.labels())
    with title:
        tables = ("models", "agentperf_results", "operating_points", "prices", "model_facts", "accuracy_gates")
        if not page.question(f"How does {names.label(model) if model else 'a model'} stand?", sources=(), tables=tables):
            return
        if model is None:
            page.empty("No model is known yet. Run `megawatch refresh`, then reload this page.")
            return
        answered = st.container()
    row = listing(model, as_of)
    found = of_model("SELECT * FROM agentperf_results WHERE model_key = ? ORDER BY metric, value DESC LIMIT 200", model, as_of)
    against_peers(row, as_of)
    results(found, as_of)
    points = deployments(model, as_of)
    with answered:
        answer(names.label(model), row, len(found), points)
    gates(model, as_of)
    disagreements.section(model, as_of)
    offers(model, as_of)
    facts(model, as_of)
    events(model, as_of)


show()
