"""A hash of how a gate measures.

It changes when the way of measuring changes (another eval function, other arguments, another model or server flag) and
stays when thresholds, comments, docstrings, messages, registration, time limits or annotations change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from pipelines.schema import content_id
from pipelines.sources.sglang.gates.bindings import Index
from pipelines.sources.sglang.gates.names import is_threshold_name, words
from pipelines.sources.sglang.gates.values import dotted

_SILENT = frozenset({"annotation", "returns", "type_comment", "ctx", "kind", "type_ignores", "decorator_list", "type_params"})
_LOGGING = {"print", "log", "info", "debug", "warning", "warn", "error"}
_TELLING = frozenset(_LOGGING | {"write_github_step_summary", "write_accuracy_github_summary", "write_results_to_json"})
_TIME = frozenset({"timeout", "timeouts", "est"})


class Harness:
    """Hashes of one file's gates: what all gates of a class share, and the list entry of each."""

    def __init__(self, index: Index, thresholds: Iterable[ast.AST], entries: Iterable[ast.AST], tests: list[ast.ClassDef]) -> None:
        self._tree = index.tree
        self._imports = _imports(index.tree)
        self._thresholds = {id(n) for n in thresholds}
        self._left_out = self._thresholds | {id(n) for n in entries}
        self._tests = tests
        self._shared: dict[str, str] = {}

    def of(self, cls: ast.ClassDef | None, entry: ast.AST | None) -> str:
        """The hash of a gate of a class (None: of no one class) and, where it is one of a list, of its entry."""
        own = self._form(entry, frozenset({id(entry)})) if entry is not None else None
        return content_id(self._of_class(cls), own)

    def _of_class(self, cls: ast.ClassDef | None) -> str:
        name = cls.name if cls else ""
        if name not in self._shared:
            own = self._tests if cls is None else [t for t in self._tests if t is cls or _inherits(cls, t)]
            self._shared[name] = content_id(self._common, [self._form(t, frozenset()) for t in own])
        return self._shared[name]

    @cached_property
    def _common(self) -> str:
        """What all classes share: the module without its test classes."""
        tests = {id(t) for t in self._tests}
        return content_id([f for s in self._tree.body if id(s) not in tests and (f := self._form(s, frozenset())) is not None])

    def _form(self, node: Any, kept: frozenset[int]) -> Any:
        """A node as plain data; None where it says nothing on how is measured."""
        if isinstance(node, list):
            return [f for n in node if (f := self._form(n, kept)) is not None]
        if not isinstance(node, ast.AST):
            return node if isinstance(node, str | bool | type(None)) else repr(node)
        if (id(node) in self._left_out and id(node) not in kept) or _says_nothing(node):
            return None
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if is_threshold_name(name):
                return "threshold"
            case ast.Name(id=name):
                return self._imports.get(name, name)
            case ast.Assert() | ast.Expr(value=ast.Call(func=ast.Attribute())) if (compared := _compared(node)) is not None:
                return [f for n in compared if any(isinstance(c, ast.Call) for c in ast.walk(n)) and (f := self._form(n, kept)) is not None] or None
            case ast.keyword(arg=name) if name and set(words(name)) & _TIME:
                return None
            case ast.JoinedStr():
                return "f"
            case ast.Dict(keys=keys, values=values):
                pairs = [(k, v) for k, v in zip(keys, values, strict=True) if id(k) not in self._thresholds and id(v) not in self._thresholds]
                return ["Dict", [[self._form(k, kept), self._form(v, kept)] for k, v in pairs]]
        fields = [[name, self._form(value, kept)] for name, value in ast.iter_fields(node) if name not in _SILENT]
        return [type(node).__name__, fields]


def _compared(node: ast.AST) -> list[ast.expr] | None:
    """What an assert compares, without its message; None where the statement is no assert."""
    match node:
        case ast.Assert(test=ast.Compare(left=left, comparators=others)):
            return [left, *others]
        case ast.Assert(test=test):
            return [test]
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=args)) if name.startswith("assert"):
            return args[:2]
    return None


def _says_nothing(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Pass():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            name = dotted(function).rsplit(".", 1)[-1]
            return name in _TELLING or name.startswith("register_")
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return bool(set(words(name)) & (_TIME | {"summary", "status"}))
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def _imports(tree: ast.Module) -> dict[str, str]:
    """Full path of every imported name, so that an alias is no change and another module behind the same alias is one."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {a.asname or a.name: f"{'.' * node.level}{node.module or ''}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {a.asname: a.name for a in node.names if a.asname}
    return found


def _inherits(cls: ast.ClassDef, base: ast.ClassDef) -> bool:
    return any(isinstance(b, ast.Name) and b.id == base.name for b in cls.bases)
