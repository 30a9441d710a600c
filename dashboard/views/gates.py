"""Accuracy gates: does what is served fast also answer right, and what do the thresholds rest on."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard import data
from dashboard.parts import caveats, controls, page
from dashboard.parts.badges import badges
from dashboard.parts.entities import history_link
from dashboard.parts.export import download
from dashboard.parts.html import joined, tag, web_link
from dashboard.parts.numbers import counted, day, number, plain
from dashboard.parts.table import Cells, table

Row = data.Row
EVERY = "all"

BASES = {
    "measured": "measured",
    "measured_outside_ci": "measured outside CI",
    "other_harness": "from another harness",
    "placeholder": "a placeholder",
    "unknown": "not said",
}
STATES = {
    "unregistered": "in no suite",
    "disabled": "disabled",
    "not_run": "not run yet",
    "run": "run, result not said",
    "passed": "passed",
    "failed": "failed",
    "unknown": "not said",
}


def rows(as_of: dt.date | None) -> list[Row]:
    """The gates that hold, unmeasured ones first."""
    return data.rows(
        """SELECT * FROM accuracy_gates ORDER BY threshold_basis = 'measured', coalesce(model, path), metric, name LIMIT 1000""",
        as_of=as_of,
    )


def answer(found: list[Row]) -> None:
    """How many gates rest on a measurement, and how many have run."""
    measured = sum(r["threshold_basis"] == "measured" for r in found)
    ran = sum(r["run_state"] in ("run", "passed", "failed") for r in found)
    hollow = sum(r["threshold_basis"] in ("placeholder", "other_harness") for r in found)
    stale = sum(bool(r["evidence_stale"]) for r in found)
    page.answer(
        f"Of {counted(len(found), 'threshold')}, {measured or 'none'} {'rests' if measured == 1 else 'rest'} on a measurement on the hardware they guard,",
        f"and {counted(ran, 'gate is', 'gates are')} known to have run;",
        f"{counted(hollow, 'threshold was', 'thresholds were')} taken from elsewhere or never measured",
        f", and the evidence of {stale} is older than a change of its harness" if stale else "",
        ".",
    )


def formers(as_of: dt.date | None) -> dict[str, list[Row]]:
    """Every version of each gate until that day, oldest first."""
    end = as_of or dt.date(9999, 1, 1)
    found: dict[str, list[Row]] = {}
    for r in data.rows(
        "SELECT gate_id, threshold, valid_from FROM tracker.main.accuracy_gates WHERE valid_from::DATE <= ? ORDER BY valid_from LIMIT 5000",
        [end],
    ):
        found.setdefault(r["gate_id"], []).append(r)
    return found


def path_taken(versions: list[Row]) -> object:
    """The thresholds a gate has had, with their days; nothing where there was one alone."""
    steps = [v for n, v in enumerate(versions) if n == 0 or v["threshold"] != versions[n - 1]["threshold"]]
    if len(steps) < 2:
        return ""
    return joined((tag("{} ({})", "not published" if s["threshold"] is None else plain(s["threshold"]), day(s["valid_from"])) for s in steps), " → ")


def board(found: list[Row], versions: dict[str, list[Row]]) -> None:
    """Models by metric: threshold, what it rests on, whether it ran, the evidence."""
    columns = (
        Cells("Model", lambda r: r["model"] or "not named"),
        Cells("On", lambda r: r["accelerator"] or ""),
        Cells("Metric", lambda r: joined([r["metric"].replace("_", " "), f"({r['dataset']})" if r["dataset"] else ""])),
        Cells("Threshold", lambda r: joined([r["operator"] or "", number(r["threshold"])]), "share, or tokens", right=True),
        Cells("Rests on", lambda r: mark(r["threshold_basis"] == "measured", BASES.get(r["threshold_basis"], r["threshold_basis"]))),
        Cells("Run", lambda r: mark(r["run_state"] in ("run", "passed"), STATES.get(r["run_state"], r["run_state"]), r["disabled_reason"])),
        Cells("Evidence", evidence),
        Cells("Earlier thresholds", lambda r: path_taken(versions.get(r["gate_id"], []))),
        Cells("", lambda r: joined([web_link(r["source_url"], "file"), history_link("accuracy_gates", r)], " · ")),
    )
    table(found, columns, "Gates, those that rest on no measurement first.")


def mark(good: bool, words: str, reason: str | None = None) -> object:
    """A state with its sign, and why where that is said."""
    return tag('<span class="{}">{}</span> {}', "fresh" if good else "warn", words, reason or "")


def evidence(r: Row) -> object:
    """What says so: the value, the sentence, the run."""
    value = tag("<strong>{}</strong> ", number(r["evidence_value"])) if r["evidence_value"] is not None else ""
    run = f"run {r['evidence_run']}" if r["evidence_run"] and str(r["evidence_run"]) not in (r["evidence"] or "") else ""
    stale = "(older than a change of the harness)" if r["evidence_stale"] else ""
    return joined([value, (r["evidence"] or "")[:300], run, stale])


def show() -> None:
    """The view."""
    if not page.question("Is what is served fast also right?", sources=("sglang",), tables=("accuracy_gates",)):
        return
    answered = st.container()
    left, middle, right = st.columns([1, 1, 2])
    with left:
        as_of = controls.as_of()
    found = rows(as_of)
    if not found:
        page.empty(
            "No accuracy gate was read" + (f" by {day(as_of)}." if as_of else " yet. They come with the SGLang source: `megawatch refresh --source sglang`.")
        )
        return
    with answered:
        answer(found)
    with middle:
        metric = controls.choice("Metric", [EVERY, *sorted({r["metric"] for r in found})], "metric")
    with right:
        model = controls.choice("Model", [EVERY, *sorted({r["model"] or r["path"] for r in found})], "gates_of")
    found = [r for r in found if metric in (EVERY, r["metric"]) and model in (EVERY, r["model"] or r["path"])]
    board(found, formers(as_of))
    caveats.show("accuracy_gates", found, as_of)
    page.small(
        "A merged pull request or a page's own “verified” is never taken for a pass. All of them as SGLang's repository has them.",
        joined(dict.fromkeys(badges(r) for r in found)),
    )
    download(found, "gates", "These gates as CSV")


show()
