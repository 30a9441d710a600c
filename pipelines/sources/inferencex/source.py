"""InferenceX by SemiAnalysis: measured curves, prices per accelerator hour, accuracy."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.sources.base import Bundle, Collector, Parsed, Terms
from pipelines.sources.inferencex.backfill import backfill
from pipelines.sources.inferencex.benchmarks import parse_benchmarks
from pipelines.sources.inferencex.collect import collect
from pipelines.sources.inferencex.discovery import parse_aggregates, parse_availability, parse_openapi, parse_past_rows, parse_workflow_info
from pipelines.sources.inferencex.evaluations import parse_evaluations
from pipelines.sources.inferencex.history import parse_history
from pipelines.sources.inferencex.options import parse_options

PARSERS: dict[str, Callable[[Bundle], Parsed]] = {
    "openapi": parse_openapi,
    "options": parse_options,
    "availability": parse_availability,
    "benchmarks": parse_benchmarks,
    "past_rows": parse_past_rows,
    "history": parse_history,
    "workflow_info": parse_workflow_info,
    "evaluations": parse_evaluations,
    "aggregates": parse_aggregates,
}


class InferenceX:
    """The InferenceX site, read through its public API."""

    name = "inferencex"
    title = "InferenceX"
    parser_version = "1"
    terms = Terms(
        fetch="yes",
        redistribute="unknown",
        url="https://github.com/SemiAnalysisAI/InferenceX",
        attribution="SemiAnalysis InferenceX, https://inferencex.semianalysis.com",
    )
    tables: tuple[str, ...] = ("operating_points", "prices", "evaluations")

    def collect(self, run: Collector) -> None:
        """Fetch what today asks for."""
        collect(run)

    def backfill(self, run: Collector) -> None:
        """Load the site's own history."""
        backfill(run)

    def parse(self, bundle: Bundle) -> Parsed:
        """Read a bundle of any of the source's resources.

        Raises NoData, Unreadable or Incomplete.
        """
        return PARSERS[bundle.resource](bundle)


INFERENCEX = InferenceX()
