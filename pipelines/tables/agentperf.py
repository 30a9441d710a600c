"""`agentperf_results`, `configurations` and `methodologies`: AA-AgentPerf as published."""

from pipelines.schema import DATE, INT, JSON, REAL, TEXT, Table, column
from pipelines.tables.common import EXTRA, FACT, POWER_BASES, PUBLISHED, TOKENS_COUNTED

METRICS = (
    "agents_per_mw",
    "agents_per_accelerator",
    "agents_per_system",
    "max_agents",
    "throughput_tok_s_mw",
    "input_tok_s_gpu",
    "output_tok_s_gpu",
    "watts_per_accelerator",
)

AGENTPERF_RESULTS = Table(
    "agentperf_results",
    "a version of one published AA-AgentPerf value",
    (
        column(
            "result_id", TEXT, "Hash of who publishes the value and of what it is a value: model, system, tier, metric", key=True, required=True, blocking=True
        ),
        column("model", TEXT, "Model as the source names it", required=True, blocking=True),
        column("model_slug", TEXT, "Slug of the model's page as the source gives it"),
        column("system", TEXT, "System as the source names it", required=True, blocking=True),
        column("accelerator", TEXT, "Accelerator of the system, as in the accelerator reference", blocking=True),
        column("vendor", TEXT, "Maker of the accelerator", blocking=True),
        column("accelerators", INT, "Accelerators used", "count", opens_version=True, minimum=1),
        column("slo_p25_tok_s", REAL, "Service level: least 25th-percentile output speed", "tok/s per user", minimum=0),
        column("slo_p95_ttft_s", REAL, "Service level: greatest 95th-percentile time to first token", "s", minimum=0),
        column("slo_label", TEXT, "Service level in the publisher's words"),
        column("metric", TEXT, "What was measured; its unit is in its name", required=True, one_of=METRICS),
        column("value", REAL, "The figure, in the unit of the metric", required=True, opens_version=True, blocking=True, minimum=0),
        column("configured_by", TEXT, "Who tuned the configuration", opens_version=True),
        column("verified_by", TEXT, "Who ran and verified it"),
        column("config_id", TEXT, "The publisher's id of the serving configuration", opens_version=True),
        column("methodology", TEXT, "Version of the benchmark's rules"),
        column("power_basis", TEXT, "What power a per-MW figure is divided by", one_of=POWER_BASES),
        column("tokens_counted", TEXT, "Which tokens a throughput counts", one_of=TOKENS_COUNTED),
        column("measured_on", DATE, "When the publisher says it was measured"),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)

CONFIGURATIONS = Table(
    "configurations",
    "a version of a serving configuration that Artificial Analysis lists",
    (
        column("config_id", TEXT, "The publisher's id of the configuration", key=True, required=True, blocking=True),
        column("title", TEXT, "Heading of the configuration"),
        column("model", TEXT, "Model as the source names it", opens_version=True),
        column("system", TEXT, "System as the source names it", opens_version=True),
        column("accelerator", TEXT, "Accelerator of the system"),
        column("vendor", TEXT, "Maker of the accelerator"),
        column("accelerators", INT, "Accelerators used", "count", opens_version=True, minimum=1),
        column("precision", TEXT, "Numeric precision", opens_version=True),
        column("framework", TEXT, "Serving framework", opens_version=True),
        column("parallelism", TEXT, "How the model is spread over accelerators", opens_version=True),
        column("command", TEXT, "Launch command, verbatim", opens_version=True),
        column("configured_by", TEXT, "Who tuned the configuration", opens_version=True),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)

METHODOLOGIES = Table(
    "methodologies",
    "a version of a benchmark's rules",
    (
        column("benchmark", TEXT, "Benchmark the rules are of", key=True, required=True, blocking=True),
        column("version", TEXT, "The publisher's name of the version, where there is one"),
        column("workload", TEXT, "What is run: whose sessions, how many turns"),
        column("input_tokens_low", REAL, "Shortest input of a request", "tokens", minimum=0),
        column("input_tokens_high", REAL, "Longest input of a request", "tokens", minimum=0),
        column("input_tokens_mean", REAL, "Mean input of a request", "tokens", minimum=0),
        column("output_tokens_median", REAL, "Median output of a request", "tokens", minimum=0),
        column("output_tokens_p95", REAL, "95th percentile of the output of a request", "tokens", minimum=0),
        column("turns_max", REAL, "Most turns of a session", "turns", minimum=0),
        column("tiers", JSON, "Service-level tiers by model: least P25 output speed in tok/s and greatest P95 TTFT in s, as JSON"),
        column("search", TEXT, "How the highest concurrency is found"),
        column("window", TEXT, "The steady-state window that is scored"),
        column("unit_counted", TEXT, "What is counted: agents, users, throughput"),
        column("power", TEXT, "Where power is measured"),
        column("text_sha256", TEXT, "SHA-256 of the readable text; for curated rows of the facts entered", required=True, opens_version=True),
        *FACT,
        *PUBLISHED,
        EXTRA,
    ),
)
