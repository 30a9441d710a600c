"""A gates set as records of `accuracy_gates`, each gate held against what its file was before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pipelines.sources.base import Bundle, Parsed, Unreadable
from pipelines.sources.sglang.commits import member, read_json
from pipelines.sources.sglang.cookbook import MOST_NAMED, commit_shape, told_gone, told_moves
from pipelines.sources.sglang.evidence import pull_text
from pipelines.sources.sglang.gates import Gate, GateFile, carry_staleness, read_gates, to_records
from pipelines.sources.sglang.manifest import Manifest, covered, manifest_of
from pipelines.sources.sglang.repository import GATES

TABLE = "accuracy_gates"


def read_gate_set(bundle: Bundle) -> Parsed:
    """What a gates set says.

    Raises Incomplete where a file is missing, Unreadable where none of its files can be read.
    """
    manifest = manifest_of(bundle, GATES)
    runs = {str(p.meta["run"]): said for p in bundle.parts if "run" in p.meta and (said := member(read_json(p.body), "conclusion"))}
    pulls = {int(p.meta["pull"]): pull_text(read_json(p.body)) for p in bundle.parts if "pull" in p.meta and "manifest" not in p.meta}
    rows: list[dict[str, Any]] = []
    problems: list[str] = []
    unread: set[str] = set()
    for path in sorted(manifest.files):
        states = _states(manifest, path, runs, pulls)
        problems += states[-1].problems
        if not states[-1].readable:
            unread.add(path)
            continue
        now = replace(states[-1], gates=_aged(states))
        url = manifest.repository.file_url(manifest.commit_sha, path)
        records = to_records(
            now, path=path, commit_sha=manifest.commit_sha, pull_request=manifest.pull_request, author=manifest.meta.get("author"), source_url=url
        )
        rows += [{**record, "part": path} for record in records]
    if unread and len(unread) == len(manifest.files):
        raise Unreadable("; ".join(problems[:MOST_NAMED]))
    return Parsed(
        rows={TABLE: list({row["gate_id"]: row for row in reversed(rows)}.values())},
        covers=covered(manifest, unread),
        compared=False,
        may_be_empty=True,
        warnings=problems + told_moves(manifest) + told_gone(manifest),
        shape=commit_shape(manifest),
    )


def _states(manifest: Manifest, path: str, runs: Mapping[str, str], pulls: Mapping[int, str]) -> list[GateFile]:
    """What the file said, oldest first, now last. The words of a pull request stand for the later states too."""
    versions = [(blob, pull) for blob, pull in manifest.meta.get("former", {}).get(path, ()) if blob in manifest.bodies]
    versions.append((manifest.files[path], manifest.pull_request))
    words: list[str] = []
    states = []
    for blob, pull in versions:
        if pull in pulls:
            words.insert(0, pulls[pull])
        data = manifest.bodies[blob] if blob in manifest.bodies else manifest.text_of(path)
        states.append(_read(manifest, path, data.decode("utf-8", "replace"), runs, "\n\n".join(words) or None))
    return states


def _read(manifest: Manifest, path: str, text: str, runs: Mapping[str, str], words: str | None) -> GateFile:
    """A gate file, its gates identified by the file's first name."""
    found = read_gates(path, text, runs=runs, pull_request_text=words)
    first_name = manifest.key_of(path).partition(":")[2]
    if path.endswith(f"/{first_name}") or path == first_name:
        return found
    known_as = read_gates(f"{path.rpartition('/')[0]}/{first_name}", text, runs=runs, pull_request_text=words)
    return replace(found, gates=[replace(g, gate_id=k.gate_id) for g, k in zip(found.gates, known_as.gates, strict=True)])


def _aged(states: list[GateFile]) -> list[Gate]:
    """The gates as they are now, with evidence that is older than their way of measuring marked so."""
    aged = []
    for gate in states[-1].gates:
        history = [g for state in states[:-1] for g in state.gates if g.gate_id == gate.gate_id]
        aged.append(replace(gate, evidence_stale=carry_staleness([*history, gate])[-1]))
    return aged
