"""The registry of sources, by name. A source is one folder and one line here."""

from pipelines.sources import curated
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import Source
from pipelines.sources.inferencex.source import INFERENCEX
from pipelines.sources.sglang.source import SGLang

SOURCES: dict[str, Source] = {
    "artificial_analysis": ArtificialAnalysis(),
    "sglang": SGLang(),
    "inferencex": INFERENCEX,
    "curated": curated.SOURCE,
}
