"""The newest throughput headline in one line of the front page: what it counts, and where that is worked out."""

from __future__ import annotations

from dashboard import data
from dashboard.parts import page
from dashboard.parts.html import paragraph, tag, view_link, write
from dashboard.parts.numbers import number, share, text


def newest_headline() -> None:
    """Write it, where a headline and a measured point to go with it are known."""
    if not data.has("headline_crosscheck", "token_split"):
        return
    found = data.one("""
        SELECT c.*, s.cached_input_share, s.uncached_input_share, s.output_share
        FROM headline_crosscheck c JOIN token_split s USING (point_id, source, origin) WHERE s.cached_input_share IS NOT NULL
        ORDER BY c.headline_from DESC, c.origin = 'curated', c.headline_tok_s_mw DESC LIMIT 1""")
    if not found:
        return
    page.section(f"What does “{text(found['headline_tok_s_mw'], 'tok/s per MW')}” count?")
    parts = (("cached", found["cached_input_share"]), ("new", found["uncached_input_share"]), ("generated", found["output_share"]))
    bar = tag("").join(tag('<span class="{}" style="width:{}%"></span>', kind, round(100 * part, 3)) for kind, part in parts)
    write(
        tag('<div class="bar" role="img" aria-label="{}">{}</div>', ", ".join(f"{text(100 * p, '%')} {k}" for k, p in parts), bar),
        paragraph(
            share(found["cached_input_share"]),
            "cached input,",
            share(found["uncached_input_share"]),
            "new input,",
            share(found["output_share"]),
            "generated;",
            "one user sees",
            number(found["interactivity_tok_s"], "tok/s"),
            f"({found['model']} on {found['system']}, pairing {found['pairing']}).",
            view_link("headline", "How this is worked out", model=found["model"]),
        ),
    )
