"""The serving configurations that AA-AgentPerf results were measured with, as Artificial Analysis lists them.

The page holds them as records of its data stream, as cards, or both.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from bs4 import Tag

from pipelines.schema import canonical_json
from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.aliases import COMMAND_KEYS, CONFIGURATION_KEYS
from pipelines.sources.artificial_analysis.hardware import System, provenance_of, read_system, who
from pipelines.sources.artificial_analysis.models import filled_fields
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.artificial_analysis.records import Facts, arrays, flat, is_keepable, plain_key, shown
from pipelines.sources.base import Bundle, NoData, Parsed, Unreadable

CARD = re.compile(r"config-(.+)")
_SHOWING = re.compile(r"\bShowing\s+(\d+)\s+of\s+(\d+)\b", re.IGNORECASE)
_KEYS = {key: (column, rank) for column, keys in CONFIGURATION_KEYS.items() for rank, key in enumerate(keys)}
_PROSE = {
    "precision": r"\bPrecision:? +([\w+./-]+?)[.,;]?(?:\s|$)",
    "framework": r"\bFramework:? +(.+?)(?:[.;,](?:\s|$)|$)",
    "configured_by": r"\b[Cc]onfig(?:uration|ured) by +(.+?)(?:[.;,](?:\s|$)|$)",
    "accelerators": r"\b(\d+) (?:GPUs|accelerators|chips)\b",
}
_SPREAD = r"(?:\d+x )?(?:(?:CTX|GEN|prefill|decode) )?(?:DEP|TEP|TP|EP|DP|PP)-?\d+"
_PARALLELISM = re.compile(rf"\b{_SPREAD}(?:(?: \+ |, |/| ){_SPREAD})*\b")


def parse_configurations(bundle: Bundle) -> Parsed:
    """Read the page of configurations.

    Raises NoData where it lists none, Unreadable where it shows some of them only or states two different ones under
    one id.
    """
    page = Page(bundle.body)
    records = _records(page)
    cards = _cards(page)
    listed = {**cards, **records}
    if not listed:
        raise NoData(f'The page "{page.title}" lists no serving configuration.')
    warnings = _complete_or_unreadable(page, len(listed))
    for config_id in sorted(records.keys() & cards.keys()):
        if _differ(records[config_id], cards[config_id]):
            warnings.append(f"Configuration {config_id} stands with two commands on the page; that of the data is taken.")
    filled: Counter[str] = Counter()
    rows = []
    unmatched: list[str] = []
    for config_id in sorted(listed):
        facts, card = records.get(config_id, {}), cards.get(config_id, {})
        filled.update(filled_fields(facts or card))
        system = read_system(_text(facts, "system", config_id, warnings), _text(facts, "accelerator", config_id, warnings))
        unmatched += [system.name] if system and not system.is_known else []
        rows.append(_row(config_id, facts, card, system, warnings, bundle.scope))
    fields = {name: round(n / len(rows), 6) for name, n in filled.items()}
    return Parsed({"configurations": rows}, fields={"configurations": fields}, warnings=warnings, unmatched_names=unmatched)


def _records(page: Page) -> dict[str, Facts]:
    """Records of the data stream that hold a command and an id, by id."""
    found: dict[str, Facts] = {}
    for array in arrays(page.flight, page.trees):
        if not any(plain_key(k) in COMMAND_KEYS for r in array.records for k in r):
            continue
        if not array.is_whole:
            raise Unreadable("The list of configurations refers to records that the page does not hold; a list with gaps is no list.")
        for record in array.records:
            facts = flat(page.flight.plain(record))
            config_id = _chosen(facts, "config_id")
            if not isinstance(config_id, str) or not config_id.strip():
                raise Unreadable("A configuration has no id, so it cannot be told which one it is.")
            config_id = config_id.strip().removeprefix("config-")
            if found.setdefault(config_id, facts) != facts:
                raise Unreadable(f"Two configurations of different content have the id {config_id}.")
    return found


def _cards(page: Page) -> dict[str, Facts]:
    """Cards with an anchor `config-<id>`: heading, prose and command."""
    found: dict[str, Facts] = {}
    for card in page.soup.find_all(id=CARD):
        code = card.find("pre") or card.find("code")
        if not isinstance(code, Tag):
            continue
        heading = card.find(re.compile(r"h[1-6]"))
        command = code.get_text()
        code.extract()
        found[CARD.fullmatch(str(card["id"]))[1]] = {  # type: ignore[index]
            ("title",): heading.get_text(" ", strip=True) if heading else None,
            ("text",): " ".join(p.get_text(" ", strip=True) for p in card.find_all(["p", "li", "dd", "span"])) or None,
            ("command",): command,
        }
    return found


def _chosen(facts: Facts, column: str) -> Any:
    """The value of the preferred key of a column; members of nested objects go by the end of their path."""
    best: tuple[int, Any] | None = None
    for path, value in facts.items():
        known = _column_of(path)
        if known and known[0] == column and value is not None and (best is None or known[1] < best[0]):
            best = (known[1], value)
    return best[1] if best else None


def _column_of(path: tuple[str, ...]) -> tuple[str, int] | None:
    ends = ["".join(map(plain_key, path[n:])) for n in range(len(path) if len(path) > 1 else 1)]
    if len(path) > 1:
        ends = [e for e in ends if e not in ("id", "name", "title", "uuid")]
    return next((_KEYS[e] for e in ends if e in _KEYS), None)


def _row(config_id: str, facts: Facts, card: Facts, system: System | None, warnings: list[str], source_url: str) -> dict[str, Any]:
    said = (facts.get(("text",)), facts.get(("description",)), card.get(("text",)))
    prose = " ".join(dict.fromkeys(text for text in said if isinstance(text, str)))
    text = {column: _text(facts, column, config_id, warnings) or _from_prose(prose, column) for column in ("precision", "framework", "configured_by")}
    configured_by = who(text["configured_by"])
    spread = _PARALLELISM.search(prose)
    mapped = {path for path in facts if _column_of(path)} | {("text",)}
    extra = {shown(path): value for path, value in facts.items() if path not in mapped and is_keepable(value)}
    return {
        "config_id": config_id,
        "title": _text(facts, "title", config_id, warnings) or card.get(("title",)),
        "model": _text(facts, "model", config_id, warnings),
        "system": system.name if system else None,
        "accelerator": system.accelerator if system else None,
        "vendor": system.vendor if system else None,
        "accelerators": _count(facts, prose, config_id, warnings) or (system.accelerators if system else None),
        "precision": text["precision"],
        "framework": text["framework"],
        "parallelism": _text(facts, "parallelism", config_id, warnings) or (spread[0] if spread else None),
        "command": _command(facts, config_id, warnings) or card.get(("command",)),
        "configured_by": configured_by,
        "source": "artificial_analysis",
        "origin": "scraped",
        "provenance": provenance_of(configured_by),
        "source_url": f"{source_url}#config-{config_id}",
        "extra": canonical_json({**({"text": prose} if prose else {}), **extra}) if prose or extra else None,
    }


def _text(facts: Facts, column: str, config_id: str, warnings: list[str]) -> str | None:
    try:
        return numbers.read_text(_chosen(facts, column))
    except Unsure as why:
        warnings.append(f"{column} of configuration {config_id} is left empty: {why}.")
        return None


def _command(facts: Facts, config_id: str, warnings: list[str]) -> str | None:
    """The launch command verbatim; several are put on lines of their own."""
    raw = _chosen(facts, "command")
    lines = raw if isinstance(raw, list) else [raw]
    if raw is None:
        return None
    if all(isinstance(line, str) for line in lines):
        return "\n".join(lines)
    warnings.append(f"The command of configuration {config_id} is no text and is left empty.")
    return None


def _count(facts: Facts, prose: str, config_id: str, warnings: list[str]) -> int | None:
    stated = _from_prose(prose, "accelerators")
    try:
        return numbers.read_whole(_chosen(facts, "accelerators") or stated)
    except Unsure as why:
        warnings.append(f"accelerators of configuration {config_id} is left empty: {why}.")
        return None


def _from_prose(prose: str, column: str) -> str | None:
    """What labelled words of the prose state; None where they state nothing or two things."""
    stated = set(re.findall(_PROSE[column], prose))
    return stated.pop() if len(stated) == 1 else None


def _differ(facts: Facts, card: Facts) -> bool:
    said = _chosen(facts, "command")
    return isinstance(said, str) and " ".join(said.split()) != " ".join(str(card[("command",)]).split())


def _complete_or_unreadable(page: Page, listed: int) -> list[str]:
    """`Showing N of N configurations` must hold, and be as many as were found."""
    stated = {(m[1], m[2]) for m in _SHOWING.finditer(page.readable_text)}
    if not stated:
        return ["The page does not say how many configurations it shows of how many, so it cannot be told that they are all."]
    for shown_count, in_all in sorted(stated):
        if shown_count != in_all or str(listed) != in_all:
            raise Unreadable(f"The page shows {shown_count:.40} of {in_all:.40} configurations and {listed} could be read; a part of them is no snapshot.")
    return []
