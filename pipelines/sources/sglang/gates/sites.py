"""Every place of a file where a threshold is written.

Shapes: a constant of a module, class or function; an entry of a list (a call or a dict that also names its model); a
keyword argument; a dict from models to thresholds; a row of a table that a loop or a parametrisation unpacks; a number
inside an assert. Defaults of a settings class or of a parameter are no gates.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipelines.sources.sglang.gates.bindings import MODULE, Binding, Index, Place, ScopeKey
from pipelines.sources.sglang.gates.classes import fields_of, is_test_class
from pipelines.sources.sglang.gates.names import dataset_in, is_model_name, is_threshold_name, metric_in
from pipelines.sources.sglang.gates.uses import Use
from pipelines.sources.sglang.gates.values import LOOKUP, dotted, number_of, text_of

_NO_ENTRY = frozenset({"print", "format", "field", "add_argument"})
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.ListComp)


@dataclass(eq=False)
class Site:
    """A threshold as written.

    `values` holds one expression, several where the file gives the name different values. `anchors` are the nodes
    whose comments speak of it, `entry` the list entry or dict item it belongs to. `key` is the assignment it is,
    `refers` the assignment its value names.
    """

    name: str | None
    values: list[ast.expr]
    anchors: list[ast.AST]
    place: Place
    metric: str | None = None
    model: str | None = None
    dataset: str | None = None
    variant: str | None = None
    entry: ast.AST | None = None
    key: tuple[ScopeKey, str] | None = None
    refers: tuple[ScopeKey, str] | None = None
    measured: ast.expr | None = None


@dataclass
class Found:
    """The sites of a file and sentences on what was passed over."""

    sites: list[Site] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def find_sites(index: Index, uses: list[Use]) -> Found:
    """Collect the thresholds of a file, in the order they stand there."""
    found = Found()
    holders = {c.name: fields_of(c) for c in index.classes if not is_test_class(c)}
    for key, bindings in index.bindings.items():
        if is_threshold_name(key[1]) and not (key[0][0] == "class" and key[0][1] in holders):
            found.sites += _definition(index, key, bindings)
    for call, place in index.calls:
        found.sites += _call_entry(index, call, place, holders, found.problems)
    for mapping, place in index.dicts:
        found.sites += _dict_entry(index, mapping, place)
    found.sites += _rows(index)
    known = {n for s in found.sites for n in (s.name, s.key and s.key[1]) if n}
    found.sites += _by_use(index, uses, known, found.problems)
    found.problems += _parameter_defaults(index)
    found.sites.sort(key=lambda s: _line(s.anchors[0]))
    return found


def _line(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _definition(index: Index, key: tuple[ScopeKey, str], bindings: list[Binding]) -> Iterator[Site]:
    name, standing = key[1], [b for b in index.standing(key) if b.expr is not None]
    if not standing:
        return
    values = [b.expr for b in standing if b.expr is not None]
    if isinstance(values[0], ast.Dict):
        yield from _mapping(index, name, values[0], standing[0].place, metric_in(name), None, dataset_in(name))
        return
    if all(_no_number(v) for v in values):
        return
    refers = index.key_of(values[0], standing[0].place) if len(values) == 1 else None
    anchors: list[ast.AST] = [b.place.statement for b in standing]
    yield Site(name, values, anchors, standing[0].place, metric_in(name), dataset=dataset_in(name), key=key, refers=refers)


def _no_number(value: ast.expr) -> bool:
    """Whether a value is plainly something else than a threshold: a text, a switch, nothing, a list of settings, a comparison."""
    if isinstance(value, ast.Constant):
        return value.value is not ... and (value.value is None or isinstance(value.value, str | bytes | bool))
    return isinstance(value, (ast.JoinedStr, ast.Lambda, ast.Compare, ast.Dict, *_CONTAINERS))


def _mapping(index: Index, name: str, mapping: ast.Dict, place: Place, metric: str | None, model: str | None, dataset: str | None) -> Iterator[Site]:
    """Items of a dict under a threshold's name: its keys are models, metrics or data sets, also one inside the other."""
    for key, value in zip(mapping.keys, mapping.values, strict=True):
        if key is None:
            continue
        text = text_of(key, lambda n: index.find(n, place))
        here_metric, here_model, here_dataset = metric, model, dataset
        if text is None:
            text = dotted(key) or None
            here_model = model or text
        elif "/" not in text and metric_in(text):
            here_metric, here_dataset = metric_in(text), dataset or dataset_in(text)
        else:
            here_model = model or text
        if isinstance(value, ast.Dict):
            yield from _mapping(index, name, value, place, here_metric, here_model, here_dataset)
        elif not _no_number(value) or isinstance(value, _CONTAINERS):
            yield Site(name, [value], [key], place, here_metric, here_model, here_dataset, entry=key)


def _call_entry(index: Index, call: ast.Call, place: Place, holders: dict[str, list[str]], problems: list[str]) -> Iterator[Site]:
    function = dotted(call.func).rsplit(".", 1)[-1]
    if function in _NO_ENTRY or function.startswith(("register_", "assert")):
        return
    given: list[tuple[str, ast.expr, ast.AST]] = [(k.arg, k.value, k) for k in call.keywords if k.arg]
    given += [(name, value, value) for name, value in zip(holders.get(function, []), call.args, strict=False) if not isinstance(value, ast.Starred)]
    yield from _entry(index, given, call, place)
    missing = [n for n in holders.get(function, []) if is_threshold_name(n) and n not in {g[0] for g in given}]
    if missing and not any(k.arg is None for k in call.keywords):
        problems.append(f"line {call.lineno}: {function}(...) gives no {missing[0]}; the default of its class is not taken for a gate")


def _dict_entry(index: Index, mapping: ast.Dict, place: Place) -> Iterator[Site]:
    items = zip(mapping.keys, mapping.values, strict=True)
    given: list[tuple[str, ast.expr, ast.AST]] = [(k.value, v, k) for k, v in items if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    yield from _entry(index, given, mapping, place)


def _entry(index: Index, given: list[tuple[str, ast.expr, ast.AST]], entry: ast.expr, place: Place) -> Iterator[Site]:
    """Thresholds among named values that stand together, with the model, data set and variant named beside them."""

    def beside(*names: str) -> str | None:
        return next((t for n, v, _ in given if n in names and (t := text_of(v, lambda e: index.find(e, place)))), None)

    named = {n for n, _, _ in given}
    model = next((t for n, v, _ in given if is_model_name(n) and (t := text_of(v, lambda e: index.find(e, place)))), None)
    dataset = beside("dataset", "eval_name", "task", "benchmark")
    for name, value, anchor in given:
        if not is_threshold_name(name) or _no_number(value):
            continue
        if isinstance(value, ast.Constant) and named <= {name}:
            anchors: list[ast.AST] = [anchor]
        else:
            anchors = [anchor, entry]
        own = dataset_in(name) or (dataset_in(dataset) or dataset.lower() if dataset else None)
        yield Site(name, [value], anchors, place, metric_in(name), model, own, beside("variant", "name", "label"), entry, refers=index.key_of(value, place))


def _rows(index: Index) -> Iterator[Site]:
    """Rows of tables that `for model, threshold in TABLE` or a parametrisation gives names to."""
    tables = [(loop.target, loop.iter, place) for loop, place in index.loops]
    for call, place in index.calls:
        if dotted(call.func).endswith("parametrize") and len(call.args) >= 2:
            tables.append((call.args[0], call.args[1], place))
    for target, table, place in tables:
        names = _column_names(target)
        bound = table if isinstance(table, ast.List | ast.Tuple) else index.find(table, place)
        if not any(is_threshold_name(n) for n in names) or not isinstance(bound, ast.List | ast.Tuple):
            continue
        for row in bound.elts:
            if isinstance(row, ast.Tuple | ast.List) and len(row.elts) == len(names):
                home = place if bound is table else _home(index, table, place)
                yield from _entry(index, [(n, v, row) for n, v in zip(names, row.elts, strict=True)], row, home)


def _home(index: Index, table: ast.expr, place: Place) -> Place:
    key = index.key_of(table, place)
    return index.standing(key)[0].place if key else place


def _column_names(target: ast.expr) -> list[str]:
    match target:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return [e.id if isinstance(e, ast.Name) else str(e.value) if isinstance(e, ast.Constant) else "" for e in elements]
        case ast.Constant(value=str() as text):
            return [n.strip() for n in text.split(",")]
    return []


def _by_use(index: Index, uses: list[Use], known: set[str], problems: list[str]) -> Iterator[Site]:
    """Numbers inside asserts, and constants that only their use in a comparison shows to be thresholds."""
    seen: set[object] = set()
    for use in uses:
        if use.metric is None or not use.decides or use.names & known:
            continue
        value = number_of(use.threshold, lambda n, p=use.place: index.find(n, p))  # type: ignore[misc]
        if use.asserted and value == LOOKUP and _is_threshold(use.threshold) and index.key_of(use.threshold, use.place) is None:
            problems.append(f"line {use.threshold.lineno}: {use.metric} is compared with {dotted(use.threshold)}, which this file does not define")
        if value.number is None or value.number in (0, 1, 100):
            continue
        key = index.key_of(use.threshold, use.place)
        if key is not None:
            if key in seen:
                continue
            seen.add(key)
            standing = index.standing(key)
            values = [b.expr for b in standing if b.expr is not None]
            yield Site(key[1], values, [b.place.statement for b in standing], standing[0].place, use.metric, dataset=dataset_in(key[1]), key=key)
        elif id(use.threshold) not in seen:
            seen.add(id(use.threshold))
            yield Site(None, [use.threshold], [use.place.statement], use.place, use.metric, measured=use.measured)


def _is_threshold(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and is_threshold_name(dotted(node).rsplit(".", 1)[-1])


def _parameter_defaults(index: Index) -> list[str]:
    problems = []
    for (scope, name), bindings in index.bindings.items():
        if scope == MODULE or not is_threshold_name(name) or bindings[0].expr is not None:
            continue
        function = bindings[0].place.functions[-1]
        arguments = [*function.args.posonlyargs, *function.args.args]
        with_default = arguments[len(arguments) - len(function.args.defaults) :]
        default = dict(zip([a.arg for a in with_default], function.args.defaults, strict=True)).get(name)
        default = default or dict(zip([a.arg for a in function.args.kwonlyargs], function.args.kw_defaults, strict=True)).get(name)
        is_init = function.name == "__init__"
        if isinstance(default, ast.Constant) and isinstance(default.value, int | float) and not is_init:
            problems.append(f"line {function.lineno}: the default {name}={default.value} of {function.name}() is not taken for a gate")
    return problems
