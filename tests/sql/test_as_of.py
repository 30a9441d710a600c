"""As of a day every mart says what it said on that day."""

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines import marts
from tests.sql.test_rent_vs_own import BY_HAND, LISTING, hours, measured_at_128
from tests.sql.test_system_gap import stated_cost
from tests.sql.world import COOKBOOK, GB300_POWER, World, headline, needed

MARTS = (
    "headline_crosscheck",
    "system_gap",
    "rent_vs_own",
    "cost_at_interactivity",
    "token_split",
    "unit_costs",
    "disagreements",
    "model_peers",
    "published_subsets",
)
DAYS = range(1, 7)
CLAIM = {"publication_name": "p", "model": "Muse Spark Open", "published_points": 4, "measured_points": 43, "source": "sglang", "origin": "git"}

# What may be said of a thing on a day, by table; None is that nothing is said of it.
THINGS = [
    ("agentperf_results", [None, headline("GB300", 150e6), headline("GB300", 120e6)]),
    ("agentperf_results", [None, headline("MI355X", 70e6, configured_by="Artificial Analysis"), headline("MI355X", 96e6)]),
    ("agentperf_results", [None, headline("MI355X", 66e6, publication="p", publisher="p", source="curated", origin="curated")]),
    ("operating_points", [None, COOKBOOK[3], {**COOKBOOK[3], "total_tok_s_gpu": 90e3}, {**COOKBOOK[3], "status": "retracted"}]),
    ("operating_points", [None, measured_at_128(), measured_at_128(flags=["short_run"])]),
    ("accelerator_power", [None, GB300_POWER]),
    ("models", [LISTING, {**LISTING, "input_usd_mtok": 1.0}]),
    ("models", [None, {**LISTING, "model_id": "peer", "slug": "peer", "name": "peer", "open_weights": True, "size_class": "large", "output_tok_s": 75.4}]),
    ("stated_costs", [None, stated_cost("B300", 128.0, 0.019)]),
    ("prices", [hours(2.26, 4.25)[0], hours(2.34, 4.25)[0]]),
    ("prices", [None, hours(2.26, 4.25)[1], hours(2.26, 3.0)[1]]),
    ("model_facts", [None, {"model": "Muse Spark Open", "fact": "ttft_s", "value": 0.3, "value_text": "x", "unit": "s", "offer": "o", **BY_HAND}]),
    ("published_subsets", [None, CLAIM, {**CLAIM, "published_points": 43}]),
]


def at(day):
    return dt.datetime(2026, 11, day, 23)


def versions(number, table, said):
    """Version rows of one thing from what was said of it on each day; the same said again is no new version."""
    found = []
    for day, record in zip(DAYS, said, strict=True):
        if found and found[-1][2] is None and found[-1][3] == record:
            continue
        if found and found[-1][2] is None:
            found[-1][2] = day
        if record is not None:
            found.append([f"thing {number} day {day}", day, None, record])
    return [(table, version_id, begun, ended, record) for version_id, begun, ended, record in found]


histories = st.tuples(*(st.lists(st.sampled_from(range(len(states))), min_size=len(DAYS), max_size=len(DAYS)) for _, states in THINGS))


def fill(world, rows, until=None):
    """Put version rows in; with `until` only what was known at the end of that day."""
    for table in {table for table, _ in THINGS}:
        world.warehouse.con.execute(f"DELETE FROM history.{table}")
        world.warehouse.touch(table)
    for table, version_id, begun, ended, record in rows:
        if until is None or begun <= until:
            ends = at(ended) if ended and (until is None or ended <= until) else None
            world.add(
                table, {**record, "version_id": version_id, "snapshot_id": version_id, "valid_from": at(begun), "recorded_at": at(begun), "valid_to": ends}
            )


def everything(world, schema):
    return {mart: sorted(map(str, world.warehouse.rows(f"FROM {schema}.{mart}"))) for mart in MARTS}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    made = World(tmp_path_factory.mktemp("as_of") / "lake")
    yield made
    made.close()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories, st.sampled_from(DAYS))
def test_as_of_any_day_equals_what_was_current_that_day(shelf, drawn, day):
    rows = [v for n, ((table, states), chosen) in enumerate(zip(THINGS, drawn, strict=True)) for v in versions(n, table, [states[i] for i in chosen])]
    con = shelf.warehouse.con
    fill(shelf, rows, until=day)
    shelf.build(MARTS)
    current = everything(shelf, "main")
    fill(shelf, rows)
    con.execute("USE as_of")
    for file in needed(MARTS):
        if not file.is_history:
            con.execute(f"CREATE OR REPLACE VIEW as_of.{file.name} AS {file.text}")
    con.execute("USE main")
    con.execute(f"SET VARIABLE as_of = DATE '2026-11-{day:02}'")
    try:
        then = everything(shelf, "as_of")
    finally:
        con.execute("RESET VARIABLE as_of")
    assert then == current


def test_the_published_file_answers_for_a_past_day_from_every_mart(world):
    world.add("agentperf_results", headline("GB300", 150e6), headline("MI355X", 70e6, valid_to=at(5), configured_by="Artificial Analysis"))
    world.add("agentperf_results", headline("MI355X", 96e6, valid_from=at(5)))
    world.add("operating_points", *COOKBOOK)
    world.publish()
    ratio = "SELECT ratio FROM system_gap WHERE accelerator = 'MI355X'"
    assert [round(r["ratio"], 3) for r in world.as_of(None, ratio)] == [0.64]
    assert [round(r["ratio"], 3) for r in world.as_of(dt.date(2026, 11, 4), ratio)] == [0.467]
    assert world.as_of(dt.date(2026, 10, 19), ratio) == []
    for file in marts.sql_files():
        world.as_of(dt.date(2026, 11, 4), f"SELECT count(*) AS n FROM {file.name}")
