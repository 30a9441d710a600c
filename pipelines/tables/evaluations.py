"""`evaluations`: accuracy of served models, as measured beside their benchmarks."""

from pipelines.schema import BOOL, DATE, INT, JSON, REAL, TEXT, Table, column
from pipelines.tables.common import EXTRA, FACT, PUBLISHED

EVALUATIONS = Table(
    "evaluations",
    "a version of one accuracy figure of one deployment",
    (
        column("evaluation_id", TEXT, "Hash of the evaluation's natural key at its source and the metric", key=True, required=True, blocking=True),
        column("model", TEXT, "Model as the source names it", required=True, opens_version=True),
        column("accelerator", TEXT, "Accelerator as in the accelerator reference, or as the source writes it", required=True),
        column("vendor", TEXT, "Maker of the accelerator"),
        column("precision", TEXT, "Numeric precision as the source writes it"),
        column("framework", TEXT, "Serving framework"),
        column("speculative_decoding", TEXT, "Speculative decoding method"),
        column("disaggregated", BOOL, "Whether prefill and decode run on accelerators of their own"),
        column("match", JSON, "The source's own selection dimensions of the row, as JSON"),
        column("concurrency", INT, "Concurrent requests during the evaluation", "count", minimum=0),
        column("task", TEXT, "What was evaluated: gsm8k, gpqa and others", required=True),
        column("metric", TEXT, "The source's name of the figure", required=True),
        column("value", REAL, "The figure; em_* are shares from 0 to 1", "see metric", required=True, opens_version=True, blocking=True),
        column("standard_error", REAL, "Standard error of the figure", "as value", minimum=0),
        column("samples", INT, "Effective sample size", "count", opens_version=True, minimum=0),
        column("run_id", TEXT, "Run the evaluation was made in"),
        column("run_url", TEXT, "Link to that run"),
        column("measured_on", DATE, "When the source says it was measured"),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)
