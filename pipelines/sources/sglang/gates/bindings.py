"""Which name stands for which expression, by scope, and where in the file every expression stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef
ScopeKey = tuple[str, int | str]
MODULE: ScopeKey = ("module", "")
AMBIGUOUS = ast.Constant(value=...)  # stands for a name that is bound to different things
_CONDITIONAL = (ast.If, ast.For, ast.While, ast.Try, ast.Match, ast.AsyncFor)
_SELF = frozenset({"self", "cls"})


@dataclass(frozen=True, eq=False)
class Place:
    """Where a node stands: its innermost class, the functions around it from outside in, its statements."""

    top: ast.stmt
    statement: ast.stmt
    cls: ast.ClassDef | None = None
    functions: tuple[Function, ...] = ()
    conditional: bool = False

    @property
    def scope(self) -> ScopeKey:
        if self.functions:
            return ("function", id(self.functions[-1]))
        return ("class", self.cls.name) if self.cls else MODULE


@dataclass(frozen=True, eq=False)
class Binding:
    """One assignment of a name; `expr` is None where the name gets its value at run time (a parameter)."""

    name: str
    expr: ast.expr | None
    place: Place


@dataclass
class Index:
    """All of a file by kind: classes, module-level functions, assignments, and the nodes that may hold thresholds."""

    tree: ast.Module
    classes: list[ast.ClassDef] = field(default_factory=list)
    bindings: dict[tuple[ScopeKey, str], list[Binding]] = field(default_factory=dict)
    calls: list[tuple[ast.Call, Place]] = field(default_factory=list)
    dicts: list[tuple[ast.Dict, Place]] = field(default_factory=list)
    compares: list[tuple[ast.Compare, Place]] = field(default_factory=list)
    loops: list[tuple[ast.For, Place]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for statement in self.tree.body:
            self._visit(statement, Place(statement, statement))

    def _visit(self, node: ast.AST, place: Place) -> None:
        if isinstance(node, ast.stmt):
            place = replace(place, statement=node, conditional=place.conditional or isinstance(node, _CONDITIONAL))
        inner = place
        match node:
            case ast.ClassDef():
                self.classes.append(node)
                inner = replace(place, cls=node, functions=(), conditional=False)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = replace(place, functions=(*place.functions, node), conditional=False)
                for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                    self._bind(argument.arg, None, inner)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, place)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._assign(target, value, place)
            case ast.AugAssign(target=target):
                self._assign(target, AMBIGUOUS, replace(place, conditional=True))
            case ast.Call():
                self.calls.append((node, place))
            case ast.Dict():
                self.dicts.append((node, place))
            case ast.Compare():
                self.compares.append((node, place))
            case ast.For():
                self.loops.append((node, place))
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)

    def _assign(self, target: ast.expr, value: ast.expr, place: Place) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, value, place)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if place.cls and owner in (*_SELF, place.cls.name):
                self.bindings.setdefault((("class", place.cls.name), name), []).append(Binding(name, value, place))
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                values = value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets) else [None] * len(targets)
                for inner, one in zip(targets, values, strict=True):
                    self._assign(inner, one or AMBIGUOUS, place)

    def _bind(self, name: str, value: ast.expr | None, place: Place) -> None:
        self.bindings.setdefault((place.scope, name), []).append(Binding(name, value, place))

    def standing(self, key: tuple[ScopeKey, str]) -> list[Binding]:
        """The bindings that may hold in the end: the last one, or all since the last unconditional one that differ."""
        found: list[Binding] = []
        for binding in reversed(self.bindings.get(key, [])):
            if not any(_same(binding.expr, other.expr) for other in found):
                found.insert(0, binding)
            if not binding.place.conditional:
                break
        return found

    def find(self, node: ast.expr, place: Place) -> ast.expr | None:
        """What a name or attribute stands for, seen from a place; None where the file does not say, AMBIGUOUS where it says several things."""
        key = self.key_of(node, place)
        if key is None:
            return None
        standing = self.standing(key)
        return standing[0].expr if len(standing) == 1 else AMBIGUOUS

    def key_of(self, node: ast.expr, place: Place) -> tuple[ScopeKey, str] | None:
        """Scope and name of the assignment that a name or attribute refers to."""
        match node:
            case ast.Name(id=name):
                scopes: list[ScopeKey] = [("function", id(f)) for f in reversed(place.functions)]
                if place.cls and not place.functions:
                    scopes.append(("class", place.cls.name))
                return next(((scope, name) for scope in (*scopes, MODULE) if (scope, name) in self.bindings), None)
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                start = place.cls.name if owner in _SELF and place.cls else owner
                return next(((("class", c), name) for c in self._family(start) if (("class", c), name) in self.bindings), None)
        return None

    def _family(self, name: str) -> Iterator[str]:
        """A class of the file and its bases of the file, nearest first."""
        todo, seen = [name], set()
        while todo:
            name = todo.pop(0)
            if name in seen or name not in self._by_name:
                continue
            seen.add(name)
            yield name
            todo.extend(b.id for b in self._by_name[name].bases if isinstance(b, ast.Name))

    @cached_property
    def _by_name(self) -> dict[str, ast.ClassDef]:
        return {c.name: c for c in self.classes}


def _same(one: ast.expr | None, other: ast.expr | None) -> bool:
    if one is None or other is None:
        return one is other
    return ast.dump(one) == ast.dump(other)
