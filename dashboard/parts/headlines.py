"""Throughput headlines with the measured point that may be behind them, for the front page and the headline view."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from dashboard import data
from dashboard.parts import page
from dashboard.parts.citing import publisher, when
from dashboard.parts.colours import TOKENS, ground, text_colour
from dashboard.parts.html import joined, paragraph, tag, view_link, write
from dashboard.parts.names import label
from dashboard.parts.numbers import number, percent, rounded, share, text

Row = data.Row

_PAIRED = """
SELECT c.*, s.output_share, s.cached_input_share, s.uncached_input_share
FROM headline_crosscheck c
LEFT JOIN token_split s ON s.point_id = c.point_id AND s.source = c.point_source AND s.origin = c.point_origin
WHERE {where} ORDER BY c.valid_from DESC, c.origin = 'curated', c.headline_tok_s_mw DESC, c.system, c.publication LIMIT 500"""

VERDICTS = {
    "consistent": "the two agree",
    "inconsistent": "the two do not agree",
    "unit_error": "the power implied is not possible for one accelerator: a unit must be wrong",
}

TABLES = ("headline_crosscheck", "token_split")


def key(row: Row) -> tuple[str, str, str | None]:
    """What tells one published value from another."""
    return row["result_id"], row["origin"], row["publication"]


def paired(model: str, as_of: dt.date | None) -> dict[tuple[str, str, str | None], Row]:
    """The cross-check of each headline of a model, with the split of its point's tokens."""
    return {key(r): r for r in data.rows(_PAIRED.format(where="c.model_key = ?"), [model], as_of)}


def point(row: Row) -> Row:
    """The measured point of a cross-check, as a row of its own."""
    found = {k.removeprefix("point_"): v for k, v in row.items() if k.startswith("point_")}
    return found | {"point_id": row["point_id"], "source_url": row["point_url"]}


def apart(rows: Iterable[Row]) -> Row | None:
    """The first whose tokens can be told apart."""
    return next((r for r in rows if r["cached_input_share"] is not None), None)


def newest_headline() -> None:
    """The newest headline as one bar: what it counts, who measured it, whether the two agree, and where that is worked out."""
    if not data.has(*TABLES):
        return
    found = apart(data.rows(_PAIRED.format(where="s.cached_input_share IS NOT NULL")))
    if not found:
        return
    page.section(f"What does “{text(found['headline_tok_s_mw'], 'tok/s per MW')}” count?")
    parts = (("cached input", found["cached_input_share"]), ("new input", found["uncached_input_share"]), ("generated", found["output_share"]))
    colours = TOKENS[ground()]
    first = percent(parts[0][1]) + " " + parts[0][0]
    bar = [
        tag('<span style="width:{}%;background:{};color:{}">{}</span>', round(100 * part, 3), colours[kind], text_colour(), first if n == 0 else "")
        for n, (kind, part) in enumerate(parts)
    ]
    legend = (tag('<span><span class="key" style="background:{}"></span>{} {}</span>', colours[kind], share(part), kind) for kind, part in parts)
    measured = point(found)
    write(
        tag('<div class="bar" role="img" aria-label="{}">{}</div>', ", ".join(f"{percent(p)} {k}" for k, p in parts), joined(bar, "")),
        tag('<p class="parts">{}</p>', joined(legend, " ")),
        paragraph(
            f"{found['model']} on {found['system']}: one user sees",
            number(found["interactivity_tok_s"], "tok/s"),
            f"at that point, measured by {publisher(measured)}, {when(measured)}; headline by {publisher(found)}, {when(found)};",
            VERDICTS.get(found["verdict"], f"whether they agree is not known, because {found['unknown']}"),
            _watts(found),
            f"(pairing {found['pairing']}).",
            view_link("headline", "How this is worked out", model=label(found["model_key"])),
            kind="wide",
        ),
    )


def _watts(found: Row) -> str:
    return f"at {rounded(found['kw_low'] * 1000)} to {rounded(found['kw_high'] * 1000)} W an accelerator" if found["verdict"] and found["kw_low"] else ""
