"""The history tables and every published table, by name."""

from pipelines.schema import HISTORY_COLUMNS, Table
from pipelines.tables.agentperf import AGENTPERF_RESULTS, CONFIGURATIONS, METHODOLOGIES
from pipelines.tables.common import MODEL
from pipelines.tables.comparisons import DISAGREEMENTS, HEADLINE_CROSSCHECK, MODEL_PEERS, SUBSET_CLAIMS, SUBSETS_HELD, SYSTEM_GAP
from pipelines.tables.costs import COST_AT_INTERACTIVITY, FRONTIER_POINTS, GPU_HOUR_PRICES, RENT_VS_OWN, TOKEN_SPLIT, UNIT_COSTS
from pipelines.tables.evaluations import EVALUATIONS
from pipelines.tables.facts import CAVEATS, MODEL_FACTS, PUBLISHED_SUBSETS
from pipelines.tables.models import MODELS
from pipelines.tables.operating_points import OPERATING_POINTS
from pipelines.tables.prices import ACCELERATOR_POWER, PRICES, STATED_COSTS
from pipelines.tables.records import (
    ABOUT,
    ACCELERATOR_NAMES,
    CHANGE_EVENTS,
    MODEL_NAMES,
    SNAPSHOTS,
    SOURCE_HEALTH,
    TABLE_STATUS,
    TASKS,
    UNMATCHED_NAMES,
    WATCHED_PAGES,
    WATCHES,
)
from pipelines.tables.repository import ACCURACY_GATES, PULL_REQUESTS

TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        MODELS,
        AGENTPERF_RESULTS,
        CONFIGURATIONS,
        METHODOLOGIES,
        OPERATING_POINTS,
        EVALUATIONS,
        PRICES,
        ACCELERATOR_POWER,
        STATED_COSTS,
        MODEL_FACTS,
        PUBLISHED_SUBSETS,
        CAVEATS,
        ACCURACY_GATES,
        PULL_REQUESTS,
        WATCHED_PAGES,
    )
}

_NAMING_A_MODEL = (
    "agentperf_results",
    "operating_points",
    "evaluations",
    "stated_costs",
    "model_facts",
    "accuracy_gates",
    "subset_claims",
)


def _versioned(table: Table) -> Table:
    """A history table as published: with its validity and, where its rows name a model, the model across sources."""
    model = MODEL if table.name in _NAMING_A_MODEL else MODEL[:1] if table.name == "models" else ()
    return Table(table.name, table.row, (*table.columns, *HISTORY_COLUMNS, *model))


# Every published table as it is described: its columns are these and no others.
DESCRIBED: dict[str, Table] = {
    t.name: t
    for t in (
        *(_versioned(t) for t in TABLES.values() if t is not PUBLISHED_SUBSETS),
        _versioned(SUBSET_CLAIMS),
        SUBSETS_HELD,
        TOKEN_SPLIT,
        FRONTIER_POINTS,
        GPU_HOUR_PRICES,
        COST_AT_INTERACTIVITY,
        UNIT_COSTS,
        RENT_VS_OWN,
        HEADLINE_CROSSCHECK,
        SYSTEM_GAP,
        MODEL_PEERS,
        DISAGREEMENTS,
        MODEL_NAMES,
        ACCELERATOR_NAMES,
        UNMATCHED_NAMES,
        SNAPSHOTS,
        SOURCE_HEALTH,
        CHANGE_EVENTS,
        WATCHES,
        TASKS,
        TABLE_STATUS,
        ABOUT,
    )
}
