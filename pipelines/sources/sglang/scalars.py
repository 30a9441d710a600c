"""Texts and numbers of JavaScript as ECMAScript defines them."""

from __future__ import annotations

import math
from typing import Any

from tree_sitter import Node

LARGEST_WHOLE = 2**53
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "v": "\v", "f": "\f", "0": "\0"}
_CONTINUATIONS = ("\n", "\r\n", "\r", "\u2028", "\u2029")
_RADIX = {"0x": 16, "0o": 8, "0b": 2}


class NotLiteral(Exception):
    """What stands there is no literal."""


def text_of(node: Node) -> str:
    """Source text of a node."""
    return (node.text or b"").decode()


def scalar(node: Node) -> Any:
    """The value of a text, number, truth value, null or undefined (None).

    Raises NotLiteral where the node is none of these or means no value that can be stored.
    """
    match node.type:
        case "string" | "template_string":
            return _string(node)
        case "number":
            return _number(text_of(node))
        case "true" | "false":
            return node.type == "true"
        case "null" | "undefined":
            return None
        case "unary_expression":
            return _signed(node)
        case "binary_expression":
            return _joined(node)
    raise NotLiteral


def _signed(node: Node) -> int | float:
    operator, value = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if operator is None or value is None or operator.type not in "+-" or value.type != "number":
        raise NotLiteral
    number = _number(text_of(value))
    return -number if operator.type == "-" else number


def _joined(node: Node) -> str:
    """Texts put together with `+`, as long remarks are written."""
    parts: list[str] = []
    while node.type == "binary_expression":
        operator, left, right = (node.child_by_field_name(f) for f in ("operator", "left", "right"))
        if operator is None or left is None or right is None or operator.type != "+":
            raise NotLiteral
        parts.append(_string(right))
        node = left
    return "".join([_string(node), *reversed(parts)])


def _string(node: Node) -> str:
    if node.type not in ("string", "template_string"):
        raise NotLiteral
    parts = []
    for child in node.named_children:
        if child.type == "string_fragment":
            parts.append(text_of(child) if node.type == "string" else text_of(child).replace("\r\n", "\n").replace("\r", "\n"))
        elif child.type == "escape_sequence":
            parts.append(_unescaped(text_of(child)[1:]))
        else:
            raise NotLiteral
    try:
        return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as why:
        raise NotLiteral from why


def _unescaped(escape: str) -> str:
    """The character of an escape without its backslash."""
    if escape[0] in "xu":
        try:
            return chr(int(escape[1:].strip("{}"), 16))
        except (ValueError, OverflowError) as why:
            raise NotLiteral from why
    if escape in _CONTINUATIONS:
        return ""
    if escape in _SIMPLE_ESCAPES:
        return _SIMPLE_ESCAPES[escape]
    if len(escape) == 1 and not escape.isdigit():
        return escape
    raise NotLiteral  # a legacy octal escape


def _number(text: str) -> int | float:
    """A numeric literal; whole numbers that a double cannot hold exactly become the double."""
    digits = text.replace("_", "").lower().removesuffix("n")
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        raise NotLiteral  # legacy octal is no part of a module
    try:
        whole = int(digits, _RADIX[digits[:2]]) if digits[:2] in _RADIX else int(digits) if digits.isdigit() else None
        number = float(digits) if whole is None else float(whole)
    except (ValueError, OverflowError) as why:
        raise NotLiteral from why
    if math.isinf(number):
        raise NotLiteral
    return whole if whole is not None and abs(whole) <= LARGEST_WHOLE else number
