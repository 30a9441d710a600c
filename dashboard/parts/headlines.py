"""Throughput headlines with the measured point that may be behind them, for the front page and the headline view."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from dashboard import data
from dashboard.parts import page
from dashboard.parts.colours import TOKENS, ground
from dashboard.parts.html import paragraph, tag, view_link, write
from dashboard.parts.names import label
from dashboard.parts.numbers import number, share, text

Row = data.Row

_PAIRED = """
SELECT c.*, s.output_share, s.cached_input_share, s.uncached_input_share
FROM headline_crosscheck c
LEFT JOIN token_split s ON s.point_id = c.point_id AND s.source = c.point_source AND s.origin = c.point_origin
WHERE {where} ORDER BY c.valid_from DESC, c.origin = 'curated', c.headline_tok_s_mw DESC, c.system, c.publication LIMIT 500"""

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
    """One line on the newest headline: what it counts, and where that is worked out."""
    if not data.has(*TABLES):
        return
    found = apart(data.rows(_PAIRED.format(where="s.cached_input_share IS NOT NULL")))
    if not found:
        return
    page.section(f"What does “{text(found['headline_tok_s_mw'], 'tok/s per MW')}” count?")
    parts = (("cached input", found["cached_input_share"]), ("new input", found["uncached_input_share"]), ("generated", found["output_share"]))
    colours = TOKENS[ground()]
    bar = tag("").join(tag('<span style="width:{}%;background:{}"></span>', round(100 * part, 3), colours[kind]) for kind, part in parts)
    write(
        tag('<div class="bar" role="img" aria-label="{}">{}</div>', ", ".join(f"{text(100 * p, '%')} {k}" for k, p in parts), bar),
        paragraph(
            share(found["cached_input_share"]),
            "cached input,",
            share(found["uncached_input_share"]),
            "new input,",
            share(found["output_share"]),
            "generated; one user sees",
            number(found["interactivity_tok_s"], "tok/s"),
            f"({found['model']} on {found['system']}, pairing {found['pairing']}).",
            view_link("headline", "How this is worked out", model=label(found["model_key"])),
        ),
    )
