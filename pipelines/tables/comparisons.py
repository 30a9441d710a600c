"""The derived tables that set figures side by side: crosschecks, systems, peers, disagreements, published subsets."""

from pipelines.schema import HISTORY_COLUMNS, INT, LIST, REAL, TEXT, TIME, Table, column
from pipelines.tables.agentperf import AGENTPERF_RESULTS
from pipelines.tables.common import MODEL
from pipelines.tables.derived import both, renamed, taken
from pipelines.tables.facts import MODEL_FACTS, PUBLISHED_SUBSETS
from pipelines.tables.models import MODELS
from pipelines.tables.operating_points import OPERATING_POINTS
from pipelines.tables.prices import ACCELERATOR_POWER, STATED_COSTS

_SINCE = column("valid_from", TIME, "Since when the figure holds", "UTC")
_UNKNOWN = column("unknown", TEXT, "Why a figure of this row is missing, in words; NULL where none is")
_TIER = ("slo_p25_tok_s", "slo_p95_ttft_s", "slo_label")
_PUBLICATION = ("publication", "publisher", "stated_date", "source_url", "reported_via", "publisher_interest")
_POINT = ", of the point"
_POWER = ", of the power figure"

HEADLINE_CROSSCHECK = Table(
    "headline_crosscheck",
    "a published throughput per MW, held against a measured operating point",
    (
        *taken(AGENTPERF_RESULTS, "result_id", "model"),
        *MODEL,
        *taken(AGENTPERF_RESULTS, "system", "accelerator", "vendor", "accelerators", *_TIER),
        column("headline_tok_s_mw", REAL, "The headline", "tok/s per MW"),
        *taken(AGENTPERF_RESULTS, "qualifier", "bound", "tokens_counted", "power_basis", "configured_by", "verified_by", "methodology", "measured_on"),
        *taken(AGENTPERF_RESULTS, "source", "origin", "provenance", *_PUBLICATION),
        _SINCE,
        *taken(OPERATING_POINTS, "point_id", "framework", "concurrency", "interactivity_tok_s", "interactivity_kind"),
        column("measured_tok_s_gpu", REAL, "What the point measured of the tokens the headline counts", "tok/s per GPU"),
        *taken(OPERATING_POINTS, "accelerators", "synthetic_acceptance", "flags", "attributed_to", "measured_on", prefix="point_", whose=_POINT),
        *taken(OPERATING_POINTS, "source", "origin", "provenance", "publication", "publisher", prefix="point_", whose=_POINT),
        renamed(OPERATING_POINTS, "source_url", "point_url", _POINT),
        *taken(OPERATING_POINTS, "reported_via", "publisher_interest", prefix="point_", whose=_POINT),
        column("point_valid_from", TIME, "Since when the point holds", "UTC"),
        column("kw_low", REAL, "Power of one accelerator, low end", "kW"),
        column("kw_high", REAL, "Power of one accelerator, high end", "kW"),
        *taken(ACCELERATOR_POWER, "source", "origin", "provenance", "publication", "publisher", prefix="power_", whose=_POWER),
        renamed(ACCELERATOR_POWER, "source_url", "power_url", _POWER),
        column("power_valid_from", TIME, "Since when the power figure holds", "UTC"),
        column("implied_tok_s_gpu_low", REAL, "What the headline implies for one accelerator at the low power", "tok/s per GPU"),
        column("implied_tok_s_gpu_high", REAL, "What the headline implies for one accelerator at the high power", "tok/s per GPU"),
        column("implied_watts_per_accelerator", REAL, "Power of one accelerator if headline and point are the same work", "W"),
        column("verdict", TEXT, "consistent, inconsistent, unit_error (a power no accelerator has); NULL where it cannot be told"),
        column("pairing", TEXT, "inferred: nobody says the two are the same run; NULL without a point"),
        _UNKNOWN,
    ),
)

SYSTEM_GAP = Table(
    "system_gap",
    "two systems on one model at one metric and service level or speed",
    (
        column("of_kind", TEXT, "agentperf: published AgentPerf values; cost: USD per million tokens at a speed per user"),
        *taken(AGENTPERF_RESULTS, "model"),
        *MODEL,
        column("metric", TEXT, "What is compared; its unit is in its name"),
        *taken(AGENTPERF_RESULTS, *_TIER),
        *taken(STATED_COSTS, "interactivity_tok_s", "interactivity_kind", "scenario", "cost_of", "price_basis"),
        *both(
            *taken(AGENTPERF_RESULTS, "system", "accelerator", "vendor"),
            column("accelerators", TEXT, "Accelerators used; several numbers where a curve has several"),
            column("value", REAL, "The figure, in the unit of the metric", "see metric"),
        ),
        column("ratio", REAL, "value over other_value; NULL where the two may not be compared", "ratio"),
        column("comparability", TEXT, "same, differs (see differences) or no (see reason)"),
        column("reason", TEXT, "Why the two may not be compared"),
        column("differences", LIST, "What differs between the two besides the system, in words"),
        *both(
            *taken(AGENTPERF_RESULTS, "configured_by", "config_id"),
            *taken(OPERATING_POINTS, "weight_format"),
            column("usd_gpu_h", REAL, "Price of an accelerator hour the cost was made with", "USD per GPU-hour"),
            *taken(AGENTPERF_RESULTS, "qualifier", "bound"),
            column("method", TEXT, "published, measured, interpolated, clamped or stated"),
            *taken(AGENTPERF_RESULTS, "measured_on"),
        ),
        column("days_apart", INT, "Days between the two, by measurement where known, else by publication", "days"),
        *taken(AGENTPERF_RESULTS, "source", "origin", "publication", "publisher"),
        *both(*taken(AGENTPERF_RESULTS, "provenance", "source_url")),
        *taken(AGENTPERF_RESULTS, "reported_via", "publisher_interest"),
        *both(_SINCE, column("key", TEXT, "result_id of the value, or comparable_set of the cost")),
    ),
)

MODEL_PEERS = Table(
    "model_peers",
    "a listed model and a metric, against the median of open-weight models of its size class",
    (
        *taken(MODELS, "model_id"),
        MODEL[0],
        *taken(MODELS, "slug", "name", "creator", "open_weights", "size_class"),
        column("metric", TEXT, "intelligence_index, output_tok_s, input_usd_mtok or output_usd_mtok"),
        column("value", REAL, "The model's figure", "see metric"),
        column("peer_median", REAL, "Median of its peers", "see metric"),
        column("peers", INT, "Other open-weight listings of the size class that have the figure", "count"),
        column("ratio", REAL, "value over peer_median", "ratio"),
        column("published_median", REAL, "Median of comparable models as the publisher states it", "see metric"),
        column("published_by", TEXT, "Who states that median"),
        column("published_source", TEXT, "Which of our sources says so"),
        column("published_origin", TEXT, "How that median reached us"),
        column("published_in", TEXT, "Curated publication that median was entered from"),
        column("published_url", TEXT, "Public page that holds that median"),
        column("published_from", TIME, "Since when that median holds", "UTC"),
        *taken(MODELS, "index_version", "index_is_estimated", "source", "origin", "provenance", "publication", "publisher", "stated_date", "source_url"),
        _SINCE,
        _UNKNOWN,
    ),
)

DISAGREEMENTS = Table(
    "disagreements",
    "two statements on one key that differ beyond rounding",
    (
        column("kind", TEXT, "agentperf_value, service_level_label (one result under two tiers), list_price or model_fact"),
        *taken(AGENTPERF_RESULTS, "model"),
        MODEL[0],
        *taken(AGENTPERF_RESULTS, "accelerator"),
        column("fact", TEXT, "What is stated: an AgentPerf metric or a fact of the listing"),
        column("unit", TEXT, "Unit of the two values"),
        *both(column("value", REAL, "The figure; the earlier statement's first", "see unit")),
        column("ratio", REAL, "other_value over value", "ratio"),
        *both(*taken(AGENTPERF_RESULTS, "slo_p25_tok_s", "slo_label", "qualifier"), *taken(MODEL_FACTS, "offer")),
        *both(*taken(AGENTPERF_RESULTS, "source", "origin", "provenance", "publication", "publisher")),
        *both(column("stated_from", TIME, "Since when the statement holds", "UTC")),
        *both(*taken(AGENTPERF_RESULTS, "stated_date", "measured_on", "source_url")),
        column("days_apart", INT, "Days between the two statements", "days"),
        column("why", TEXT, "What may lie behind the difference, in words"),
    ),
)

SUBSET_CLAIMS = Table("subset_claims", "a version of a publication that shows some of the points it measured", PUBLISHED_SUBSETS.columns)

SUBSETS_HELD = Table(
    "published_subsets",
    PUBLISHED_SUBSETS.row,
    (
        *PUBLISHED_SUBSETS.columns,
        *(c for c in HISTORY_COLUMNS if c.name not in ("valid_to", "ended_by")),
        *MODEL,
        column("held_points", INT, "Active points of the model held here from that publication or its publisher", "count"),
        column("computed_coverage_ratio", REAL, "Share of the frontier the shown points cover, where it can be reckoned", "0 to 1"),
        _UNKNOWN,
    ),
)
