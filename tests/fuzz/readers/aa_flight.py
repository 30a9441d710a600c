"""The pages of Artificial Analysis: the data stream and everything behind it up to the tables."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import Bundle
from tests.fuzz.readers.base import Reader, bundle_of
from tests.fuzz.spoiling import Spoiler
from tests.helpers.aa_pages import ADDRESSES, PUBLIC, snake, wrapped
from tests.helpers.agentperf_figures import LAYOUTS, MI355X_CONFIGURATION, published
from tests.helpers.model_records import muse_spark_closed, muse_spark_open

METHODOLOGY = (
    "<p>Every simulated agent replays coding trajectories of up to 200 turns.</p>"
    "<p>Inputs: input lengths from 5,000 to 131,000 tokens, mean of 27K. Output: median around 150 tokens, P95 of ~2K tokens.</p>"
    "<table><tr><th>Model</th><th>P25 output speed</th><th>P95 TTFT</th></tr><tr><td>DeepSeek V4 Pro</td><td>≥ 20 tok/s</td><td>≤ 10 s</td></tr></table>"
    "<p>gpt-oss-120b: 100, 250, 500 and 2000 tokens per second.</p>"
)

TOKENS = re.compile(r"</?\w+[^>]*>|[\w,.~≥≤%]+|\s+|.", re.DOTALL)
ODD_WORDS = (
    "",
    "<table>",
    "</td>",
    "<td>" * 300,
    "<div>" * 400,
    "9" * 400,
    "5K to",
    "1e999K",
    "P95",
    "tok/s",
    ":",
    "²K",
    "~",
    "and",
    "0",
    "-5",
    "\x00",
    "&#0;",
    "&#xD800;",
    "9" * 5000,
)


def _trees(spoiler: Spoiler, resource: str) -> list[Any]:
    random = spoiler.random
    if resource == "datacenter":
        return [{**LAYOUTS[random.choice(sorted(LAYOUTS))](published()), "methodologyVersion": "B"}]
    if resource == "configurations":
        return [{"configs": [MI355X_CONFIGURATION, {**MI355X_CONFIGURATION, "id": "another", "system": "B300"}]}]
    if resource == "methodology":
        return [{"children": "sections"}]
    models = [muse_spark_open(), muse_spark_closed()] + [muse_spark_open(id=f"id-{n}", slug=f"m-{n}", name=f"M {n}") for n in range(random.choice([0, 2, 25]))]
    models = snake(models) if random.random() < 0.2 else models
    return [{"models": [{"id": m["id"], "slug": m["slug"], "name": m["name"]} for m in models]}, {"models": models, "intelligenceIndexVersion": 4.3}]


def page(spoiler: Spoiler, trees: list[Any], body: str = "") -> bytes:
    """A page whose stream is made of spoilt trees and now and then spoilt itself."""
    random = spoiler.random
    rows = [f"{0x10 + n:x}:{spoiler.json(wrapped(spoiler.tree(tree), random.choice([0, 1, 3, 40])))}\n" for n, tree in enumerate(trees)]
    text = random.choice(["Notes [{ that look like data }] \U0001d70f²", '{"a":[1,2]}', "x" * 70_000])
    rows.insert(random.randint(0, len(rows)), f"a0:T{len(text.encode()):x},{text}")
    rows.insert(
        0, random.choice(['1:"$Sreact.fragment"\n', '2:I[4711,["22","a.js"],"default"]\n', ':HL["/a.css","style"]\n', '3:"$10"\n4:"$3"\n', '5:["$5","$10"]\n'])
    )
    stream = "".join(rows)
    if random.random() < 0.15:
        at = random.randrange(len(stream))
        stream = (
            stream[:at]
            + random.choice(["\n", "$", "T5,", "f0:T7fffffff,", "0:", ":", "\x00", '"', "a" * 99, "\ud83d", "10:[]\n"])
            + stream[at + random.choice([0, 1, 9]) :]
        )
    size = random.choice([7, 500, 5000, 90_000])
    size = max(size, len(stream) // 400)
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    scripts = "".join(f"<script>self.__next_f.push([1,{json.dumps(piece).replace('<', chr(92) + 'u003c')}])</script>" for piece in pieces)
    if random.random() < 0.1:
        linked = spoiler.json(spoiler.tree({"@type": "Dataset", "data": [{"name": "M", "id": "i", "slug": "s", "intelligenceIndex": 3}]}))
        scripts += f'<script type="application/ld+json">{linked}</script>'
    title = html.escape(random.choice(["LLM Leaderboard", "AgentPerf", "", "<b>\x00"]))
    whole = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><main>{body}</main><script>(self.__next_f=self.__next_f||[]).push([0])</script>{scripts}</body></html>"
    return spoiler.data(whole.encode("utf-8", "surrogatepass"))


def _body(spoiler: Spoiler, resource: str) -> str:
    if resource == "methodology":
        return str(spoiler.tree([METHODOLOGY, METHODOLOGY])[:1] or [""]) if spoiler.random.random() < 0.2 else spoiler.text(METHODOLOGY, TOKENS, ODD_WORDS)
    if resource == "configurations":
        c = MI355X_CONFIGURATION
        card = f'<article id="config-{c["id"]}"><h3>{c["title"]}</h3><p>{c["text"]}</p><pre><code>{c["command"]}</code></pre></article>'
        return spoiler.text(f"<p>Showing 1 of 2 configurations</p>{card}", TOKENS, ODD_WORDS)
    return ""


def spoilt(spoiler: Spoiler) -> Bundle:
    resource = spoiler.random.choice(["leaderboard", "leaderboard", "datacenter", "datacenter", "configurations", "methodology", "model_page/muse-spark-open"])
    scope = PUBLIC + ADDRESSES.get(resource, "/models/muse-spark-open")
    return bundle_of("artificial_analysis", resource, scope, (page(spoiler, _trees(spoiler, resource), _body(spoiler, resource)), {}))


READER = Reader("AA pages", ArtificialAnalysis(), spoilt)
