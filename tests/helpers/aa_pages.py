"""Builds pages of the shape Artificial Analysis publishes: an App Router page whose data sits in stream chunks alone.

`leaderboard_page`, `agentperf_page`, `configurations_page` and `methodology_page` take records and give bytes;
`daily_pages` puts the days of the public leaderboard archive into such pages.
"""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import html
import io
import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from pipelines.sources.base import Bundle, Capture, Part

PUBLIC = "https://artificialanalysis.ai"
ADDRESSES = {
    "leaderboard": "/leaderboards/models",
    "datacenter": "/hardware-inference-stack/datacenter",
    "configurations": "/benchmarks/hardware/configs",
    "methodology": "/methodology/agentperf",
}
PROSE = "Notes [{ that look like data }] and letters beyond ASCII: 𝜏²-Bench, naïve, „quoted“"


def wrapped(tree: Any, depth: int) -> Any:
    """A tree put into page elements, one in another."""
    for level in range(depth):
        tree = [
            "$",
            f"$L{level + 2:x}" if level % 2 else "div",
            None,
            tree if isinstance(tree, dict) else {"className": "box", "children": [tree, "$undefined"]},
        ]
    return tree


def flight_page(
    *trees: Any,
    title: str = "Artificial Analysis",
    depth: int = 1,
    chunk: int = 5000,
    json_ld: tuple[Any, ...] = (),
    body: str = "",
    texts: tuple[str, ...] = (PROSE,),
) -> bytes:
    """A page whose stream holds the trees, wrapped `depth` times, in chunks of `chunk` characters, behind text rows."""
    rows = ['1:"$Sreact.fragment"\n', '2:I[4711,["22","static/chunks/22-af.js"],"default"]\n', ':HL["/_next/static/css/af.css","style"]\n']
    rows += [f"{0xA0 + n:x}:T{len(text.encode()):x},{text}" for n, text in enumerate(texts)]
    rows += [f"{0x10 + n:x}:{json.dumps(wrapped(tree, depth), ensure_ascii=False, separators=(',', ':'))}\n" for n, tree in enumerate(trees)]
    stream = "".join(rows)
    pieces = [stream[at : at + chunk] for at in range(0, len(stream), chunk)]
    scripts = "".join(f"<script>self.__next_f.push([1,{json.dumps(piece).replace('<', chr(92) + 'u003c')}])</script>" for piece in pieces)
    linked = "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in json_ld)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{html.escape(title)}</title>{linked}</head><body><main><h1>{html.escape(title)}</h1>{body}</main>'
        f"<script>(self.__next_f=self.__next_f||[]).push([0])</script>{scripts}</body></html>"
    ).encode()


def leaderboard_page(models: list[dict[str, Any]], *, index_version: Any = None, summaries: list[dict[str, Any]] | None = None, **shape: Any) -> bytes:
    """A leaderboard: a short list of the models with little on each, and the full one."""
    if summaries is None:
        summaries = [{"id": m["id"], "slug": m["slug"], "name": m["name"], "hostModels": [], "intelligenceIndex": "$undefined"} for m in models if "id" in m]
    full = {"models": models, "defaultTab": "all", **({"intelligenceIndexVersion": index_version} if index_version is not None else {})}
    return flight_page({"models": summaries, "mode": "hosts"}, full, title="LLM Leaderboard", **shape)


def agentperf_page(rows: list[dict[str, Any]], *, key: str = "results", methodology: str | None = "B", **shape: Any) -> bytes:
    """The datacenter page with results under a key."""
    return flight_page({key: rows, "methodologyVersion": methodology}, title="AI Hardware: Datacenter", **shape)


def configurations_page(configurations: list[dict[str, Any]], *, showing: tuple[int, int] | None = None, cards: bool = True, stream: bool = True) -> bytes:
    """The configurations page with records, cards, or both."""
    shown, in_all = showing or (len(configurations), len(configurations))
    made = "".join(
        f'<article id="config-{c["id"]}"><h3>{html.escape(c["title"])}</h3><p>{html.escape(c["text"])}</p>'
        f"<pre><code>{html.escape(c['command'])}</code></pre></article>"
        for c in configurations
    )
    body = f"<p>Showing {shown} of {in_all} configurations</p>{made if cards else ''}"
    return flight_page({"configs": configurations if stream else []}, title="AgentPerf configurations", body=body)


def methodology_page(body: str, **shape: Any) -> bytes:
    """The methodology page with readable HTML."""
    return flight_page({"children": "sections"}, title="AA-AgentPerf Methodology", body=body, **shape)


def bundle(resource: str, *bodies: bytes, at: dt.datetime = dt.datetime(2026, 10, 23, 23), url: str | None = None, scope: str | None = None) -> Bundle:
    """What `parse` gets: the bytes as captures of one set."""
    url = url or PUBLIC + ADDRESSES[resource]
    scope = scope or url
    captures = [
        Capture(capture_id=f"c{n}", source="artificial_analysis", resource=resource, scope=scope, set_id="s", url=url, captured_at=at, outcome="fetched")
        for n in range(len(bodies))
    ]
    return Bundle("artificial_analysis", resource, scope, at, at, tuple(Part(c, b) for c, b in zip(captures, bodies, strict=True)))


def snake(value: Any) -> Any:
    """A tree with its keys in snake_case."""
    if isinstance(value, dict):
        return {snake_key(k): snake(v) for k, v in value.items()}
    return [snake(v) for v in value] if isinstance(value, list) else value


def snake_key(key: str) -> str:
    """`price1mBlended7To2To1` as `price_1m_blended_7_to_2_to_1`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])", "_", key).lower()


def _number(text: str) -> float | None:
    return float(text) if text else None


def _model(row: dict[str, str]) -> dict[str, Any]:
    """A row of the archive as the leaderboard's record of that time."""
    return {
        "id": row["id"],
        "slug": row["slug"],
        "name": row["name"],
        "modelCreatorName": row["creator"],
        "releaseDate": row["release_date"] or None,
        "deprecated": row["deprecated"] == "True",
        "isOpenWeights": row["is_open_weights"] == "True",
        "contextWindowTokens": _number(row["context"]),
        "intelligenceIndex": _number(row["intelligence_index"]),
        "intelligenceIndexIsEstimated": row["index_estimated"] == "True",
        "price1mInputTokens": _number(row["price_in"]),
        "price1mOutputTokens": _number(row["price_out"]),
        "price1mBlended3To1": _number(row["price_blended_3_1"]),
        "medianOutputTokensPerSecond": _number(row["out_tps"]),
        "medianTimeToFirstTokenSeconds": _number(row["ttft_s"]),
        "medianEndToEndResponseTimeSeconds": _number(row["e2e_s"]),
    }


def daily_models(archive: Path) -> Iterator[tuple[dt.datetime, list[dict[str, Any]]]]:
    """The days of a gzipped archive `aa_models_daily_…csv.gz`: when it was fetched (UTC), and the model records."""
    rows = csv.DictReader(io.StringIO(gzip.decompress(archive.read_bytes()).decode()))
    for _, of_day in groupby(rows, key=lambda r: r["snapshot_date"]):
        listed = list(of_day)
        yield dt.datetime.fromisoformat(listed[0]["fetched_at"]).astimezone(dt.UTC).replace(tzinfo=None), [_model(r) for r in listed]


def daily_pages(archive: Path) -> Iterator[tuple[dt.datetime, bytes]]:
    """The days of the archive as leaderboard pages."""
    for at, models in daily_models(archive):
        yield at, leaderboard_page(models)
