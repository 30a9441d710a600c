"""What the figures mean, in one line each, with the view that works it out."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from dashboard import data
from dashboard.parts import gaps, rent_steps, renting
from dashboard.parts.agentperf import results
from dashboard.parts.html import joined, tag, view_link, write
from dashboard.parts.names import label


def show() -> None:
    """The standing answers: how far vendors are apart, and whether owning is cheaper than renting."""
    lines = [tag("<li><strong>{}</strong> {}</li>", question, answer) for question, answer in _answers()]
    if lines:
        write(tag('<ul class="meaning">{}</ul>', joined(lines, "")))


def _answers() -> Iterator[tuple[str, Markup]]:
    if data.has("agentperf_results"):
        newest = sorted(results("throughput_tok_s_mw"), key=lambda r: r["valid_from"], reverse=True)
        keys = dict.fromkeys(r["model_key"] for r in newest if r["model_key"])
        gap = next(filter(None, (gaps.widest(key, None) for key in list(keys)[:5])), None)
        if gap:
            link = view_link("leaderboard", "What else differs", model=label(gap["model_key"]))
            yield f"How far is {gap['vendor']} from {gap['other_vendor']}?", joined([gaps.sentence(gap), link])
    if data.has("rent_vs_own", "cost_at_interactivity"):
        models = renting.models(None)
        found = renting.comparisons(models[0], None) if models else []
        if found:
            chosen = rent_steps.nearest(rent_steps.of_first_hardware(found))
            rungs = rent_steps.ladder(renting.steps(chosen, None))
            link = view_link("rent_or_own", "Step by step, and for your own workload", model=label(models[0]))
            yield "Is owning cheaper than renting?", joined([rent_steps.sentence(chosen, rungs), link])
