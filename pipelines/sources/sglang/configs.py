"""Cookbook config files: the launch recipe of each selection, and what it says of the benchmark rows beside it.

A config is a JavaScript object `{modelName, latencyPercentile, dockerImages, overlayDims, cells: [{match, flags,
verified, …}]}` whose callbacks stay raw. A row belongs to the cells its `match` agrees with: to the most specific
of those it fulfils, else to all that lie inside its selection; what these do not agree on is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from pipelines.sources.sglang.literals import Literal, Module, Raw
from pipelines.sources.sglang.parallelism import FLAGS, Parallelism, flag_value, from_flags, tokens

PARALLEL_FLAGS = tuple(flag for name in ("tp", "ep", "dp", "pp") for flag in FLAGS[name])
OFFLOAD_FLAGS = ("--enable-hierarchical-cache", "--enable-lmcache")
SIMULATED = "SGLANG_SIMULATE_ACC"
HARDWARE = ("hw", "hardware", "gpu", "accelerator", "chip", "device")
QUANTIZATION = ("quant", "quantization", "precision", "dtype")

T = TypeVar("T")


@dataclass(frozen=True)
class Recipe:
    """What a config says of one row. None where it does not say, or where its cells differ."""

    verified: bool | None = None
    verification_status: str | None = None
    image: str | None = None
    parallelism: Parallelism = field(default_factory=Parallelism)
    kv_offload: str | None = None
    speculative_decoding: str | None = None
    synthetic_acceptance: bool | None = None


@dataclass
class _Cell:
    match: Mapping[str, Any]
    flags: list[str]
    env: list[str]
    whole: bool
    verified: bool | None
    verification_status: str | None
    nodes: int | None


@dataclass
class Config:
    """A config file read. `unread` counts cells that are no literals."""

    model_name: str | None = None
    latency_percentile: str | None = None
    images: Mapping[str, str] = field(default_factory=dict)
    cells: list[_Cell] = field(default_factory=list)
    overlays: Mapping[tuple[str, str], Literal] = field(default_factory=dict)
    unread: int = 0

    def recipe(self, match: Mapping[str, Any]) -> Recipe:
        """What the config says of a row with this selection."""
        cells = [self._overlaid(cell, match) for cell in self._cells_of(match)]
        if not cells:
            return Recipe(image=self._image(match))
        return Recipe(
            verified=_agreed(cells, lambda c: c.verified),
            verification_status=_agreed(cells, lambda c: c.verification_status),
            image=self._image(match),
            parallelism=_agreed_parallelism(cells),
            kv_offload=_agreed(cells, _kv_offload),
            speculative_decoding=_agreed(cells, lambda c: flag_value(tokens(c.flags), ("--speculative-algorithm",))),
            synthetic_acceptance=True if all(any(SIMULATED in text for text in (*c.env, *c.flags)) for c in cells) else None,
        )

    def _cells_of(self, match: Mapping[str, Any]) -> list[_Cell]:
        fulfilled = [c for c in self.cells if _within(c.match, match)]
        if fulfilled:
            most = max(len(c.match) for c in fulfilled)
            return [c for c in fulfilled if len(c.match) == most]
        return [c for c in self.cells if _within(match, c.match)]

    def _overlaid(self, cell: _Cell, match: Mapping[str, Any]) -> _Cell:
        """The cell with the options laid over it that the row selects beyond the cell's own dimensions."""
        for dimension in sorted(set(match) - set(cell.match)):
            option = self.overlays.get((dimension, str(match[dimension])))
            if option is not None and isinstance(option.value, dict):
                cell = _laid_over(cell, option.value)
        return cell

    def _image(self, match: Mapping[str, Any]) -> str | None:
        hardware, quantization = first_of(match, HARDWARE), first_of(match, QUANTIZATION)
        return self.images.get(f"{hardware}|{quantization}") or self.images.get(str(hardware))


def read_config(module: Module) -> Config:
    """The config a file declares; an empty one where it declares none."""
    literal = module.values.get("config") or next((v for v in module.values.values() if isinstance(v.value, dict) and "cells" in v.value), None)
    if literal is None or not isinstance(literal.value, dict):
        return Config()
    members = literal.value
    config = Config(_text(members.get("modelName")), _text(members.get("latencyPercentile")))
    images = members.get("dockerImages")
    if images is not None and isinstance(images.value, dict):
        config.images = {k: v.value for k, v in images.value.items() if isinstance(v.value, str)}
    for cell in _list(members.get("cells")):
        read = _cell(cell)
        if read is None:
            config.unread += 1
        else:
            config.cells.append(read)
    config.overlays = _overlays(members.get("overlayDims"))
    return config


def _cell(literal: Literal) -> _Cell | None:
    members = literal.value
    if not isinstance(members, dict):
        return None
    match = members.get("match")
    if match is None or not isinstance(match.value, dict) or any(isinstance(v.value, Raw) for v in match.value.values()):
        return None
    flags, whole = _texts(members.get("flags"))
    env, _ = _texts(members.get("env"))
    verified, nodes = members.get("verified"), members.get("nnodes")
    return _Cell(
        match=match.plain(),
        flags=flags,
        env=env,
        whole=whole,
        verified=verified.value if verified is not None and isinstance(verified.value, bool) else None,
        verification_status=_text(members.get("verificationStatus")),
        nodes=nodes.value if nodes is not None and isinstance(nodes.value, int) else None,
    )


def _overlays(literal: Literal | None) -> dict[tuple[str, str], Literal]:
    found = {}
    for dimension in _list(literal):
        if isinstance(dimension.value, dict):
            name = _text(dimension.value.get("id"))
            for option in _list(dimension.value.get("options")):
                value = _text(option.value.get("id")) if isinstance(option.value, dict) else None
                if name and value:
                    found[name, value] = option
    return found


def _laid_over(cell: _Cell, option: Mapping[str, Literal]) -> _Cell:
    """A cell with an option's flags; one that rewrites parallelism in code leaves it unknown."""
    stripped, flags = option.get("stripPrefixes"), option.get("flags")
    prefixes, _ = _texts(stripped)
    added, _ = _texts(flags)
    kept = [f for f in cell.flags if not (prefixes and f.startswith(tuple(prefixes)))]
    code = " ".join(v.value.text for v in (stripped, flags) if v is not None and isinstance(v.value, Raw))
    if any(flag in code for flag in PARALLEL_FLAGS):
        kept = [f for f in kept if not f.startswith(PARALLEL_FLAGS)]
    return _Cell(cell.match, kept + added, cell.env, cell.whole and not code, cell.verified, cell.verification_status, cell.nodes)


def _texts(literal: Literal | None) -> tuple[list[str], bool]:
    """The texts of a list (or of one text), and whether there is nothing else in it."""
    if literal is None:
        return [], False
    if isinstance(literal.value, str):
        return [literal.value], True
    members = _list(literal)
    texts = [m.value for m in members if isinstance(m.value, str)]
    return texts, bool(texts) and len(texts) == len(members)


def _list(literal: Literal | None) -> list[Literal]:
    return literal.value if literal is not None and isinstance(literal.value, list) else []


def _text(literal: Literal | None) -> str | None:
    return literal.value.strip() or None if literal is not None and isinstance(literal.value, str) else None


def _within(smaller: Mapping[str, Any], larger: Mapping[str, Any]) -> bool:
    return all(key in larger and larger[key] == value for key, value in smaller.items())


def _kv_offload(cell: _Cell) -> str | None:
    words = tokens(cell.flags)
    if any(flag in words for flag in OFFLOAD_FLAGS):
        return "hicache" if OFFLOAD_FLAGS[0] in words else "lmcache"
    return "none" if cell.whole else None


def _agreed(cells: Iterable[_Cell], ask: Callable[[_Cell], T | None]) -> T | None:
    return _same([ask(cell) for cell in cells])


def _agreed_parallelism(cells: Iterable[_Cell]) -> Parallelism:
    each = [(from_flags(tokens(cell.flags), whole=cell.whole), cell.nodes) for cell in cells]
    ways = {f.name: _same([getattr(parallelism, f.name) for parallelism, _ in each]) for f in fields(Parallelism)}
    return Parallelism(**ways | {"nodes": ways["nodes"] or _same([nodes for _, nodes in each])})


def _same(answers: list[T | None]) -> T | None:
    return answers[0] if all(a == answers[0] for a in answers) else None


def first_of(match: Mapping[str, Any], keys: Iterable[str]) -> Any:
    """The first of these keys the selection has; None where it has none."""
    return next((match[k] for k in keys if match.get(k) is not None), None)
