"""The AA-AgentPerf methodology: its version by the hash of its readable text, and what can be read from it for sure."""

from __future__ import annotations

import hashlib
import re

from bs4 import Tag

from pipelines.schema import canonical_json
from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.base import Bundle, NoData, Parsed

BENCHMARK = "AA-AgentPerf"
SHORTEST_TEXT = 80

_NUMBER = r"(\d[\d,]*(?:\.\d+)?[kKM]?)"
_ABOUT = r"(?:of |around |about |approximately |roughly |is |= ?|: ?|~|≈|\s)*"
_PLAIN = r"\d+(?:,\d{3})*(?:\.\d+)?"
_LIST = rf"{_PLAIN}(?:(?:,? and |, |/){_PLAIN})*"
_PROSE_TIERS = re.compile(
    rf"(?P<model>[A-Za-z][\w.\-]*(?: [\w.\-()]+){{0,5}}?): (?P<speeds>{_LIST})(?P<unit>\s+(?:output )?(?:tokens? per second|tok/s|tokens?/s)\b)?"
    rf"(?:[^.:]*?(?:time to first token|TTFT)[^0-9.:]*(?P<waits>{_LIST}) ?s(?:econds)?\b)?"
)


def parse_methodology(bundle: Bundle) -> Parsed:
    """Read the methodology page.

    Raises NoData where it holds no methodology, Unreadable where it is no whole page.
    """
    page = Page(bundle.body)
    text = page.readable_text
    if "agentperf" not in f"{page.title} {text}".lower() or len(text) < SHORTEST_TEXT or not re.search(r"tokens?", text):
        raise NoData(f'The page "{page.title}" holds no description of how AgentPerf measures.')
    tiers = _table_tiers(page) or _prose_tiers(page)
    low, high = _range(text)
    row = {
        "benchmark": BENCHMARK,
        "version": _first(text, r"\b(?:methodology|AgentPerf|benchmark)\s+(?:version\s+|v)(\d+(?:\.\d+)*)\b"),
        "workload": _sentence(page, r"trajector"),
        "input_tokens_low": low,
        "input_tokens_high": high,
        "input_tokens_mean": _tokens(text, rf"[Ii]nput[^.;]*?\bmean\b {_ABOUT}{_NUMBER}"),
        "output_tokens_median": _tokens(text, rf"[Oo]utput[^.;]*?\bmedian\b {_ABOUT}{_NUMBER}"),
        "output_tokens_p95": _tokens(text, rf"[Oo]utput[^.;]*?\bP95\b {_ABOUT}{_NUMBER}"),
        "turns_max": _tokens(text, rf"\bup to {_ABOUT}{_NUMBER} turns\b"),
        "tiers": canonical_json(tiers) if tiers else None,
        "search": _sentence(page, r"binary search"),
        "window": _sentence(page, r"steady[- ]state"),
        "unit_counted": _unit_counted(text),
        "power": _sentence(page, r"\bHBM\b"),
        "text_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "source": "artificial_analysis",
        "origin": "scraped",
        "provenance": "evaluator_measured",
        "source_url": bundle.scope,
    }
    return Parsed({"methodologies": [row]})


def _first(text: str, pattern: str) -> str | None:
    found = re.search(pattern, text)
    return found[1] if found else None


def _sentence(page: Page, pattern: str) -> str | None:
    """The first sentence that the pattern is found in."""
    sentences = (s for block in page.readable_blocks for s in re.split(r"(?<=[.!?])\s+", block))
    return next((s for s in sentences if re.search(pattern, s, re.IGNORECASE)), None)


def _tokens(text: str, pattern: str) -> float | None:
    """A number of tokens; None where the text does not say, or says two."""
    stated = {_number(m) for m in re.findall(pattern, text)}
    return stated.pop() if len(stated) == 1 else None


def _number(text: str) -> float | None:
    try:
        return numbers.read_number(text.rstrip(".,"))
    except Unsure:
        return None


def _range(text: str) -> tuple[float | None, float | None]:
    found = re.search(rf"[Ii]nput[^.;]*?{_ABOUT}{_NUMBER}\s*(?:to|-|–)\s*{_ABOUT}{_NUMBER}\s+tokens", text)
    if not found:
        return None, None
    low, high = _number(found[1]), _number(found[2])
    return (low, high) if low is not None and high is not None and low < high else (None, None)


def _unit_counted(text: str) -> str | None:
    counted = [f"{unit}s" for unit in ("agent", "user") if re.search(rf"\b(?:simulated|concurrent) {unit}s?\b", text, re.IGNORECASE)]
    if re.search(r"throughput[^.]*\bper (?:megawatt|MW)\b", text, re.IGNORECASE):
        counted.append("throughput")
    return ", ".join(counted) or None


def _prose_tiers(page: Page) -> dict[str, list[dict[str, float | None]]]:
    """Tiers under a heading, as `MODEL: 20, 60 and 180 tokens per second (P25) with P95 time to first token 10, 5 and 3 s`."""
    blocks = page.readable_blocks
    start = next((n for n, block in enumerate(blocks) if re.search(r"\btiers?\b", block, re.IGNORECASE)), len(blocks))
    tiers: dict[str, list[dict[str, float | None]]] = {}
    for found in (f for block in blocks[start:] for f in _PROSE_TIERS.finditer(block)):
        speeds, times = _numbers(found["speeds"]), _numbers(found["waits"] or "")
        is_list_of_speeds = bool(found["unit"]) or len(speeds) > 1
        if not is_list_of_speeds or None in speeds or None in times or len(times) not in (0, 1, len(speeds)):
            continue
        limits = times * len(speeds) if len(times) == 1 else times or [None] * len(speeds)
        tiers[found["model"].strip()] = [{"p25_tok_s": s, "p95_ttft_s": t} for s, t in zip(speeds, limits, strict=True)]
    return tiers


def _numbers(text: str) -> list[float | None]:
    return [_number(n) for n in re.split(r",? and |, |/", text) if n]


def _table_tiers(page: Page) -> dict[str, list[dict[str, float | None]]]:
    """Tiers of a table with columns for the model, the output speed and the time to first token."""
    tiers: dict[str, list[dict[str, float | None]]] = {}
    for table in page.soup.find_all("table"):
        rows = [[cell.get_text(" ", strip=True) for cell in row.find_all(["th", "td"])] for row in table.find_all("tr") if isinstance(row, Tag)]
        places = _columns(rows[0]) if rows else None
        if not places:
            continue
        model_at, speed_at, time_at = places
        model = ""
        for cells in rows[1:]:
            if len(cells) == len(rows[0]):
                model = cells[model_at] or model
                speed, limit = _leading_number(cells[speed_at]), _leading_number(cells[time_at])
                if model and speed is not None:
                    tiers.setdefault(model, []).append({"p25_tok_s": speed, "p95_ttft_s": limit})
    return tiers


def _columns(header: list[str]) -> tuple[int, int, int] | None:
    found: list[int] = []
    for pattern in (r"^model", r"speed|tok(?:en)?s?\s*/\s*s|tokens per second", r"ttft|first token"):
        at = [n for n, cell in enumerate(header) if re.search(pattern, cell, re.IGNORECASE)]
        if len(at) != 1:
            return None
        found += at
    return found[0], found[1], found[2]


def _leading_number(cell: str) -> float | None:
    found = re.fullmatch(r"[≥≤<>=~ ]*(\d[\d,]*(?:\.\d+)?)\s*(?:(?:output )?tok(?:en)?s?\s*(?:/|per)\s*s(?:ec(?:ond)?)?|s|sec|seconds)?", cell)
    return _number(found[1]) if found else None
