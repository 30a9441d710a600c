"""JavaScript literals, read and never run.

tree-sitter gives the syntax tree; what is a literal becomes a value, everything else (functions, template strings
with substitutions, identifiers, calls, JSX) stays as source text and is reported. Comments stay with the value they
stand next to, because they say under which conditions a figure was measured.

Values follow ECMAScript: trailing commas, holes, numeric separators, radix prefixes, escapes, `+` between strings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from pipelines.sources.base import Unreadable
from pipelines.sources.sglang.scalars import LARGEST_WHOLE, NotLiteral, scalar, text_of

LARGEST_BYTES = 4 << 20
DEEPEST = 200

_LANGUAGE = Language(tree_sitter_javascript.language())


@dataclass(frozen=True)
class Raw:
    """What is no literal, as written. `kind` is its name in the grammar."""

    text: str
    kind: str


@dataclass
class Literal:
    """A value and the comments beside it.

    `value` is a dict of Literals, a list of Literals, a text, number or truth value, None (null or undefined), or Raw.
    """

    value: Any
    comments: tuple[str, ...] = ()

    def plain(self) -> Any:
        """The value without comments; Raw becomes `{"raw": source text}`."""
        if isinstance(self.value, dict):
            return {k: v.plain() for k, v in self.value.items()}
        if isinstance(self.value, list):
            return [v.plain() for v in self.value]
        return {"raw": self.value.text} if isinstance(self.value, Raw) else self.value

    def all_comments(self) -> Iterator[str]:
        """Comments beside the value and inside it."""
        yield from self.comments
        inside = self.value.values() if isinstance(self.value, dict) else self.value if isinstance(self.value, list) else ()
        for member in inside:
            yield from member.all_comments()

    def raws(self, path: str) -> Iterator[str]:
        """Where something was kept raw: `path.to[3].it (arrow_function)`."""
        if isinstance(self.value, Raw):
            yield f"{path} ({self.value.kind})"
        elif isinstance(self.value, dict):
            for key, member in self.value.items():
                yield from member.raws(f"{path}.{key}")
        elif isinstance(self.value, list):
            for number, member in enumerate(self.value):
                yield from member.raws(f"{path}[{number}]")


@dataclass
class Module:
    """A file's top-level constants by name (`default` for an unnamed export) and the comments above the first of them."""

    values: dict[str, Literal] = field(default_factory=dict)
    header: tuple[str, ...] = ()


def read(data: bytes) -> Module:
    """The constants a JavaScript file declares at its top level.

    Raises Unreadable where the bytes are not UTF-8, larger than 4 MiB, or not JavaScript.
    """
    if len(data) > LARGEST_BYTES:
        raise Unreadable(f"{len(data):,} bytes are more than a file of data has ({LARGEST_BYTES:,})")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        raise Unreadable(f"it is not UTF-8 text ({why.reason} at byte {why.start})") from why
    root = Parser(_LANGUAGE).parse(text.encode()).root_node
    if root.has_error:
        raise Unreadable(f"line {_error_line(root)} is not JavaScript")
    return _module(root)


def _module(root: Node) -> Module:
    module, header, begun = Module(), [], False
    for statement in root.named_children:
        if statement.type == "comment":
            if not begun:
                header.append(_comment(statement))
            continue
        begun = True
        for name, value in _declared(statement):
            module.values[name] = _literal(value, 0)
    module.header = tuple(header)
    return module


def _declared(statement: Node) -> Iterator[tuple[str, Node]]:
    if statement.type == "export_statement":
        declaration, value = statement.child_by_field_name("declaration"), statement.child_by_field_name("value")
        if value is not None:
            yield "default", value
        if declaration is not None:
            yield from _declared(declaration)
    elif statement.type in ("lexical_declaration", "variable_declaration"):
        for declarator in statement.named_children:
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is not None and name.type == "identifier" and value is not None:
                yield text_of(name), value


def _error_line(root: Node) -> int:
    node = root
    while True:
        inner = next((c for c in node.children if c.has_error or c.is_missing), None)
        if inner is None or node.is_error:
            return node.start_point[0] + 1
        node = inner


def _literal(node: Node, depth: int) -> Literal:
    try:
        if depth > DEEPEST:
            raise NotLiteral
        match node.type:
            case "object":
                return _object(node, depth)
            case "array":
                return _array(node, depth)
            case "parenthesized_expression":
                return _parenthesized(node, depth)
            case _:
                return Literal(scalar(node))
    except NotLiteral:
        return Literal(Raw(text_of(node), node.type))


def _parenthesized(node: Node, depth: int) -> Literal:
    (inner, *more), comments = [c for c in node.named_children if c.type != "comment"], _comments(node)
    if more:
        raise NotLiteral
    literal = _literal(inner, depth + 1)
    return Literal(literal.value, comments + literal.comments)


def _object(node: Node, depth: int) -> Literal:
    members: dict[str, Literal] = {}
    beside = _Beside()
    for child in node.children:
        if child.type == "comment":
            beside.comment(child)
        elif child.is_named:
            if child.type == "spread_element":  # may override every key before it
                members = {k: Literal(Raw(_raw_of(v), "overridable"), v.comments) for k, v in members.items()}
            key, literal = _member(child, depth)
            members[key] = literal
            beside.member(literal, child)
    return Literal(members, beside.rest())


def _raw_of(literal: Literal) -> str:
    value = literal.plain()
    return value["raw"] if isinstance(literal.value, Raw) else repr(value)


def _member(node: Node, depth: int) -> tuple[str, Literal]:
    """Key and value of one member; a key that is no literal is its source text, its value raw."""
    raw = Literal(Raw(text_of(node), node.type))
    if node.type == "shorthand_property_identifier":
        return text_of(node), raw
    key = node.child_by_field_name("key" if node.type == "pair" else "name")
    if key is None:
        return text_of(node), raw
    name = _key(key)
    if name is None:
        return text_of(key), raw
    value = node.child_by_field_name("value")
    if node.type != "pair" or value is None:
        return name, raw
    literal = _literal(value, depth + 1)
    return name, Literal(literal.value, _comments(node) + literal.comments)


def _key(node: Node) -> str | None:
    if node.type == "property_identifier":
        text = text_of(node)
        return None if "\\" in text else text
    if node.type == "computed_property_name":
        node = node.named_children[0]
    try:
        value = scalar(node)
    except NotLiteral:
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST_WHOLE:
        value = int(value)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _array(node: Node, depth: int) -> Literal:
    members: list[Literal] = []
    beside, expecting = _Beside(), True
    for child in node.children:
        if child.type == "comment":
            beside.comment(child)
        elif child.type == ",":
            if expecting:
                members.append(Literal(None))
            expecting = True
        elif child.is_named:
            literal = _literal(child, depth + 1)
            members.append(literal)
            beside.member(literal, child)
            expecting = False
    return Literal(members, beside.rest())


class _Beside:
    """Gives each comment of a container to its neighbour: to the member it ends the line of, else to the next one."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.last: Literal | None = None
        self.last_row = -1

    def comment(self, node: Node) -> None:
        if self.last is not None and node.start_point[0] == self.last_row:
            self.last.comments += (_comment(node),)
        else:
            self.waiting.append(_comment(node))

    def member(self, literal: Literal, node: Node) -> None:
        literal.comments = (*self.waiting, *literal.comments)
        self.waiting, self.last, self.last_row = [], literal, node.end_point[0]

    def rest(self) -> tuple[str, ...]:
        return tuple(self.waiting)


def _comments(node: Node) -> tuple[str, ...]:
    return tuple(_comment(c) for c in node.named_children if c.type == "comment")


def _comment(node: Node) -> str:
    """A comment's words, without its marks and ornaments."""
    text = text_of(node)
    text = text[2:-2] if text.startswith("/*") else text.lstrip("/")
    return " ".join(line for line in map(_unadorned, text.splitlines()) if line)


def _unadorned(line: str) -> str:
    """A line without the star of a block comment and without rules of four or more `=` or `-`."""
    line = line.strip().lstrip("*").strip()
    if line[:4] and not line[:4].strip("=-"):
        line = line.lstrip("=- ")
    return line.rstrip("=- ") if line[-4:] and not line[-4:].strip("=-") else line
