"""Where CI runs the file, and whether it is switched off.

`register_amd_ci(est_time, suite, nightly, disabled, *, stage, runner_config)` stands at module level, does nothing at
run time and is read from the syntax tree by the project itself (python/sglang/test/ci/ci_register.py); a suite is
named directly or as stage and runner configuration.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from pipelines.sources.sglang.gates.bindings import Function, Index, Place
from pipelines.sources.sglang.gates.values import dotted, text_of

_POSITIONAL = ("est_time", "suite", "nightly", "disabled")
_ON_AMD = {"is_hip": True, "is_rocm": True, "is_amd": True, "is_cuda": False, "is_npu": False, "is_xpu": False, "is_musa": False}


@dataclass
class Registration:
    """What CI does with the file on AMD; `disabled` and `reason` only where no registration is left that runs."""

    registered: bool = False
    suite: str | None = None
    nightly: bool | None = None
    disabled: bool = False
    reason: str | None = None
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Call:
    suite: str | None
    nightly: bool
    disabled: bool
    reason: str | None


def registration_of(index: Index) -> Registration:
    """Read every `register_amd_ci(...)` of the module's top level."""
    result = Registration()
    calls: list[_Call] = []
    others = []
    for statement in index.tree.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id="register_amd_ci")) as call):
                calls.append(_read(index, call, Place(statement, statement), result.problems))
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name.startswith("register_") and name.endswith("_ci"):
                others.append(name)
    if not calls:
        if others:
            result.problems.append(f"registered for other makers only ({', '.join(others)}), not for AMD")
        return result
    running = [c for c in calls if not c.disabled]
    shown = running or calls
    result.registered = True
    result.suite = ", ".join(dict.fromkeys(c.suite for c in shown if c.suite)) or None
    result.nightly = any(c.nightly for c in shown)
    result.disabled = not running
    result.reason = None if running else "; ".join(dict.fromkeys(c.reason for c in calls if c.reason)) or None
    return result


def _read(index: Index, call: ast.Call, place: Place, problems: list[str]) -> _Call:
    given: dict[str, ast.expr] = dict(zip(_POSITIONAL, call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg}

    def text(name: str) -> str | None:
        node = given.get(name)
        found = text_of(node, lambda n: index.find(n, place)) if node is not None else None
        if found is None and node is not None and not (isinstance(node, ast.Constant) and node.value is None):
            problems.append(f"line {call.lineno}: {name} of register_amd_ci is no text that stands in the file")
        return found

    suite = text("suite")
    stage, runner = text("stage"), text("runner_config")
    if stage and runner:
        suite = f"{stage}-test-{runner}"
    nightly = given.get("nightly")
    switch = given.get("disabled")
    off = switch is not None and not (isinstance(switch, ast.Constant) and switch.value in (None, False))
    return _Call(suite, isinstance(nightly, ast.Constant) and nightly.value is True, off, (text("disabled") or None) if off else None)


def skip_reason(index: Index, cls: ast.ClassDef | None, functions: list[Function]) -> tuple[bool, str | None]:
    """Whether a class, or every one of the test functions, is skipped on AMD whatever happens, and the reason given."""
    if cls is not None:
        found = _decorated(index, cls) or _skipping_setup(index, cls)
        if found:
            return found
    skipped = [_decorated(index, f) or _skips_at_once(index, f) for f in functions]
    if skipped and all(skipped):
        return skipped[0] or (False, None)
    return False, None


def _decorated(index: Index, node: ast.ClassDef | Function) -> tuple[bool, str | None] | None:
    for decorator in node.decorator_list:
        name = dotted(decorator).rsplit(".", 1)[-1].lower()
        arguments = decorator.args if isinstance(decorator, ast.Call) else []
        keywords = {k.arg: k.value for k in decorator.keywords} if isinstance(decorator, ast.Call) else {}
        reason_node = keywords.get("reason") or (arguments[-1] if arguments else None)
        reason = _reason(index, reason_node, Place(node, node))
        if name == "skip":
            return True, reason
        if name in ("skipif", "skipunless") and arguments and _true_on_amd(arguments[0]) is (name == "skipif"):
            return True, reason
    return None


def _skipping_setup(index: Index, cls: ast.ClassDef) -> tuple[bool, str | None] | None:
    setups = [s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name in ("setUp", "setUpClass", "setup_method", "setup_class")]
    return next((found for s in setups if (found := _skips_at_once(index, s))), None)


def _skips_at_once(index: Index, function: Function) -> tuple[bool, str | None] | None:
    """`self.skipTest(...)` or `raise SkipTest(...)` among the function's own statements, under no condition that AMD fails."""
    for statement in _certain(function.body):
        match statement:
            case ast.Expr(value=ast.Call() as call) | ast.Raise(exc=ast.Call() as call):
                name = dotted(call.func).rsplit(".", 1)[-1]
                if name in ("skipTest", "SkipTest") or dotted(call.func) == "pytest.skip":
                    return True, _reason(index, call.args[0] if call.args else None, Place(statement, statement))
    return None


def _certain(body: list[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If) and _true_on_amd(statement.test):
            found += _certain(statement.body)
        found.append(statement)
    return found


def _reason(index: Index, node: ast.expr | None, place: Place) -> str | None:
    text = text_of(node, lambda n: index.find(n, place)) if node is not None else None
    return " ".join(text.split()) or None if text else None


def _true_on_amd(test: ast.expr) -> bool | None:
    """What a condition is on an AMD machine; None where that is not known."""
    match test:
        case ast.Constant(value=bool() as value):
            return value
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _true_on_amd(operand)
            return None if inner is None else not inner
        case ast.Call(args=[]):
            return _ON_AMD.get(dotted(test.func).rsplit(".", 1)[-1].lstrip("_"))
        case ast.Name(id=name):
            return _ON_AMD.get(name.lstrip("_").lower())
        case ast.BoolOp(op=op, values=values):
            known = [_true_on_amd(v) for v in values]
            decisive = isinstance(op, ast.Or)
            if decisive in known:
                return decisive
            return None if None in known else not decisive
    return None
