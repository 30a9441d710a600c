"""`model_facts`, `published_subsets` and `caveats`: what is known besides the figures."""

from pipelines.schema import INT, REAL, TEXT, Table, column
from pipelines.tables.common import EXTRA, FACT, PUBLISHED

MODEL_FACTS = Table(
    "model_facts",
    "a fact on a model",
    (
        column("model", TEXT, "Model as the source names it", key=True, required=True),
        column("fact", TEXT, "What the fact is of, as a short name", key=True, required=True),
        column("offer", TEXT, "Provider whose offer of the model the fact is of; NULL where it is of the model itself", key=True),
        column("value", REAL, "The fact as a number, where it is one", "see unit", opens_version=True),
        column("value_text", TEXT, "The fact in words", required=True, opens_version=True),
        column("unit", TEXT, "Unit of the number"),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)

PUBLISHED_SUBSETS = Table(
    "published_subsets",
    "a publication that shows some of the points it measured",
    (
        column("publication_name", TEXT, "The publication", key=True, required=True),
        column("model", TEXT, "Model as the publication names it", key=True, required=True),
        column("accelerator", TEXT, "Accelerator"),
        column("published_points", INT, "Points shown", "count", opens_version=True, minimum=0),
        column("measured_points", INT, "Points measured", "count", opens_version=True, minimum=0),
        column(
            "frontier_coverage_ratio",
            REAL,
            "Share of the frontier's area the shown points cover, as claimed",
            "0 to 1",
            opens_version=True,
            minimum=0,
            maximum=1,
        ),
        column("selection", TEXT, "How the shown points were chosen, as claimed"),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)

CAVEATS = Table(
    "caveats",
    "a sentence that changes how a figure is read",
    (
        column("caveat_id", TEXT, "Hash of what the caveat applies to and its text", key=True, required=True),
        column("table_name", TEXT, "Table of the figures it applies to", required=True),
        column("key_pattern", TEXT, "Which rows: column=pattern pairs with * as wildcard, joined by &", required=True),
        column("period_from", TEXT, "First day the caveat applies to, ISO 8601"),
        column("period_to", TEXT, "Last day the caveat applies to, ISO 8601"),
        column("text", TEXT, "The caveat", required=True, opens_version=True),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)
