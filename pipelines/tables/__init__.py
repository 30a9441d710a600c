"""The history tables, by name."""

from pipelines.schema import Table
from pipelines.tables.agentperf import AGENTPERF_RESULTS, CONFIGURATIONS, METHODOLOGIES
from pipelines.tables.evaluations import EVALUATIONS
from pipelines.tables.facts import CAVEATS, MODEL_FACTS, PUBLISHED_SUBSETS
from pipelines.tables.models import MODELS
from pipelines.tables.operating_points import OPERATING_POINTS
from pipelines.tables.prices import ACCELERATOR_POWER, PRICES, STATED_COSTS
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
    )
}

# Every published table that is described: history tables and marts.
DESCRIBED: dict[str, Table] = {**TABLES}
