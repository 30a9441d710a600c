"""Artificial Analysis as a source."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.names import reference
from pipelines.schema import content_id
from pipelines.sources.artificial_analysis import collect as collecting
from pipelines.sources.artificial_analysis.agentperf import parse_agentperf
from pipelines.sources.artificial_analysis.api import parse_api
from pipelines.sources.artificial_analysis.api_schema import parse_api_schema
from pipelines.sources.artificial_analysis.configurations import parse_configurations
from pipelines.sources.artificial_analysis.leaderboard import parse_leaderboard
from pipelines.sources.artificial_analysis.methodology import parse_methodology
from pipelines.sources.artificial_analysis.model_page import parse_model_page
from pipelines.sources.artificial_analysis.places import PUBLIC
from pipelines.sources.base import Bundle, Collector, Parsed, Terms, Unreadable

_READERS: dict[str, Callable[[Bundle], Parsed]] = {
    "leaderboard": parse_leaderboard,
    "datacenter": parse_agentperf,
    "configurations": parse_configurations,
    "methodology": parse_methodology,
    "model_page": parse_model_page,
    "models_api": parse_api,
    "api_schema": parse_api_schema,
}


class ArtificialAnalysis:
    """The model leaderboard, AA-AgentPerf with its configurations and methodology, and the data API v2."""

    name = "artificial_analysis"
    title = "Artificial Analysis"
    # Results are told apart by accelerator, so another reference of accelerators reads the same bytes differently.
    parser_version = f"1+{content_id(reference()['accelerators'])[:8]}"
    terms = Terms(
        fetch="unknown",
        redistribute="unknown",
        url=f"{PUBLIC}/docs/legal/Terms-of-Use.pdf",
        attribution=f"Artificial Analysis, {PUBLIC}",
    )
    tables = ("models", "agentperf_results", "configurations", "methodologies", "operating_points", "model_facts")

    def collect(self, run: Collector) -> None:
        """Fetch what today asks for."""
        collecting.collect(run)

    def parse(self, bundle: Bundle) -> Parsed:
        """Read a bundle.

        Raises NoData, Unreadable and, for a set of API pages, Incomplete.
        """
        reader = _READERS.get(bundle.resource.split("/")[0])
        if reader is None:
            raise Unreadable(f"There is no reader for the resource {bundle.resource!r}.")
        try:
            return reader(bundle)
        except RecursionError as why:
            raise Unreadable("The data nests too deeply to be read.") from why
