"""What a test class tests: its model and its data set."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pipelines.sources.sglang.gates.bindings import MODULE, Function, Index, Place
from pipelines.sources.sglang.gates.classes import Reach
from pipelines.sources.sglang.gates.names import dataset_in, is_model_name
from pipelines.sources.sglang.gates.source import docstring
from pipelines.sources.sglang.gates.values import text_of

_DATASET_ARGUMENTS = frozenset({"dataset", "eval_name", "task", "benchmark"})


class Subjects:
    """Models and data sets by test class (None: of no one class)."""

    def __init__(self, index: Index, reach: Reach) -> None:
        self._index, self._reach = index, reach
        self._models: dict[str | None, str | None] = {}
        self._datasets: dict[str | None, str | None] = {}

    def model(self, cls: ast.ClassDef | None) -> str | None:
        """The one model the class tests, as the file names it; None where it names none or several.

        Looked for among its attributes, then among the arguments it passes, then among the module's constants.
        """
        key = cls.name if cls else None
        if key not in self._models:
            self._models[key] = self._find_model(cls)
        return self._models[key]

    def dataset(self, cls: ast.ClassDef | None, functions: list[Function]) -> str | None:
        """The data set the class passes on, or that its tests, its name or the docstrings name."""
        key = cls.name if cls else None
        if key not in self._datasets:
            passed = {t.lower() for t in self._arguments(cls, _DATASET_ARGUMENTS.__contains__)}
            self._datasets[key] = next(iter(passed)) if len(passed) == 1 else None
        if text := self._datasets[key]:
            return dataset_in(text) or text
        names = [f.name for f in functions] or ([s.name for s in cls.body if isinstance(s, ast.FunctionDef)] if cls else [])
        told = (dataset_in(t) for t in (*names, cls.name if cls else "", docstring(cls) if cls else "", docstring(self._index.tree)))
        return next((d for d in told if d), None)

    def _find_model(self, cls: ast.ClassDef | None) -> str | None:
        constants = self._constants(MODULE)
        names = self._reach.names(cls) if cls else frozenset()
        own = set(self._constants(("class", cls.name)).values()) if cls else set()
        passed = self._arguments(cls, is_model_name) if cls else set()
        for found in (own, passed, {t for n, t in constants.items() if n in names}, set(constants.values())):
            named = {t for t in found if "/" in t and not t.startswith(("/", ".", "http"))} or found
            if named:
                return next(iter(named)) if len(named) == 1 else None
        return None

    def _constants(self, scope: tuple[str, int | str]) -> dict[str, str]:
        """Texts under a model's name in a scope."""
        found = {}
        for key in self._index.bindings:
            if key[0] != scope or not is_model_name(key[1]):
                continue
            standing = self._index.standing(key)
            expr = standing[0].expr if len(standing) == 1 else None
            text = text_of(expr, self._finder(standing[0].place)) if expr is not None else None
            if text and not set(text) & set(" \n"):
                found[key[1]] = text
        return found

    def _arguments(self, cls: ast.ClassDef | None, wanted: Callable[[str], bool]) -> set[str]:
        """Texts that calls of the class (or of no class) pass under a wanted name."""
        calls = [(c, p) for c, p in self._index.calls if cls is None or p.cls is None or p.cls is cls]
        given = [(k.value, p) for c, p in calls for k in c.keywords if k.arg and wanted(k.arg)]
        return {t for v, p in given if (t := text_of(v, self._finder(p)))}

    def _finder(self, place: Place) -> Callable[[ast.expr], ast.expr | None]:
        return lambda node: self._index.find(node, place)
