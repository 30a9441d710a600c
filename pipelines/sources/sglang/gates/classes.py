"""Which classes of a file are tests, which merely hold settings, and what each test class reaches."""

from __future__ import annotations

import ast
from functools import cached_property

from pipelines.sources.sglang.gates.bindings import Index, Place

_HOLDERS = frozenset({"NamedTuple", "TypedDict", "BaseModel", "Enum", "Protocol", "object", "SimpleNamespace"})
_DECORATORS = frozenset({"dataclass", "dataclasses", "define", "frozen", "attrs", "attr"})


def is_test_class(node: ast.ClassDef) -> bool:
    """Whether a class is a test or a mixin of tests: its attributes are gates, not defaults of a setting."""
    if any(_last_name(d) in _DECORATORS for d in node.decorator_list):
        return False
    if any(_last_name(b) in _HOLDERS for b in node.bases):
        return False
    tests = any(isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef) and s.name.startswith("test") for s in node.body)
    return tests or bool(node.bases) or node.name.startswith("Test")


def fields_of(node: ast.ClassDef) -> list[str]:
    """The fields of a class that holds settings, in the order its constructor takes them."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return [a.arg for a in statement.args.args[1:]]
    return [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


class Reach:
    """Which test classes a place in the file belongs to: by standing in it, or by being used from it."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.tests = [c for c in index.classes if is_test_class(c)]
        self._bound = {id(s): _bound_names(s) for s in index.tree.body}

    def classes(self, place: Place, name: str | None) -> list[ast.ClassDef]:
        """Test classes of a threshold that stands at `place` under `name`: its own, those that use it, or the only one."""
        if place.cls is not None and is_test_class(place.cls):
            return [place.cls]
        bound = {name} if name and place.scope[0] == "module" and _binds(place.statement, name) else self._bound[id(place.top)]
        users = [c for c in self.tests if bound & self._reached[c.name]]
        if users:
            return users
        return self.tests if len(self.tests) == 1 else []

    def names(self, cls: ast.ClassDef) -> frozenset[str]:
        """Module-level names that a class uses, directly or through others."""
        return self._reached[cls.name]

    @cached_property
    def _reached(self) -> dict[str, frozenset[str]]:
        uses: dict[str, frozenset[str]] = {}
        for statement in self._index.tree.body:
            used = _used_names(statement)
            for name in self._bound[id(statement)]:
                uses[name] = uses.get(name, frozenset()) | used
        reached = {}
        for cls in self.tests:
            found, todo = set(), list(_used_names(cls))
            while todo:
                name = todo.pop()
                if name not in found and name in uses:
                    found.add(name)
                    todo.extend(uses[name])
            reached[cls.name] = frozenset(found)
        return reached


def _used_names(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _bound_names(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _binds(statement: ast.stmt, name: str) -> bool:
    return name in _bound_names(statement)
