"""Scraped text shows as the characters it is made of: on the page, in charts and controls, in exports."""

import csv
import datetime as dt
import html
import io
import json
import re

import pytest
import streamlit as st

from dashboard import data
from dashboard.parts.export import csv_text, safe_rows
from tests.dashboard.reader import VIEWS
from tests.helpers import told_lake as told

NAME = "<img src=x onerror=alert(1)> [x](javascript:1) $x$ =1+1"
SYSTEM = "=1+1 <script>alert(2)</script> **bold**"
NIGHT = dt.datetime(2026, 10, 24, 23)


@pytest.fixture(scope="session")
def hostile_lake(tmp_path_factory):
    lake = tmp_path_factory.mktemp("hostile") / "lake"
    for n, value in ((2, 100.0), (1, 120.0)):
        at = NIGHT - dt.timedelta(days=n)
        told.tell(
            lake,
            "artificial_analysis",
            at,
            {
                "models": [
                    told.listing("m1", NAME, creator=NAME, input_usd_mtok=value / 100, output_usd_mtok=4.0, cached_input_usd_mtok=0.1, output_tok_s=90.0)
                ],
                "agentperf_results": [
                    told.result("r1", SYSTEM, value, model=NAME, accelerator="GB300", configured_by=NAME, slo_label=NAME),
                    told.result("r2", SYSTEM, 1e6 * value, model=NAME, accelerator="GB300", metric="throughput_tok_s_mw", tokens_counted="input_and_output"),
                    told.result("r3", "4x MI355X", 5e5 * value, model=NAME, metric="throughput_tok_s_mw", tokens_counted="input_and_output"),
                ],
            },
        )
        told.tell(
            lake,
            "inferencex",
            at,
            {
                "operating_points": [
                    told.point(
                        f"p{i}",
                        "GB300",
                        50.0 * i,
                        1000.0 * value / i,
                        model=NAME,
                        framework=NAME,
                        framework_version=NAME,
                        attributed_to=NAME,
                        output_tok_s_gpu=5.0 * i,
                        cache_hit_ratio=0.9,
                        cache_hit_kind="server",
                    )
                    for i in (1, 2, 3)
                ],
                "prices": [told.hour_price("GB300", "owning", 2.0), told.hour_price("GB300", "rental", 4.0)],
            },
        )
        told.tell(
            lake,
            "sglang",
            at,
            {
                "accuracy_gates": [told.gate("g1", NAME, threshold=value / 1000, evidence=NAME, name=NAME)],
                "operating_points": [
                    told.point(
                        "s1",
                        "GB300",
                        40.0,
                        1000 * value,
                        model=NAME,
                        scenario="aa_agentperf",
                        interactivity_kind="given",
                        output_tok_s_gpu=700.0,
                        cache_hit_ratio=0.9,
                        cache_hit_kind="server",
                        **told.fact("sglang"),
                    )
                ],
            },
        )
    told.tell(
        lake,
        "curated",
        NIGHT - dt.timedelta(days=1),
        {
            "model_facts": [{"model": NAME, "fact": "licence", "value_text": NAME, "publication": "p", "publisher": NAME, **told.fact("curated")}],
            "caveats": [
                {
                    "caveat_id": "c1",
                    "table_name": "agentperf_results",
                    "key_pattern": "metric=*",
                    "text": NAME,
                    "publication": "p",
                    **told.fact("curated", source_url="javascript:alert(3)"),
                }
            ],
        },
    )
    told.tell(lake, "artificial_analysis", NIGHT, outcome="unreachable", message=NAME)
    told.publish(lake)
    return lake


def shown(page):
    """Everything a reader can see of a view, as the page was told it."""
    controls = json.dumps([list(getattr(c, "options", [])) for c in page.app.selectbox], ensure_ascii=False)
    charts = json.dumps(page.charts, ensure_ascii=False)
    return page.text + controls + charts


@pytest.mark.parametrize("view", VIEWS)
def test_a_hostile_name_shows_as_its_characters(read, hostile_lake, view):
    page = read(hostile_lake, view)
    if view != "data_tables":
        assert NAME in html.unescape(shown(page).replace('\\"', '"'))


@pytest.mark.parametrize("view", VIEWS)
def test_no_tag_link_or_script_of_a_name_gets_into_the_markup(read, hostile_lake, view):
    page = read(hostile_lake, view)
    assert not re.search(r"<\s*(img|script)", page.markup)
    assert "onerror=alert(1)>" not in page.markup
    assert not re.search(r'href="\s*javascript:', page.markup)
    markdown = " ".join(e.value for kind in ("markdown", "caption", "header", "subheader", "title") for e in getattr(page.app, kind))
    assert "javascript" not in markdown


@pytest.mark.parametrize("view", VIEWS)
def test_no_label_of_a_control_holds_scraped_text(read, hostile_lake, view):
    """Labels are Markdown; scraped text may stand in options alone."""
    page = read(hostile_lake, view)
    labels = [
        e.label
        for kind in ("selectbox", "expander", "button_group", "date_input", "text_input", "slider", "number_input")
        for e in page.app.get(kind)
        if hasattr(e, "label")
    ]
    assert not [label for label in labels if "onerror" in label or "script" in label]


@pytest.mark.parametrize("view", VIEWS)
def test_every_export_of_a_view_holds_the_name_as_text_and_no_formula(read, hostile_lake, monkeypatch, view):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, written, file_name, *more, **named: files.update({file_name: written}))
    read(hostile_lake, view, table="models")
    cells = [cell for written in files.values() if callable(written) for row in csv.reader(io.StringIO(written())) for cell in row]
    assert cells or view in ("model", "sources")
    assert not [cell for cell in cells if cell[:1] in tuple("=+@\t\r") or (cell[:1] == "-" and not re.fullmatch(r"-[\d.e-]+", cell))]
    if view in ("what_changed", "leaderboard", "headline", "curves", "data_tables"):
        assert any(NAME in cell for cell in cells)


def test_the_grid_of_a_table_shows_the_name_as_its_characters(read, hostile_lake):
    page = read(hostile_lake, "data_tables").choose("table", "models")
    assert NAME in page.app.dataframe[0].value["name"].tolist()


def test_a_csv_cell_cannot_be_taken_for_a_formula(read, hostile_lake):
    data.use(hostile_lake)
    rows = list(
        csv.reader(
            io.StringIO(csv_text([{"system": SYSTEM, "=cmd": NAME, "list": ["=2", "+3"], "value": -1.5, "missing": None}], data.one("SELECT * FROM about")))
        )
    )
    assert rows[0] == ["system", "'=cmd", "list", "value", "missing", "lake", "data_to_utc"]
    assert rows[1] == ["'" + SYSTEM, NAME, "'=2; +3", "-1.5", "", "live", "2026-10-24 23:00:00"]


def test_a_grid_shows_lists_as_text_and_keeps_numbers():
    assert safe_rows([{"a": ["x", "y"], "b": 1.5, "c": None, "d": NAME}]) == [{"a": "x; y", "b": 1.5, "c": None, "d": NAME}]
