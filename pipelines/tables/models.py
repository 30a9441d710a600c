"""`models`: what Artificial Analysis lists of a model."""

from pipelines.schema import BOOL, DATE, INT, REAL, TEXT, Table, column
from pipelines.tables.common import EXTRA, FACT, PUBLISHED

MODELS = Table(
    "models",
    "a version of a model as listed by Artificial Analysis",
    (
        column("model_id", TEXT, "Artificial Analysis' id of the model; names and slugs are reused, ids are not", key=True, required=True, blocking=True),
        column("slug", TEXT, "Address of the model's page", opens_version=True, blocking=True),
        column("name", TEXT, "Display name", required=True, opens_version=True, blocking=True),
        column("creator", TEXT, "Who made the model", opens_version=True),
        column("release_date", DATE, "Release date as listed"),
        column("open_weights", BOOL, "Whether the weights are open", opens_version=True),
        column("is_reasoning", BOOL, "Whether the listing is of a reasoning variant"),
        column("deprecated", BOOL, "Whether the listing is marked deprecated"),
        column("size_class", TEXT, "Artificial Analysis' size class", opens_version=True),
        column("total_parameters_b", REAL, "Parameters in all", "billion", minimum=0),
        column("active_parameters_b", REAL, "Parameters active per token", "billion", minimum=0),
        column("license", TEXT, "Licence name as listed"),
        column("context_window_tokens", INT, "Context window", "tokens", opens_version=True, minimum=0),
        column("intelligence_index", REAL, "Artificial Analysis Intelligence Index", "0 to 100", opens_version=True, blocking=True, minimum=0, maximum=100),
        column("index_version", TEXT, "Version of the Intelligence Index", opens_version=True),
        column("index_is_estimated", BOOL, "Whether the index is an estimate, not a measurement", opens_version=True),
        column("input_usd_mtok", REAL, "List price of uncached input", "USD per million tokens", opens_version=True, blocking=True, minimum=0),
        column("output_usd_mtok", REAL, "List price of output", "USD per million tokens", opens_version=True, blocking=True, minimum=0),
        column("cached_input_usd_mtok", REAL, "List price of input read from cache", "USD per million tokens", opens_version=True, minimum=0),
        column("cache_write_usd_mtok", REAL, "List price of writing input to cache", "USD per million tokens", opens_version=True, minimum=0),
        column("cache_discount_ratio", REAL, "Share taken off the input price on a cache hit, as stated", "0 to 1", opens_version=True, maximum=1),
        column(
            "blend_7_2_1_usd_mtok",
            REAL,
            "Blended price at cached : input : output of 7:2:1, as stated",
            "USD per million tokens",
            opens_version=True,
            minimum=0,
        ),
        column("blend_3_1_usd_mtok", REAL, "Blended price at input : output of 3:1, as stated", "USD per million tokens", minimum=0),
        column("output_tok_s", REAL, "Median output speed", "tok/s", opens_version=True, blocking=True, minimum=0),
        column("ttft_s", REAL, "Median time to first token", "s", opens_version=True, minimum=0),
        column("index_usd_task", REAL, "Cost of one Intelligence Index task", "USD per task", opens_version=True, minimum=0),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)
