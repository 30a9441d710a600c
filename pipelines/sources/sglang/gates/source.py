"""A Python file as text: its syntax tree, its comments, and the words of a node. Nothing is imported or executed."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
import warnings
from collections import deque
from dataclasses import dataclass
from functools import cached_property

from pipelines.wellformed import whole_text

MAX_CHARACTERS = 512_000
MAX_DEPTH = 150


class NotReadable(Exception):
    """The text is no Python that can be parsed within the limits. The message says why, for people."""


@dataclass(frozen=True)
class Comment:
    """A comment without its `#`; `alone` where nothing else stands on its line."""

    line: int
    text: str
    alone: bool


@dataclass
class Source:
    """A parsed file."""

    text: str
    tree: ast.Module
    comments: dict[int, Comment]

    @cached_property
    def _lines(self) -> list[bytes]:
        return [line.encode() for line in self.text.split("\n")]

    def words(self, node: ast.AST) -> str:
        """The node as written, with runs of white space as one space."""
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
        start, end = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        if first == last:
            written = self._lines[first][start:end]
        else:
            written = b" ".join([self._lines[first][start:], *self._lines[first + 1 : last], self._lines[last][:end]])
        return " ".join(written.decode().split())

    def block_above(self, line: int) -> str:
        """The comment block whose last line stands right above `line`; empty where there is none."""
        block: list[str] = []
        while (comment := self.comments.get(line - 1)) and comment.alone:
            block.append(comment.text)
            line -= 1
        return "\n".join(reversed(block))

    def trailing(self, first: int, last: int) -> str:
        """Comments that stand behind code on the lines from `first` to `last`."""
        found = (self.comments.get(line) for line in range(first, last + 1))
        return "\n".join(c.text for c in found if c and not c.alone)

    def loose_blocks(self, taken: set[int]) -> list[str]:
        """Comment blocks at module or class level that stand on none of the `taken` lines and in no statement."""
        inside = {n for s in self._inner_statements() for n in range(s.lineno + 1, (s.end_lineno or s.lineno) + 1)}
        blocks: list[list[str]] = []
        last = -1
        for line, comment in sorted(self.comments.items()):
            if not comment.alone or line in taken or line in inside:
                continue
            if line != last + 1:
                blocks.append([])
            blocks[-1].append(comment.text)
            last = line
        return ["\n".join(b) for b in blocks]

    def _inner_statements(self) -> list[ast.stmt]:
        """Statements whose inside belongs to them: all of the module and its classes but the classes themselves."""
        inner: list[ast.stmt] = []
        todo = list(self.tree.body)
        for statement in todo:
            if isinstance(statement, ast.ClassDef):
                todo.extend(statement.body)
            else:
                inner.append(statement)
        return inner


def read_source(text: str) -> Source:
    """Parse a file.

    Raises NotReadable for text over the size or depth limit and for everything Python's own parser refuses (newer
    syntax, null bytes, lone surrogates).
    """
    if len(text) > MAX_CHARACTERS:
        raise NotReadable(f"it has {len(text):,} characters, and a test file of more than {MAX_CHARACTERS:,} is not read")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        comments = _comments(text)
    except SyntaxError as error:
        raise NotReadable(f"line {error.lineno}: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        raise NotReadable(str(error) or type(error).__name__) from error
    if _deeper_than(tree, MAX_DEPTH):
        raise NotReadable(f"it is nested more than {MAX_DEPTH} levels deep")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = whole_text(node.value)
    return Source(text, tree, comments)


def _comments(text: str) -> dict[int, Comment]:
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[: token.start[1]].strip()
            found[token.start[0]] = Comment(token.start[0], token.string.lstrip("#").removeprefix(" ").rstrip(), alone)
    return found


def _deeper_than(tree: ast.AST, limit: int) -> bool:
    todo: deque[tuple[ast.AST, int]] = deque([(tree, 0)])
    while todo:
        node, depth = todo.popleft()
        if depth > limit:
            return True
        todo.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    return False


def docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The docstring without its indentation; empty where there is none."""
    return inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
