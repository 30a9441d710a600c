"""From the text of a gate file to its gates."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pipelines.names import accelerator
from pipelines.schema import content_id
from pipelines.sources.sglang.gates.bindings import Index
from pipelines.sources.sglang.gates.classes import Reach
from pipelines.sources.sglang.gates.drafts import Draft, Drafting, identify
from pipelines.sources.sglang.gates.evidence import weigh
from pipelines.sources.sglang.gates.harness import Harness
from pipelines.sources.sglang.gates.model import Gate, GateFile
from pipelines.sources.sglang.gates.registration import Registration, registration_of, skip_reason
from pipelines.sources.sglang.gates.sites import Site, find_sites
from pipelines.sources.sglang.gates.source import NotReadable, read_source
from pipelines.sources.sglang.gates.subjects import Subjects
from pipelines.sources.sglang.gates.surroundings import Surroundings
from pipelines.sources.sglang.gates.uses import find_uses

MAX_GATES = 200
_CHIP = re.compile(r"mi\d{2,3}x?(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True)
class _File:
    """What all gates of a file share."""

    index: Index
    registration: Registration
    around: Surroundings
    subjects: Subjects
    harness: Harness
    chip: str | None
    runs: Mapping[str, str]


def read_gates(path: str, text: str, *, runs: Mapping[str, str], pull_request_text: str | None) -> GateFile:
    """Read the gates of a test file.

    `runs` holds the conclusions of CI runs by id, as far as known; `pull_request_text` is title and body of the pull
    request that brought this text. What cannot be read is told in `problems`; nothing is raised.
    """
    try:
        source = read_source(text)
    except NotReadable as error:
        return GateFile(path, problems=[f"{path} cannot be read as Python ({error}); its gates stay as they were last read"], readable=False)
    index = Index(source.tree)
    uses = find_uses(index)
    found = find_sites(index, uses)
    reach = Reach(index)
    registration = registration_of(index)
    problems = [*found.problems, *registration.problems]
    if len(found.sites) > MAX_GATES:
        problems.append(f"it holds {len(found.sites)} thresholds; only the first {MAX_GATES} are read")
    drafts = Drafting(index, uses, reach, source, problems).drafts(found.sites[:MAX_GATES])[:MAX_GATES]
    if not drafts and not problems:
        problems.append("no threshold found")
    name = PurePosixPath(path)
    identify(name.name, drafts)
    sites = [d.site for d in drafts]
    file = _File(
        index,
        registration,
        Surroundings(source, sites, pull_request_text, name.stem),
        Subjects(index, reach),
        Harness(index, _threshold_nodes(sites), [s.entry for s in sites if s.entry is not None], reach.tests),
        _chip(path) or _chip(registration.suite or ""),
        runs,
    )
    gates = _told_together([_gate(d, file) for d in drafts])
    return GateFile(path, gates, [f"{path}: {p}" for p in dict.fromkeys(problems)], {g.evidence_run for g in gates if g.evidence_run})


def _told_together(gates: list[Gate]) -> list[Gate]:
    """What one threshold's comment says of the test not having run holds for the others of the same test and model."""
    groups: dict[tuple[str | None, str | None], list[Gate]] = {}
    for gate in gates:
        groups.setdefault((gate.test_class, gate.model), []).append(gate)
    told = {key: next((g for g in group if g.run_state == "not_run"), None) for key, group in groups.items()}
    ran = {key for key, group in groups.items() if any(g.run_state in ("run", "passed", "failed") for g in group)}
    return [_with_told(g, told[g.test_class, g.model]) if (g.test_class, g.model) not in ran else g for g in gates]


def _with_told(gate: Gate, told: Gate | None) -> Gate:
    if told is None or gate.run_state != "unknown":
        return gate
    if gate.evidence is not None:
        return replace(gate, run_state="not_run")
    basis = "placeholder" if gate.threshold_basis == "unknown" else gate.threshold_basis
    return replace(gate, run_state="not_run", threshold_basis=basis, evidence=told.evidence, evidence_source=told.evidence_source)


def _chip(text: str) -> str | None:
    """The last AMD accelerator or family a path or suite names, such as `mi35x`."""
    return next(reversed(_CHIP.findall(text)), None)


def _threshold_nodes(sites: list[Site]) -> list[ast.AST]:
    """Nodes that hold nothing but a threshold: its value, its assignment, its keyword."""
    values: list[ast.AST] = [v for s in sites for v in s.values]
    return values + [a for s in sites if s.measured is None for a in s.anchors if isinstance(a, ast.stmt | ast.keyword)]


def _gate(draft: Draft, file: _File) -> Gate:
    site, cls, registration = draft.site, draft.cls, file.registration
    model = site.model or file.subjects.model(cls)
    machine = accelerator(file.chip)
    evidence = weigh(
        file.around.texts(site, cls, draft.functions, model),
        draft.metric,
        draft.threshold,
        draft.operator,
        family=file.chip.lower()[:4] if file.chip else None,
        runs=file.runs,
        env_default=draft.threshold_source == "env_default",
    )
    skipped, reason = skip_reason(file.index, cls, draft.functions)
    state = evidence.run_state
    if not registration.registered:
        state = "unregistered"
    elif registration.disabled or skipped:
        state = "disabled"
    return Gate(
        gate_id=content_id(*draft.identity),
        model=model,
        test_class=cls.name if cls else None,
        name=site.name,
        metric=draft.metric,
        dataset=site.dataset or file.subjects.dataset(cls, draft.functions),
        threshold=draft.threshold,
        threshold_text=draft.threshold_text,
        threshold_source=draft.threshold_source,
        operator=draft.operator,
        threshold_basis=evidence.threshold_basis,
        run_state=state,
        harness=file.harness.of(cls, site.entry),
        evidence=evidence.sentence,
        evidence_value=evidence.value,
        evidence_run=evidence.run,
        evidence_source=evidence.source,
        suite=registration.suite,
        nightly=registration.nightly,
        disabled_reason=registration.reason if registration.disabled else reason,
        accelerator=machine.name if machine else file.chip,
        vendor=machine.vendor if machine else "AMD" if registration.registered or file.chip else None,
        variant=site.variant,
    )
