"""`accuracy_gates` and `pull_requests`: what SGLang's repository says."""

from pipelines.schema import BOOL, INT, JSON, LIST, REAL, TEXT, TIME, Table, column
from pipelines.tables.common import EXTRA, FACT

THRESHOLD_BASES = ("placeholder", "other_harness", "measured_outside_ci", "measured", "unknown")
RUN_STATES = ("unregistered", "disabled", "not_run", "run", "passed", "failed", "unknown")

ACCURACY_GATES = Table(
    "accuracy_gates",
    "a version of one metric of one accuracy gate",
    (
        column("gate_id", TEXT, "Hash of the gate's identity: file name, class, metric, model", key=True, required=True),
        column("model", TEXT, "Model the gate tests, as the file names it", opens_version=True),
        column("path", TEXT, "Path of the file", required=True),
        column("test_class", TEXT, "Test class that holds the gate"),
        column("name", TEXT, "Name the threshold is written under"),
        column("accelerator", TEXT, "Accelerator the gate runs on"),
        column("vendor", TEXT, "Maker of the accelerator"),
        column("metric", TEXT, "What is compared: accuracy, accept_length and others", required=True),
        column("dataset", TEXT, "Data set"),
        column("threshold", REAL, "Threshold; accuracies as a share from 0 to 1, accept length in tokens", opens_version=True),
        column("threshold_text", TEXT, "The threshold as written in the file"),
        column("operator", TEXT, "How the metric is compared with the threshold", opens_version=True),
        column("threshold_basis", TEXT, "What the threshold rests on", required=True, opens_version=True, one_of=THRESHOLD_BASES),
        column("run_state", TEXT, "Whether the gate has run, as far as evidence goes", required=True, opens_version=True, one_of=RUN_STATES),
        column("evidence", TEXT, "The sentence that says so", opens_version=True),
        column("evidence_value", REAL, "The measured value it states", opens_version=True),
        column("evidence_run", TEXT, "The CI run it names", opens_version=True),
        column("evidence_stale", BOOL, "Whether the harness changed after the evidence", opens_version=True),
        column("harness", TEXT, "Hash of how the gate measures, without its thresholds and comments"),
        column("suite", TEXT, "CI suite the file is registered in", opens_version=True),
        column("disabled_reason", TEXT, "Why it is disabled or skipped", opens_version=True),
        column("commit_sha", TEXT, "Commit the version was read at"),
        column("pull_request", INT, "Pull request of that commit", "number"),
        column("author", TEXT, "Author of that commit"),
        *FACT,
        EXTRA,
    ),
)

PULL_REQUESTS = Table(
    "pull_requests",
    "a version of a tracked pull request",
    (
        column("repo", TEXT, "Repository", key=True, required=True),
        column("number", INT, "Number", key=True, required=True, minimum=1),
        column("title", TEXT, "Title", required=True, opens_version=True),
        column("state", TEXT, "open, closed or merged", required=True, opens_version=True, one_of=("open", "closed", "merged")),
        column("author", TEXT, "Author's login"),
        column("created_at", TIME, "When it was opened", "UTC"),
        column("merged_at", TIME, "When it was merged", "UTC", opens_version=True),
        column("closed_at", TIME, "When it was closed", "UTC"),
        column("merge_commit_sha", TEXT, "Commit it was merged as"),
        column("vendor", TEXT, "Vendor it speaks for by title tag, labels or paths; `unknown` otherwise", opens_version=True),
        column("topics", LIST, "Watched topics it touches", opens_version=True),
        column("models", LIST, "Models it names", opens_version=True),
        column("hardware", LIST, "Accelerators it names"),
        column("reverts", INT, "Pull request it reverts", "number", opens_version=True),
        column("reverted_by", INT, "Pull request that reverts it", "number", opens_version=True),
        column("claimed_points", JSON, "Points claimed in a table of its body, as JSON", opens_version=True),
        *FACT,
        EXTRA,
    ),
)
