"""Columns and vocabularies that several tables share."""

from pipelines.schema import BOOL, JSON, REAL, TEXT, column

SOURCES = ("artificial_analysis", "sglang", "inferencex", "curated")
ORIGINS = ("scraped", "api", "git", "curated")
PROVENANCES = ("evaluator_measured", "vendor_submitted", "vendor_reported", "framework_reported", "interpolated", "derived")
QUALIFIERS = ("exact", "about", "up_to")
BOUNDS = ("ceiling", "floor")
POWER_BASES = ("accelerator_measured", "all_in_modelled")
TOKENS_COUNTED = ("input_and_output", "output")
INTERACTIVITY_KINDS = ("median_tpot", "p90_itl", "e2e_normalised", "tpot_p50", "tpot_mean", "given")
PRICE_BASES = ("owning", "rental", "hosted", "router")

# With every fact: who says so, and where.
FACT = (
    column("source", TEXT, "Which of our sources says so", key=True, required=True, one_of=SOURCES),
    column("origin", TEXT, "How the figure reached us", key=True, required=True, one_of=ORIGINS),
    column("provenance", TEXT, "Who stands behind the figure: evaluator, vendor, framework or a derivation", required=True, one_of=PROVENANCES),
    column("source_url", TEXT, "Public page, file or run that holds the figure", required=True),
)

# With every published figure that may come second-hand.
PUBLISHED = (
    column("publication", TEXT, "Curated publication the figure was entered from; NULL where scraped", key=True),
    column("publisher", TEXT, "Who published the figure, where it was entered by hand"),
    column("stated_date", TEXT, "The publication's own words for the date, where they are vague or disputed"),
    column("qualifier", TEXT, "Whether the publisher states the figure as exact, about or up to", one_of=QUALIFIERS),
    column("bound", TEXT, "Whether the figure is a ceiling or a floor of what the system can do", one_of=BOUNDS),
    column("reported_via", TEXT, "Who passed the figure on, where it came second-hand"),
    column("publisher_interest", TEXT, "What the publisher stands to gain"),
)

# What history views add to rows that name a model.
MODEL = (
    column("model_key", TEXT, "The model across sources: its key in the reference, or else its name, folded"),
    column("model_id", TEXT, "Artificial Analysis' id of the model, where the reference matches the name to a listed one"),
)

EXTRA = column("extra", JSON, "What the source says besides, by its own keys, as JSON")

__all__ = [
    "BOOL",
    "BOUNDS",
    "EXTRA",
    "FACT",
    "INTERACTIVITY_KINDS",
    "MODEL",
    "ORIGINS",
    "POWER_BASES",
    "PRICE_BASES",
    "PROVENANCES",
    "PUBLISHED",
    "QUALIFIERS",
    "REAL",
    "SOURCES",
    "TOKENS_COUNTED",
]
