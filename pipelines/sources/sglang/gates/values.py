"""What an expression is worth without executing it: numbers and texts that stand in the file."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

Find = Callable[[ast.expr], ast.expr | None]
_NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\s*")
_CASTS = frozenset({"float", "int", "Decimal"})
_MAX_HOPS = 8


@dataclass(frozen=True)
class Value:
    """A number and how it stands there.

    `kind` is `literal`, `computed` (arithmetic on literals), `env_default` (what holds unless the environment says
    otherwise), `lookup` (a value taken from somewhere else at run time) or `non_literal`; the last two have no number.
    """

    number: Decimal | None
    kind: str


NON_LITERAL, LOOKUP = Value(None, "non_literal"), Value(None, "lookup")


def number_of(node: ast.expr, find: Find, hops: int = 0) -> Value:
    """The number an expression stands for. `find` gives the expression a name or attribute is bound to in the file."""
    if hops > _MAX_HOPS:
        return NON_LITERAL
    match node:
        case ast.Constant(value=bool()):
            return NON_LITERAL
        case ast.Constant(value=int() | float() as number):
            return _literal(repr(number))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            inner = number_of(operand, find, hops + 1)
            return Value(-inner.number, inner.kind) if inner.number is not None and isinstance(sign, ast.USub) else inner
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(op, number_of(left, find, hops + 1), number_of(right, find, hops + 1))
        case ast.BoolOp(op=ast.Or(), values=[*_, last]) if _reads_environment(node):
            return _default(number_or_text(last, find, hops))
        case ast.IfExp(test=test, orelse=orelse) if _reads_environment(test):
            return _default(number_or_text(orelse, find, hops))
        case ast.Call(func=ast.Name(id=name), args=[inner_node], keywords=[]) if name in _CASTS:
            return number_or_text(inner_node, find, hops)
        case ast.Call():
            default = environment_default(node)
            return _default(number_or_text(default, find, hops)) if default is not None else _call(node)
        case ast.Name() | ast.Attribute():
            bound = find(node)
            return number_of(bound, find, hops + 1) if bound is not None else LOOKUP
        case ast.Subscript():
            return NON_LITERAL if _reads_environment(node) else LOOKUP
    return NON_LITERAL


def number_or_text(node: ast.expr, find: Find, hops: int = 0) -> Value:
    """Like `number_of`, with texts that hold a number read as that number (as `float("0.79")` does)."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _literal(node.value)
    return number_of(node, find, hops + 1)


def text_of(node: ast.expr, find: Find, hops: int = 0) -> str | None:
    """The text an expression stands for: a literal, a name bound to one, or an environment default."""
    if hops > _MAX_HOPS:
        return None
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Name() | ast.Attribute():
            bound = find(node)
            return text_of(bound, find, hops + 1) if bound is not None else None
        case ast.BoolOp(op=ast.Or(), values=[*_, last]) if _reads_environment(node):
            return text_of(last, find, hops + 1)
        case ast.IfExp(test=test, orelse=orelse) if _reads_environment(test):
            return text_of(orelse, find, hops + 1)
        case ast.Call():
            default = environment_default(node)
            return text_of(default, find, hops + 1) if default is not None else None
    return None


def environment_default(call: ast.Call) -> ast.expr | None:
    """The default of a call that reads an environment variable; None where it is no such call or has none."""
    path = dotted(call.func).lower()
    if "env" not in path or not call.args or not (isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)):
        return None
    if len(call.args) > 1:
        return call.args[1]
    return next((k.value for k in call.keywords if k.arg == "default"), None)


def dotted(node: ast.expr) -> str:
    """`a.b.c` of names and attributes; calls and subscripts in between are left out."""
    parts: list[str] = []
    while True:
        match node:
            case ast.Attribute(value=value, attr=attr):
                parts.append(attr)
                node = value
            case ast.Call(func=inner) | ast.Subscript(value=inner):
                node = inner
            case ast.Name(id=name):
                return ".".join(reversed([*parts, name]))
            case _:
                return ".".join(reversed(parts))


def _literal(text: str) -> Value:
    if not _NUMBER.fullmatch(text):
        return NON_LITERAL
    number = Decimal(text.strip())
    return Value(number, "literal") if abs(number) < Decimal(10) ** 15 else NON_LITERAL


def _default(value: Value) -> Value:
    return Value(value.number, "env_default") if value.number is not None else NON_LITERAL


def _call(node: ast.Call) -> Value:
    from_mapping = isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop") and not _reads_environment(node.func)
    return LOOKUP if from_mapping else NON_LITERAL


def _computed(op: ast.operator, left: Value, right: Value) -> Value:
    if left.number is None or right.number is None:
        return NON_LITERAL
    kind = "env_default" if "env_default" in (left.kind, right.kind) else "computed"
    try:
        match op:
            case ast.Add():
                return Value(left.number + right.number, kind)
            case ast.Sub():
                return Value(left.number - right.number, kind)
            case ast.Mult():
                return Value(left.number * right.number, kind)
            case ast.Div():
                return Value(left.number / right.number, kind)
    except (InvalidOperation, ArithmeticError):
        pass
    return NON_LITERAL


def _reads_environment(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name | ast.Attribute) and "env" in dotted(n).lower() for n in ast.walk(node))
