"""Where the file compares something with something: asserts, `passed = ...`, `if ...: raise`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipelines.sources.sglang.gates.bindings import Index, Place
from pipelines.sources.sglang.gates.model import LOWER_IS_BETTER
from pipelines.sources.sglang.gates.names import metric_in, words

_ASSERTS = {"assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<", "assertLessEqual": "<="}
_OPERATORS: dict[type[ast.cmpop], str] = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<="}
_FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_NEGATED = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_VERDICTS = frozenset(["passed", "pass", "passes", "ok", "success", "successful", "succeeded", "good"])
_CASTS = frozenset({"float", "int", "round", "Decimal"})


@dataclass(frozen=True, eq=False)
class Use:
    """One comparison, seen with `threshold` on its right: `measured operator threshold` is what has to hold.

    `decides` where the comparison makes the test pass or fail; `asserted` where it does so as an assert.
    """

    measured: ast.expr
    operator: str
    threshold: ast.expr
    place: Place
    metric: str | None
    names: frozenset[str]
    asserted: bool
    decides: bool


def find_uses(index: Index) -> list[Use]:
    """Every comparison of the file twice, once with either side as the threshold; asserts first."""
    uses = []
    for call, place in index.calls:
        operator = _ASSERTS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
        if operator and len(call.args) >= 2:
            uses += _both_ways(index, call.args[0], operator, call.args[1], place, asserted=True, decides=True)
    for compare, place in index.compares:
        asserted, decides = isinstance(place.statement, ast.Assert) or _is_assert(place.statement), _decides(place.statement)
        sides = [compare.left, *compare.comparators]
        for left, op, right in zip(sides, compare.ops, sides[1:], strict=False):
            if operator := _OPERATORS.get(type(op)):
                uses += _both_ways(index, left, operator, right, place, asserted=asserted, decides=decides)
    return sorted(uses, key=lambda u: not u.asserted)


def _both_ways(index: Index, left: ast.expr, operator: str, right: ast.expr, place: Place, *, asserted: bool, decides: bool) -> list[Use]:
    found = []
    for measured, op, threshold in ((left, operator, right), (right, _FLIPPED[operator], left)):
        metric = metric_of(measured, index, place)
        higher = metric not in LOWER_IS_BETTER
        if not asserted and op.startswith("<" if higher else ">"):
            op = _NEGATED[op]
        found.append(Use(measured, op, threshold, place, metric, _names(threshold, index, place), asserted, decides))
    return found


def _is_assert(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name.startswith("assert")
    return False


def _decides(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return bool(set(words(name)) & _VERDICTS)
        case ast.If(body=body):
            return any(isinstance(s, ast.Raise) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and _ends_in_fail(s.value)) for s in body)
    return _is_assert(statement)


def _ends_in_fail(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("fail", "exit")


def metric_of(node: ast.expr, index: Index, place: Place, hops: int = 0) -> str | None:
    """The metric an expression holds: by its own names, or by those of what its variable was set to."""
    spoken = " ".join(_spoken(node))
    if metric := metric_in(spoken):
        return metric
    if hops < 3 and isinstance(node, ast.Name | ast.Attribute):
        bound = index.find(node, place)
        return metric_of(bound, index, place, hops + 1) if bound is not None else None
    return None


def _spoken(node: ast.expr) -> list[str]:
    """Names and keys of an expression, without the functions it calls (`len(scores)` is no score)."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(attr=name):
            return [name]
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
            return [key] if metric_in(key) else _spoken(value)
        case ast.Subscript(value=value):
            return _spoken(value)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _CASTS:
            return _spoken(first)
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as key), *_]):
            return [key]
        case ast.BinOp(left=left):
            return _spoken(left)
    return []


def _names(node: ast.expr, index: Index, place: Place, hops: int = 0) -> frozenset[str]:
    """Names under which the value of an expression may be defined."""
    if hops > 4:
        return frozenset()
    match node:
        case ast.Name(id=name):
            found = frozenset({name})
            bound = index.find(node, place)
            if bound is not None and not isinstance(bound, ast.Constant):
                found |= _names(bound, index, place, hops + 1)
            return found
        case ast.Attribute(attr=name):
            return frozenset({name})
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
            return frozenset({key}) | _names(value, index, place, hops + 1)
        case ast.Subscript(value=value):
            return _names(value, index, place, hops + 1)
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=args):
            keys = frozenset(a.value for a in args if isinstance(a, ast.Constant) and isinstance(a.value, str))
            return keys | _names(value, index, place, hops + 1)
        case ast.Call(func=ast.Name(id=cast), args=[first, *_]) if cast in _CASTS:
            return _names(first, index, place, hops + 1)
    return frozenset()
