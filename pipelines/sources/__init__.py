"""The sources, by name. A source is one folder and one line here."""

from pipelines.sources import curated
from pipelines.sources.base import Source

SOURCES: dict[str, Source] = {s.name: s for s in (curated.SOURCE,)}
