"""The sources, by name. A source is one folder and one line here."""

from pipelines.sources import curated
from pipelines.sources.base import Source
from pipelines.sources.inferencex.source import INFERENCEX

SOURCES: dict[str, Source] = {
    "inferencex": INFERENCEX,
    "curated": curated.SOURCE,
}
