"""The derived tables of what tokens are and cost: splits, frontiers, costs, rent against own."""

from pipelines.schema import DATE, INT, LIST, REAL, TEXT, TIME, Table, column
from pipelines.tables.common import MODEL, PUBLISHED
from pipelines.tables.derived import renamed, taken
from pipelines.tables.models import MODELS
from pipelines.tables.operating_points import OPERATING_POINTS
from pipelines.tables.prices import PRICES, STATED_COSTS

_SHARE = "of all tokens, input and output"
_PUBLISHED = {c.name: c for c in PUBLISHED}
_SET = column("comparable_set", TEXT, "Source, scenario, model, accelerator, precision, kind of interactivity and of acceptance that a curve is made of")
_STATED = tuple(_PUBLISHED[n] for n in ("publication", "publisher", "stated_date", "reported_via", "publisher_interest"))

TOKEN_SPLIT = Table(
    "token_split",
    "a measured point with what its throughput is made of",
    (
        *taken(OPERATING_POINTS, "point_id", "source", "origin", "model"),
        *MODEL,
        *taken(OPERATING_POINTS, "accelerator", "vendor", "scenario", "dataset", "concurrency", "interactivity_tok_s", "interactivity_kind", "status", "flags"),
        *taken(OPERATING_POINTS, "total_tok_s_gpu", "output_tok_s_gpu", "cache_hit_ratio", "cache_hit_kind", "measured_on"),
        column("output_share", REAL, f"Generated tokens as a share {_SHARE}", "0 to 1"),
        column("output_from", TEXT, "Where the output figure comes from: stated, or reckoned from request lengths"),
        column("cached_input_share", REAL, f"Input read from cache as a share {_SHARE}; NULL without a hit rate", "0 to 1"),
        column("cached_input_share_low", REAL, "The same at the low end of the hit rate", "0 to 1"),
        column("cached_input_share_high", REAL, "The same at the high end of the hit rate", "0 to 1"),
        column("uncached_input_share", REAL, f"Input not read from cache as a share {_SHARE}; NULL without a hit rate", "0 to 1"),
        column("uncached_input_share_low", REAL, "The same at the high end of the hit rate", "0 to 1"),
        column("uncached_input_share_high", REAL, "The same at the low end of the hit rate", "0 to 1"),
        column("cached_input_tok_s_gpu", REAL, "Input read from cache", "tok/s per GPU"),
        column("uncached_input_tok_s_gpu", REAL, "Input not read from cache", "tok/s per GPU"),
        *taken(OPERATING_POINTS, "provenance", "publication", "publisher", "source_url"),
    ),
)

FRONTIER_POINTS = Table(
    "frontier_points",
    "a point on the throughput frontier of its comparable set",
    (
        _SET,
        column("place", INT, "Place on the frontier, the slowest per user first", "count"),
        *taken(OPERATING_POINTS, "point_id", "source", "origin", "scenario", "isl", "osl", "model"),
        *MODEL,
        *taken(OPERATING_POINTS, "accelerator", "vendor", "precision", "weight_format", "interactivity_kind", "synthetic_acceptance"),
        *taken(OPERATING_POINTS, "framework", "framework_version", "speculative_decoding", "accelerators", "tp", "ep", "concurrency"),
        *taken(OPERATING_POINTS, "interactivity_tok_s", "total_tok_s_gpu", "output_tok_s_gpu", "status", "flags", "measured_on", "attributed_to"),
        *taken(OPERATING_POINTS, "provenance", "source_url"),
    ),
)

_HOUR = column("usd_gpu_h", REAL, "Price of an accelerator hour", "USD per GPU-hour")
_HOUR_FROM = (
    column("price_source", TEXT, "Which of our sources states that price"),
    column("price_origin", TEXT, "How that price reached us"),
)
_FIRST_HOUR = column("first_usd_gpu_h", REAL, "First price of an accelerator hour known of the same list", "USD per GPU-hour")

GPU_HOUR_PRICES = Table(
    "gpu_hour_prices",
    "the price of an accelerator hour that costs are made with, at a price basis",
    (
        column("accelerator", TEXT, "Accelerator"),
        *taken(PRICES, "vendor", "price_basis"),
        _HOUR,
        column("usd_gpu_h_from", TIME, "Since when that price holds", "UTC"),
        _FIRST_HOUR,
        column("first_usd_gpu_h_from", TIME, "Since when the first price held", "UTC"),
        *taken(PRICES, "seller", "source", "origin", "provenance", "source_url"),
    ),
)

COST_AT_INTERACTIVITY = Table(
    "cost_at_interactivity",
    "what a million tokens cost at a speed per user, by a comparable set and a price basis",
    (
        _SET,
        *taken(OPERATING_POINTS, "source", "origin", "scenario", "isl", "osl", "model"),
        *MODEL,
        *taken(OPERATING_POINTS, "accelerator", "vendor", "precision", "interactivity_kind", "synthetic_acceptance"),
        *taken(OPERATING_POINTS, "interactivity_tok_s", "total_tok_s_gpu", "output_tok_s_gpu"),
        *taken(STATED_COSTS, "usd_mtok", "cost_of", "price_basis"),
        _HOUR,
        column("usd_mtok_fixed_prices", REAL, "Cost at the first price known, so that a new price moves nothing", "USD per million tokens"),
        _FIRST_HOUR,
        column("gpu_h_mtok", REAL, "Accelerator hours a million tokens take", "GPU-hours per million tokens"),
        column("method", TEXT, "measured at a point, interpolated between points, clamped at the frontier's end, or stated by the publisher"),
        column("frontier_points", INT, "Points of the frontier the cost is read from", "count"),
        column("superseded_points", INT, "Points among them that a newer run took the place of", "count"),
        column("measured_from", DATE, "Day of the oldest measurement on the frontier"),
        column("measured_to", DATE, "Day of the newest measurement on the frontier"),
        *_HOUR_FROM,
        *taken(STATED_COSTS, "provenance", "source_url", "qualifier"),
        *_STATED,
        column("stated_from", TIME, "Since when a stated cost holds", "UTC"),
    ),
)

UNIT_COSTS = Table(
    "unit_costs",
    "what units of work cost at a point (or a published number of agents per accelerator), at a price basis",
    (
        renamed(OPERATING_POINTS, "point_id", "point_id", "; for a published number of agents the result_id"),
        *taken(OPERATING_POINTS, "source", "origin", "model"),
        *MODEL,
        *taken(OPERATING_POINTS, "accelerator", "vendor", "scenario", "concurrency", "interactivity_tok_s", "interactivity_kind", "status", "flags"),
        *taken(OPERATING_POINTS, "total_tok_s_gpu", "output_tok_s_gpu", "provenance", "source_url"),
        column("agents_per_accelerator", REAL, "Agents served at once by one accelerator", "agents per GPU"),
        *taken(STATED_COSTS, "price_basis"),
        _HOUR,
        *_HOUR_FROM,
        column("usd_mtok_total", REAL, "Cost spread over all tokens", "USD per million tokens"),
        column("usd_mtok_generated", REAL, "Cost spread over generated tokens alone", "USD per million tokens"),
        column("usd_agent_hour", REAL, "Cost of one agent for an hour", "USD per agent-hour"),
        column("usd_turn", REAL, "Cost of one completed request", "USD per request"),
        column("joules_per_generated_token", REAL, "Measured energy per generated token", "J per token"),
    ),
)

_SPLIT = ", of the point the split is taken from"
_LISTED = ", of the hosted listing"

RENT_VS_OWN = Table(
    "rent_vs_own",
    "a cost over all tokens against a hosted price list, at a price basis and a share of time the hardware is busy",
    (
        *taken(STATED_COSTS, "model"),
        *MODEL,
        *taken(STATED_COSTS, "accelerator", "vendor", "precision"),
        _SET,
        *taken(STATED_COSTS, "scenario"),
        *taken(STATED_COSTS, "interactivity_tok_s", prefix="own_", whose=" on the owned hardware"),
        *taken(STATED_COSTS, "interactivity_kind"),
        column("method", TEXT, "measured at a point, interpolated between points, clamped at the frontier's end, or stated by the publisher"),
        *taken(STATED_COSTS, "price_basis"),
        _HOUR,
        column("busy_share", REAL, "Share of time the hardware is busy", "0 to 1"),
        column("overhead_share", REAL, "Cost on top of the accelerator hours", "0.2 is 20 %"),
        column("own_usd_mtok", REAL, "What a million tokens cost on owned or rented hardware at that load", "USD per million tokens"),
        *_HOUR_FROM,
        column("repriced_from", TEXT, "Where a stated cost was priced anew: the two hour prices and whose they are"),
        *taken(OPERATING_POINTS, "measured_on", "source", "origin", "provenance"),
        *(_PUBLISHED[n] for n in ("publication", "publisher", "stated_date")),
        *taken(STATED_COSTS, "source_url", "reported_via", "publisher_interest"),
        column("split_source", TEXT, "own: the cost's measured point tells its split; borrowed: another point's split is used; NULL: none is known"),
        *taken(TOKEN_SPLIT, "cached_input_share", "uncached_input_share", "output_share"),
        renamed(OPERATING_POINTS, "cache_hit_ratio", "split_hit_ratio", _SPLIT),
        renamed(OPERATING_POINTS, "cache_hit_kind", "split_hit_kind", _SPLIT),
        *taken(OPERATING_POINTS, "point_id", "accelerator", "interactivity_tok_s", "measured_on", prefix="split_", whose=_SPLIT),
        renamed(OPERATING_POINTS, "source", "split_point_source", _SPLIT),
        *taken(OPERATING_POINTS, "origin", "provenance", "publication", "publisher", prefix="split_", whose=_SPLIT),
        renamed(OPERATING_POINTS, "source_url", "split_url", _SPLIT),
        *taken(MODELS, "name", "input_usd_mtok", "cached_input_usd_mtok", "output_usd_mtok", "output_tok_s", prefix="hosted_", whose=_LISTED),
        *taken(MODELS, "source", "origin", "provenance", "publication", prefix="hosted_", whose=_LISTED),
        renamed(MODELS, "source_url", "hosted_url", _LISTED),
        column("hosted_from", TIME, "Since when the listing holds", "UTC"),
        column("hosted_hit_ratio", REAL, "Cache hit rate a host reports of its traffic", "0 to 1"),
        column("hosted_hit_publisher", TEXT, "Who reports that hit rate"),
        column("hosted_hit_source", TEXT, "Which of our sources says so"),
        column("hosted_hit_origin", TEXT, "How that hit rate reached us"),
        column("hosted_hit_url", TEXT, "Public page that holds that hit rate"),
        column("rent_usd_mtok_same_split", REAL, "List price of a million tokens split as the point's are", "USD per million tokens"),
        column("rent_usd_mtok_blended", REAL, "List price at cached : input : output of 7:2:1", "USD per million tokens"),
        column("blended_from", TEXT, "stated by the listing, or computed from its prices"),
        column("ratio_same_split", REAL, "Rent over own, both for the same split: like for like", "times"),
        column("ratio_naive", REAL, "Blended list price over the owning cost of busy hardware: the comparison that misleads", "times"),
        column("differences", LIST, "What else differs between the two sides, in words"),
    ),
)
