"""Throughput or cost against the speed one user sees: measured points, the frontier between them, two days overlaid."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import altair as alt

from dashboard import data
from dashboard.parts import charts
from dashboard.parts.colours import vendor_scale
from dashboard.parts.numbers import rounded

Row = data.Row
DRAWN = "datum.label == 'clamped' ? 'end held on' : 'interpolated'"
SHAPES = {"inferencex": "circle", "sglang": "square", "artificial_analysis": "triangle-up", "curated": "diamond"}

# Everything that tells one deployment from another.
CONFIGURATION = {
    "accelerator": "Accelerator",
    "accelerators": "Accelerators",
    "precision": "Precision",
    "weight_format": "Weights",
    "framework": "Framework",
    "framework_version": "Version",
    "parallelism": "Parallelism",
    "disaggregated": "Prefill and decode apart",
    "speculative_decoding": "Speculation",
    "concurrency": "Concurrency",
    "kv_offload": "KV cache spills to",
    "cache_hit_ratio": "Cache hits",
    "ttft_s": "Time to first token, s",
    "attributed_to": "Submitted by",
    "status": "Status",
    "flags": "Doubts",
    "measured_on": "Measured",
}


def _series(row: Row) -> str:
    return f"{row['accelerator']} {row['precision'] or ''}".strip()


def _point(row: Row, column: str) -> dict[str, Any]:
    """A point with its configuration as it is shown on hover; what is not published is said so."""
    parallel = " ".join(f"{k.upper()}{row[k]}" for k in ("tp", "ep", "dp") if row[k] is not None)
    told = {**row, "parallelism": parallel or None, "flags": ", ".join(row["flags"]) if row["flags"] else "none"}
    shown = {k: "not published" if told[k] is None else str(told[k]) for k in CONFIGURATION}
    doubtful = bool(row["flags"]) or row["status"] != "active"
    return {
        **shown,
        "vendor": row["vendor"] or "unknown",
        "source": row["source"],
        "series": _series(row),
        "x": row["interactivity_tok_s"],
        "y": row[column],
        "doubtful": doubtful,
        "second_hand": row["origin"] == "curated",
    }


def parts(curve: Sequence[Row], column: str, shown: str) -> list[Row]:
    """The curve cut where its method changes, so that each part can be drawn its own way; parts meet in one point."""
    cut: list[Row] = []
    former: Row | None = None
    number = 0
    for row in curve:
        if row[column] is None:
            continue
        drawn = "clamped" if row["method"] == "clamped" else "interpolated"
        here = {
            "set": row["comparable_set"],
            "series": _series(row),
            "vendor": row["vendor"] or "unknown",
            "x": row["interactivity_tok_s"],
            "y": row[column],
            "drawn": drawn,
            "shown": shown,
        }
        if former is None or former["set"] != here["set"] or former["drawn"] != drawn:
            number += 1
            if former is not None and former["set"] == here["set"]:
                joint = here if former["drawn"] == "interpolated" else former
                cut.append({**former, "part": number} if drawn == "clamped" else {**joint, "drawn": drawn, "part": number})
                if drawn == "clamped":
                    cut[-1]["drawn"] = drawn
        cut.append({**here, "part": number})
        former = here
    return cut


def show(
    points: Sequence[Row],
    curves: Sequence[tuple[dt.date | None, Sequence[Row]]],
    column: tuple[str, str],
    *,
    title: str,
    log: bool,
    name: str,
    source: str,
) -> None:
    """Draw points (the first of `column`) and curves (the second); curves after the first are of another day."""
    at, along = column
    dear = along == "usd_mtok"
    dots = [_point(p, at) for p in points if p[at] is not None and p["status"] != "retracted"]
    lines = [{**r, "older": n > 0} for n, (_, curve) in enumerate(curves) for r in parts(curve, along, "")]
    if not dots and not lines:
        return
    vendors = vendor_scale([d["vendor"] for d in dots] + [line["vendor"] for line in lines])
    drawn_rows = [*dots, *lines]
    scale = _log(drawn_rows, "x") if log else alt.Scale(zero=False)
    x = alt.X("x:Q", title=f"Speed one user sees, output tok/s{' (log)' if log else ''}", scale=scale)
    y = alt.Y(
        "y:Q",
        title=f"{title}{' (log)' if log else ''}",
        scale=_log(drawn_rows, "y") if log else alt.Scale(zero=True),
        axis=alt.Axis(labelExpr="datum.label ? '$' + datum.label : ''") if dear else alt.Axis(format="~s"),
    )
    colour = alt.Color("vendor:N", title=None, scale=vendors, legend=alt.Legend(orient="top", columns=2))
    drawing = charts.Drawing(name)
    layers: list[alt.Chart] = []
    if lines:
        drawn = alt.StrokeDash(
            "drawn:N",
            title=None,
            scale=alt.Scale(domain=["interpolated", "clamped"], range=[[6, 3], [1, 4]]),
            legend=alt.Legend(
                orient="top",
                symbolType="stroke",
                symbolSize=400,
                columns=1,
                labelLimit=200,
                labelExpr=DRAWN,
            ),
        )
        layers.append(
            drawing.of(lines)
            .mark_line(strokeWidth=2)
            .encode(
                x=x,
                y=y,
                color=colour,
                strokeDash=drawn,
                detail=["set:N", "part:N", "older:N"],
                opacity=alt.OpacityValue(**charts.when("datum.older", 0.35, 1)),
                order="x:Q",
            )
        )
        ends = _ends(lines, fast=dear)
        layers.append(
            drawing.of(ends)
            .mark_text(align="right" if dear else "left", dx=-8 if dear else 8, dy=-8, fontWeight=600)
            .encode(x=x, y=y, text="label:N", color=colour)
        )
    if dots:
        layers.append(
            drawing.of(dots)
            .mark_point(filled=True, size=64)
            .encode(
                x=x,
                y=y,
                color=colour,
                shape=alt.Shape("source:N", legend=None, scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))),
                opacity=alt.OpacityValue(**charts.when("datum.doubtful", 0.35, 1)),
                fillOpacity=alt.FillOpacityValue(**charts.when("datum.second_hand", 0, 1)),
                tooltip=[
                    alt.Tooltip("x:Q", title="One user sees, tok/s", format=".4~g"),
                    alt.Tooltip("y:Q", title=title, format=",.6~g"),
                    *(alt.Tooltip(f"{k}:N", title=t) for k, t in CONFIGURATION.items()),
                ],
            )
        )
    chart = alt.layer(*layers).properties(height=380)
    told = "; ".join(f"{d['series']} {rounded(d['x'])} tok/s: {rounded(d['y'])}" for d in dots[:30])
    drawing.show(chart, [*dots, *lines], says=f"{title} against the speed one user sees. {told}.", source=source)


def _log(rows: Sequence[Row], axis: str) -> alt.Scale:
    """A log axis around what is drawn."""
    values = [r[axis] for r in rows if r[axis] > 0] or [1.0]
    return alt.Scale(type="log", domain=[0.8 * min(values), 1.25 * max(values)], nice=False)


def _ends(lines: Sequence[Row], *, fast: bool) -> list[Row]:
    """One label a curve of the day shown, where curves lie furthest apart: at the slow end for throughput, at the fast end for cost."""
    found: dict[str, Row] = {}
    for line in lines:
        if line["drawn"] == "interpolated" and not line["older"] and (fast or line["set"] not in found):
            found[line["set"]] = {**line, "label": line["series"]}
    return list(found.values())
