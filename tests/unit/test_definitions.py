"""The Dagster shell: what the graph holds, when it runs, and that nothing else knows of Dagster."""

import ast
import datetime as dt
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
import yaml

from pipelines.definitions import build_defs, defs
from pipelines.lake import Lake
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import load_settings
from pipelines.warehouse import lock
from tests.helpers.fake_source import price

ROOT = Path(__file__).resolve().parents[2]

# Written by hand from the contract, so that a table cannot come or go unnoticed.
SOURCE_ASSETS = {"artificial_analysis", "sglang", "inferencex", "curated"}
HISTORY_ASSETS = {
    "accelerator_names",
    "accelerator_power",
    "accuracy_gates",
    "agentperf_results",
    "caveats",
    "change_events",
    "configurations",
    "evaluations",
    "methodologies",
    "model_facts",
    "model_names",
    "models",
    "operating_points",
    "prices",
    "pull_requests",
    "snapshots",
    "stated_costs",
    "subset_claims",
    "watched_pages",
}
MART_ASSETS = {
    "cost_at_interactivity",
    "disagreements",
    "frontier_points",
    "gpu_hour_prices",
    "headline_crosscheck",
    "model_peers",
    "published_subsets",
    "rent_vs_own",
    "source_health",
    "system_gap",
    "tasks",
    "token_split",
    "unit_costs",
    "unmatched_names",
    "watches",
}
PUBLISHING_ASSETS = {"published", "alerts"}

IMPORTERS = {
    "dagster": {"pipelines/definitions.py", "pipelines/assets.py", "pipelines/checks.py"},
    "duckdb": {"pipelines/cli.py", "pipelines/warehouse.py", "pipelines/publish.py", "pipelines/reader.py", "dashboard/data.py", "dashboard/box.py"},
}


def graph():
    return defs.resolve_asset_graph()


def names_in(group):
    return {key.to_user_string() for key in graph().get_all_asset_keys() if graph().get(key).group_name == group}


def test_the_whole_graph_can_be_loaded():
    dg.Definitions.validate_loadable(defs)


@pytest.mark.parametrize(
    ("group", "names"), [("sources", SOURCE_ASSETS), ("history", HISTORY_ASSETS), ("marts", MART_ASSETS), ("published", PUBLISHING_ASSETS)]
)
def test_there_is_one_asset_for_each_source_and_each_published_table(group, names):
    assert names_in(group) == names


def test_every_asset_says_what_it_is():
    assert [key.to_user_string() for key in graph().get_all_asset_keys() if not graph().get(key).description] == []


def test_the_published_file_waits_for_every_table_and_every_table_for_its_sources():
    def upstream(name):
        return {key.to_user_string() for key in graph().get_ancestor_asset_keys(dg.AssetKey(name))}

    assert upstream("published") - {"published"} == SOURCE_ASSETS | HISTORY_ASSETS | MART_ASSETS
    assert upstream("snapshots") >= SOURCE_ASSETS
    assert "source_health" not in upstream("snapshots")
    assert "sglang" in upstream("accuracy_gates")


def test_every_source_and_table_has_a_check_and_none_blocks():
    checks = list(defs.resolve_asset_graph().asset_check_keys)
    assert {key.asset_key.to_user_string() for key in checks} == SOURCE_ASSETS | HISTORY_ASSETS | MART_ASSETS
    assert not any(graph().get(key).blocking for key in checks)


def test_freshness_is_asked_of_sources_and_of_the_published_file():
    fresh = {key.to_user_string() for key in graph().get_all_asset_keys() if graph().get(key).freshness_policy}
    assert fresh == SOURCE_ASSETS | {"published"}


def test_one_job_in_one_process_on_one_daily_schedule_in_utc():
    (job,) = [j for j in defs.resolve_all_job_defs() if not j.name.startswith("__")]
    assert (job.name, job.executor_def.name) == ("refresh", "in_process")
    (schedule,) = defs.schedules
    assert (schedule.job.name, schedule.execution_timezone, schedule.default_status) == ("refresh", "UTC", dg.DefaultScheduleStatus.RUNNING)
    minute, hour, *rest = schedule.cron_schedule.split()
    assert minute.isdigit()
    assert hour.isdigit()
    assert rest == ["*", "*", "*"]


def test_a_tick_asks_for_one_run_of_the_job():
    with dg.DagsterInstance.ephemeral() as instance, dg.build_schedule_context(instance=instance) as context:
        (request,) = defs.schedules[0].evaluate_tick(context).run_requests
    assert request.partition_key is None


def test_both_ways_of_starting_dagster_find_the_same_module():
    workspace = yaml.safe_load((ROOT / "workspace.yaml").read_text())
    assert [place["python_module"]["module_name"] for place in workspace["load_from"]] == ["pipelines.definitions"]
    assert 'code_location_target_module = "pipelines.definitions"' in (ROOT / "pyproject.toml").read_text()


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


@pytest.mark.parametrize(("library", "allowed"), IMPORTERS.items())
def test_a_library_stays_behind_the_files_that_may_import_it(library, allowed):
    files = [path for folder in ("pipelines", "dashboard") for path in (ROOT / folder).rglob("*.py")]
    importers = {path.relative_to(ROOT).as_posix() for path in files if any(name.split(".")[0].startswith(library) for name in imports(path))}
    assert importers <= allowed


def test_asking_the_published_file_does_not_load_dagster():
    code = "import sys, pipelines.cli, pipelines.reader, pipelines.refresh; print(any(name.split('.')[0].startswith('dagster') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_job_ends_in_the_same_rows_as_the_plain_functions(spine):
    spine.source.says = [price("b300", 4.25), price("h200", 2.0)]
    spine.run("refresh", "--at", "2026-01-01")
    by_job = {t: spine.ask(f"select * from {t} order by all") for t in ("prices", "snapshots", "source_health")}
    lake = spine.lake.with_name("plain")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEGAWATCH_LAKE", str(lake))
        settings = load_settings()
    with opened(settings, RefreshOptions(at=dt.datetime(2026, 1, 1))) as run:
        run.run_source(spine.source)
        run.build_all()
    spine.env["MEGAWATCH_LAKE"] = str(lake)
    assert {t: spine.ask(f"select * from {t} order by all") for t in by_job} == by_job


def test_a_run_the_scheduler_starts_opens_and_closes_the_lake_itself(spine):
    spine.source.says = [price("b300", 4.25)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEGAWATCH_LAKE", str(spine.lake))
        result = build_defs().resolve_job_def("refresh").execute_in_process()
    assert result.success
    assert {e.check_name for e in result.get_asset_check_evaluations()} == {"snapshots_good", "built"}
    assert spine.ask("select low from prices") == [{"low": 4.25}]
    with lock(Lake(spine.lake)):
        pass
