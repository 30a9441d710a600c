"""A cookbook set as records of `operating_points`: every benchmarks and AgentX file it speaks for, with its config."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pipelines.sources.base import Bundle, Parsed, Unreadable
from pipelines.sources.sglang import literals
from pipelines.sources.sglang.agentx import agentx_points
from pipelines.sources.sglang.benchmarks import Place, Points, points
from pipelines.sources.sglang.commits import revert_of
from pipelines.sources.sglang.configs import Config, read_config
from pipelines.sources.sglang.layout import read_layout
from pipelines.sources.sglang.manifest import Manifest, covered, manifest_of
from pipelines.sources.sglang.repository import COOKBOOK, config_of, kind_of, stem_of

TABLE = "operating_points"
MOST_NAMED = 8


@dataclass
class _Reading:
    """What reading the files of a set came to."""

    found: list[Points] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    fields: Counter[str] = field(default_factory=Counter)
    entries: int = 0


def read_cookbook(bundle: Bundle) -> Parsed:
    """What a cookbook set says.

    Raises Incomplete where a file is missing, Unreadable where none of its files can be read.
    """
    manifest = manifest_of(bundle, COOKBOOK)
    reading = _Reading()
    paths = sorted(p for p in manifest.files if kind_of(p) in ("benchmarks", "agentx"))
    for path in paths:
        data = manifest.text_of(path)
        try:
            (_read_agentx if kind_of(path) == "agentx" else _read_benchmarks)(reading, manifest, path, data, bundle)
        except Unreadable as why:
            reading.unread[path] = str(why)
    if paths and len(reading.unread) == len(paths):
        raise Unreadable("; ".join(f"{path} cannot be read: {why}" for path, why in sorted(reading.unread.items())[:MOST_NAMED]))
    rows, doubles = _once([r for p in reading.found for r in p.records])
    warnings = [f"{path} cannot be read: {why}. Its former rows stay." for path, why in sorted(reading.unread.items())] + reading.warnings
    if doubles:
        warnings.append(f"Rows that stand in several files are taken from the first: {', '.join(doubles[:MOST_NAMED])}")
    return Parsed(
        rows={TABLE: rows},
        covers=covered(manifest, set(reading.unread)),
        compared=False,
        may_be_empty=True,
        fields={TABLE: {path: round(n / reading.entries, 4) for path, n in sorted(reading.fields.items())}} if reading.entries else {},
        warnings=warnings + told_moves(manifest) + told_gone(manifest),
        shape=commit_shape(manifest),
        unmatched_names=sorted({name for p in reading.found for name in p.unmatched}),
    )


def _read_benchmarks(reading: _Reading, manifest: Manifest, path: str, data: bytes, bundle: Bundle) -> None:
    layout = read_layout(literals.read(data))
    if layout is None:
        raise Unreadable("it declares no list of benchmark rows")
    found = points(layout, _config_beside(reading, manifest, path), _place(manifest, path, bundle))
    reading.found.append(found)
    for name, share in layout.fields.items():
        reading.fields[name] += share * len(layout.measurements)  # type: ignore[assignment]
    reading.entries += len(layout.measurements)
    told = {"entries not read": layout.unread, "kept as source text": layout.raws, "keys not understood, kept in extra": sorted(found.unknown_keys)}
    for what, names in told.items():
        if names:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            reading.warnings.append(f"{path}: {what}: {', '.join(names[:MOST_NAMED])}{more}")


def _config_beside(reading: _Reading, manifest: Manifest, path: str) -> Config:
    beside = config_of(path, manifest.files)
    if beside is None:
        return Config()
    try:
        config = read_config(literals.read(manifest.text_of(beside)))
    except Unreadable as why:
        reading.warnings.append(f"{beside} cannot be read: {why}. Its rows are read without it.")
        return Config()
    if config.unread:
        reading.warnings.append(f"{beside}: {config.unread} cells are not literals and were not read")
    return config


def _read_agentx(reading: _Reading, manifest: Manifest, path: str, data: bytes, bundle: Bundle) -> None:
    found = agentx_points(literals.read(data), _place(manifest, path, bundle))
    if found is None:
        raise Unreadable("it declares no AgentX cells")
    reading.found.append(found)


def _place(manifest: Manifest, path: str, bundle: Bundle) -> Place:
    return Place(
        path=path,
        url=manifest.repository.file_url(manifest.commit_sha, path),
        model_key=manifest.key_of(path),
        model=stem_of(path),
        committed_at=bundle.at,
        commit_sha=manifest.commit_sha,
        pull_request=manifest.pull_request,
        author=manifest.meta.get("author"),
    )


def _once(records: list[dict]) -> tuple[list[dict], list[str]]:
    """Records without those that another file already gave (a folder copied before the old one is removed)."""
    rows: dict[str, dict] = {}
    doubles = []
    for record in records:
        if record["point_id"] in rows:
            doubles.append(record["part"])
        else:
            rows[record["point_id"]] = record
    return list(rows.values()), sorted(set(doubles))


def told_moves(manifest: Manifest) -> list[str]:
    """Warnings on files that moved out of the watched folders, or became something we do not read."""
    told = [
        f"{c.previous} was renamed to {c.path}, which is no file we read: its rows end here."
        for c in manifest.changes or ()
        if c.previous and kind_of(c.path) is None
    ]
    if out := manifest.meta.get("unwatched"):
        told.append(f"{', '.join(out[:MOST_NAMED])} moved out of the watched folders; the new folder is followed too. Add it to MEGAWATCH_SGLANG_ROOTS.")
    return told


def told_gone(manifest: Manifest) -> list[str]:
    """A warning where a tree stands in for commits that vanished from the branch."""
    gone = manifest.meta.get("gone") or ()
    return [f"The branch was rewritten: {', '.join(sha[:12] for sha in gone)} vanished from it, so the tree at head was read."] if gone else []


def commit_shape(manifest: Manifest) -> dict:
    """What a snapshot tells of its commit."""
    revert = revert_of(manifest.subject, "")
    said = {
        "commit": manifest.commit_sha,
        "pull_request": manifest.pull_request,
        "author": manifest.meta.get("author"),
        "subject": manifest.subject or None,
        "reverts": (revert.number or revert.title) if revert else None,
    }
    return {k: v for k, v in said.items() if v is not None}
