"""The curated source: publications entered by hand in the lake's folder `curated`, one YAML file each."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pipelines.sources.base import Bundle, Capture, Collector, Parsed, Terms
from pipelines.sources.curated.pages import RESOURCE as PAGE
from pipelines.sources.curated.pages import collect_pages, parse_page
from pipelines.sources.curated.publication import parse_publication, publication_date
from pipelines.sources.curated.sections import SECTIONS

FOLDER = "curated"


class Curated:
    """Figures, facts and caveats entered by hand, each with its publication, date and link."""

    name = "curated"
    title = "Curated publications"
    parser_version = "1"
    terms = Terms(fetch="yes", redistribute="yes", url="docs/curated.md", attribution="Each figure names its publisher and links to the publication")
    tables = (*SECTIONS, "watched_pages")

    def collect(self, run: Collector) -> None:
        """Keep every published file of the folder, that a file kept before is gone, and the pages that are watched."""
        self._collect_files(run)
        collect_pages(run)

    def _collect_files(self, run: Collector) -> None:
        folder = Path(run.settings.lake) / FOLDER
        if not folder.is_dir():
            missing = (
                "The lake has no folder curated: no figure entered by hand was read, and those read before stay. Put it back, or begin one with megawatch add."
            )
            run.failed(FOLDER, FOLDER, "unreachable", missing)
            return
        last = {c.resource: c for c in run.captures() if c.captured_at <= run.at and c.ok and c.scope == _scope(c.resource)}
        there = set()
        for path in sorted(folder.iterdir()):
            if path.suffix in (".yaml", ".yml") and not path.name.startswith("."):
                there.add(path.name)
                self._keep(run, path, last.get(path.name))
        for name in sorted(set(last) - there):
            if last[name].outcome != "removed":
                run.keep(_scope(name), b"", resource=name, scope=_scope(name), outcome="removed")

    def _keep(self, run: Collector, path: Path, last: Capture | None) -> None:
        if path.suffix == ".yml":
            run.failed(path.name, _scope(path.name), "invalid", f"{_scope(path.name)} was not read: curated files end in .yaml; rename it.")
            return
        try:
            body = path.read_bytes()
        except OSError as wrong:
            run.failed(path.name, _scope(path.name), "invalid", f"{_scope(path.name)} could not be read ({wrong.strerror}); the figures it gave before stay.")
            return
        published = publication_date(body)
        if published is None or published <= run.at.date():
            same = last is not None and last.outcome != "removed" and last.sha256 == hashlib.sha256(body).hexdigest()
            run.keep(_scope(path.name), body, resource=path.name, scope=_scope(path.name), outcome="not_modified" if same else "fetched")

    def parse(self, bundle: Bundle) -> Parsed:
        """The records of one file, of a file that is gone none; of a watched page its text's hash."""
        if bundle.resource == PAGE:
            return parse_page(bundle)
        (part,) = bundle.parts
        if part.capture.outcome == "removed":
            return Parsed({table: [] for table in SECTIONS}, compared=False, may_be_empty=True)
        rows, unmatched = parse_publication(part.body, bundle.resource, bundle.at)
        return Parsed(rows, compared=False, may_be_empty=True, unmatched_names=unmatched)


def _scope(name: str) -> str:
    return f"{FOLDER}/{name}"
