"""Published tables on the tracker itself: names, snapshots, events, watches, health."""

from pipelines.schema import BOOL, DATE, INT, JSON, LIST, TEXT, TIME, Table, column
from pipelines.tables.common import FACT, MODEL

MODEL_NAMES = Table(
    "model_names",
    "a name that means a model, across sources",
    (column("name", TEXT, "The name, in lower case with hyphens for spaces and underscores"), *MODEL),
)

ACCELERATOR_NAMES = Table(
    "accelerator_names",
    "a name that means an accelerator, across sources",
    (
        column("name", TEXT, "The name, in lower case"),
        column("accelerator", TEXT, "The accelerator, as every table names it"),
        column("vendor", TEXT, "Its maker"),
        column("per_node", INT, "Accelerators in a node, where known", "count"),
        column("per_rack", INT, "Accelerators in a rack, where known", "count"),
    ),
)

UNMATCHED_NAMES = Table(
    "unmatched_names",
    "a name at a resource that no reference knows",
    (
        column("source", TEXT, "Which of our sources"),
        column("resource", TEXT, "Page, file or endpoint; NULL where the snapshot of the rows lies after the day asked for"),
        column("kind", TEXT, "model or accelerator where rows bear the name; reported where only the reader told of it"),
        column("name", TEXT, "The name as the source writes it"),
        column("tables", LIST, "Tables whose rows bear it"),
        column("rows", INT, "Current rows that bear it", "count"),
        column("since", TIME, "Since when, as far as its current rows tell", "UTC"),
    ),
)

SOURCE_HEALTH = Table(
    "source_health",
    "a resource of a source",
    (
        column("source", TEXT, "Which of our sources"),
        column("resource", TEXT, "Page, file or endpoint"),
        column("last_attempt_at", TIME, "When it was last asked", "UTC"),
        column("last_success_at", TIME, "When it last answered well", "UTC"),
        column("last_outcome", TEXT, "What came of the last attempt"),
        column("freshness", TEXT, "fresh, stale or never, against the newest capture of the lake"),
        column("consecutive_failures", INT, "Attempts since the last success that did not end well", "count"),
        column("failing_since", TIME, "First attempt since the last success that did not end well", "UTC"),
        column("parser_version", TEXT, "Version of the parser that read it last"),
        column("unmatched_names", INT, "Names of models and accelerators that no reference knows", "count"),
        column("message", TEXT, "What went wrong and what to do, where the last attempt did not end well"),
    ),
)

SNAPSHOTS = Table(
    "snapshots",
    "one fetch: a capture, or a complete set of captures",
    (
        column("snapshot_id", TEXT, "Hash of the snapshot's captures"),
        column("source", TEXT, "Which of our sources"),
        column("resource", TEXT, "Page, file or endpoint"),
        column("scope", TEXT, "What the snapshot speaks for (public URL)"),
        column("held_at", TIME, "When what it says held: capture or commit time", "UTC"),
        column("captured_at", TIME, "When its bytes were captured", "UTC"),
        column("outcome", TEXT, "changed, unchanged, not_modified, or what went wrong"),
        column("sha256", TEXT, "SHA-256 of the bytes of its last capture"),
        column("bytes", INT, "Size of those bytes", "bytes"),
        column("url", TEXT, "Address that was asked"),
        column("parts", INT, "Captures it is made of", "count"),
        column("rows", INT, "Rows it says", "count"),
        column("changed_rows", INT, "Rows of history it changed", "count"),
        column("message", TEXT, "What went wrong and what to do"),
        column("accepted_reason", TEXT, "Why a person let it through"),
        column("failures", JSON, "Every failed check, as JSON"),
        column("warnings", JSON, "What its reader warns of, as JSON"),
        column("shape", JSON, "The reader's report on the shape of the bytes, as JSON"),
        column("unmatched_names", LIST, "Names its reader knows no model or accelerator of"),
        column("parser_version", TEXT, "Version of the parser that read it"),
        column("content_sha256", TEXT, "SHA-256 of what it says"),
    ),
)

CHANGE_EVENTS = Table(
    "change_events",
    "one change",
    (
        column("event_id", TEXT, "Hash of what happened and when"),
        column("kind", TEXT, "What kind of change"),
        column("severity", TEXT, "headline, notable or routine"),
        column("source", TEXT, "Which of our sources"),
        column("model", TEXT, "Model as the source names it"),
        column("entity", TEXT, "What changed: a system, a model, a file, a price"),
        column("vendor", TEXT, "Maker of the accelerator"),
        column("accelerator", TEXT, "Accelerator"),
        column("key", TEXT, "Identity of what changed"),
        column("field", TEXT, "Which of its figures or facts changed"),
        column("old_value", TEXT, "What it was"),
        column("new_value", TEXT, "What it is"),
        column("co_changed", LIST, "What changed with it, in words"),
        column("happened_at", TIME, "When it happened, by the source's own date where there is one", "UTC"),
        column("changed_after", TIME, "When the former state was last seen", "UTC"),
        column("detected_at", TIME, "Capture time of the bytes that tell it", "UTC"),
        column("summary", TEXT, "The change in one plain sentence"),
        column("source_url", TEXT, "Public page that tells it"),
        column("provisional", BOOL, "Whether it was seen once only so far"),
    ),
)

WATCHES = Table(
    "watches",
    "a standing question",
    (
        column("name", TEXT, "Name of the watch"),
        column("question", TEXT, "What is waited for"),
        column("fires", TEXT, "once, or every time"),
        column("state", TEXT, "open or answered"),
        column("expected_by", DATE, "When an answer is expected"),
        column("answered_at", TIME, "When it was answered: first of a `once` watch, last of an `every` watch", "UTC"),
        column("event_id", TEXT, "Event that answered it"),
    ),
)

WATCHED_PAGES = Table(
    "watched_pages",
    "a version of the text of a page behind curated entries",
    (
        column("url", TEXT, "The page", key=True, required=True),
        column("title", TEXT, "Its title"),
        column("text_sha256", TEXT, "SHA-256 of its readable text", required=True, opens_version=True),
        column("text_characters", INT, "Length of that text", "count", minimum=0),
        *FACT,
    ),
)

TASKS = Table(
    "tasks",
    "something that waits for a person",
    (
        column("kind", TEXT, "What kind of task: page_text_changed"),
        column("url", TEXT, "The page it is about"),
        column("title", TEXT, "The page's title"),
        column("raised_at", TIME, "When the change was seen", "UTC"),
        column("changed_after", TIME, "When the former text was last seen", "UTC"),
        column("files", LIST, "Curated files that cite the page"),
        column("done_at", TIME, "When one of them was next taken in anew; NULL while the task is open", "UTC"),
        column("text", TEXT, "What to do, in words"),
        column("source_url", TEXT, "The page it is about"),
    ),
)

TABLE_STATUS = Table(
    "table_status",
    "a derived table and whether it is up to date",
    (
        column("table_name", TEXT, "The table"),
        column("is_stale", BOOL, "Whether building it failed last time, so that it holds former rows"),
        column("rows", INT, "Its rows", "count"),
        column("message", TEXT, "Why building it failed"),
    ),
)

ABOUT = Table(
    "about",
    "the published file itself",
    (
        column("contract_version", TEXT, "Version of the published tables as a contract"),
        column("lake_kind", TEXT, "live or replay"),
        column("data_to", TIME, "Newest capture", "UTC"),
    ),
)
