"""The speeds at which costs are told are a setting."""

from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import SPEEDS_TOK_S, Settings
from tests.sql.by_hand import Tables, point


def speeds(tmp_path, **more):
    with opened(Settings(lake=tmp_path / "lake", **more), RefreshOptions(fetches=False)) as run:
        return run.warehouse.con.execute("SELECT getvariable('target_speeds')").fetchone()[0]


def test_marts_are_built_at_the_speeds_of_the_settings(tmp_path):
    assert speeds(tmp_path) == list(SPEEDS_TOK_S)
    assert speeds(tmp_path, target_speeds="40,80.5") == [40, 80.5]


def test_without_a_setting_the_sql_has_the_same_speeds():
    tables = Tables("operating_points", "prices", "stated_costs")
    tables.add("operating_points", [point("a", 100.0, 1000.0)])
    tables.build("gpu_hour_prices", "frontier_points", "cost_at_interactivity")
    found = tables.rows("SELECT DISTINCT interactivity_tok_s AS x FROM cost_at_interactivity ORDER BY x")
    assert [r["x"] for r in found] == list(SPEEDS_TOK_S)
