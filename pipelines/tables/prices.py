"""`prices`, `accelerator_power` and `stated_costs`: what things cost, as stated."""

from pipelines.schema import REAL, TEXT, Table, column
from pipelines.tables.common import EXTRA, FACT, INTERACTIVITY_KINDS, POWER_BASES, PRICE_BASES, PUBLISHED

PRICES = Table(
    "prices",
    "a version of a price: an accelerator hour, a hosted model or a router's listing",
    (
        column("item", TEXT, "What is priced: an accelerator or a model", key=True, required=True, blocking=True),
        column("component", TEXT, "What of it is priced: gpu_hour, input, cached_input, output, markup", key=True, required=True),
        column("seller", TEXT, "Who sells at the price, or whose survey states it", key=True, required=True),
        column("vendor", TEXT, "Maker of the accelerator or model"),
        column("price_basis", TEXT, "Owning, rental, hosted list price or router list price", key=True, required=True, one_of=PRICE_BASES),
        column("low", REAL, "Price, or the low end of its range", "see unit", required=True, opens_version=True, blocking=True, minimum=0),
        column("high", REAL, "High end of the range; equal to low where there is none", "see unit", required=True, opens_version=True, minimum=0),
        column("unit", TEXT, "Unit of the price", key=True, required=True, one_of=("usd_gpu_h", "usd_mtok", "ratio")),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)

ACCELERATOR_POWER = Table(
    "accelerator_power",
    "a version of the power one accelerator is reckoned with",
    (
        column("accelerator", TEXT, "Accelerator", key=True, required=True, blocking=True),
        column("vendor", TEXT, "Maker of the accelerator"),
        column("kw", REAL, "Power per accelerator", "kW", required=True, opens_version=True, blocking=True, minimum=0.05, maximum=20),
        column("kw_high", REAL, "High end where the power is a range", "kW", opens_version=True, minimum=0.05, maximum=20),
        column("power_basis", TEXT, "Measured at the accelerator, or modelled with its share of host and network", key=True, required=True, one_of=POWER_BASES),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)

STATED_COSTS = Table(
    "stated_costs",
    "a cost per million tokens that a publisher states at a speed per user",
    (
        column("model", TEXT, "Model as the publisher names it", key=True, required=True),
        column("accelerator", TEXT, "Accelerator", key=True, required=True),
        column("vendor", TEXT, "Maker of the accelerator"),
        column("precision", TEXT, "Numeric precision"),
        column("scenario", TEXT, "Kind of workload"),
        column("interactivity_tok_s", REAL, "Output speed one user sees", "output tok/s per user", key=True, required=True, minimum=0),
        column("interactivity_kind", TEXT, "Which statistic the interactivity is", one_of=INTERACTIVITY_KINDS),
        column("usd_mtok", REAL, "Cost as stated", "USD per million tokens", required=True, opens_version=True, minimum=0),
        column("cost_of", TEXT, "Which tokens the cost is spread over", key=True, required=True, one_of=("total", "output")),
        column("price_basis", TEXT, "Owning or rental", key=True, required=True, one_of=("owning", "rental")),
        column("usd_gpu_h", REAL, "Price of an accelerator hour the cost was made with", "USD per GPU-hour", opens_version=True, minimum=0),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)
