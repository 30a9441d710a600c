"""InferenceX on the replay server: prices, a hung run that comes and goes, and every fault."""

import datetime as dt
import shutil
from collections import Counter

import pytest

from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import Settings
from pipelines.sources.inferencex.source import INFERENCEX
from tests.shared import ReplayServer, needs_shared

pytestmark = needs_shared

DAYS = ("2026-09-07", "2026-09-08", "2026-10-20", "2026-10-22", "2026-10-25", "2026-10-26", "2026-10-28", "2026-10-29")


def refresh(server, folder, day, tables=False):
    """Collect and ingest a day (and build the tables); what there is to know of it afterwards."""
    urls = {f"{name}_url": server.urls[site] for name, site in (("aa", "aa"), ("github_api", "github"), ("github_raw", "raw"), ("inferencex", "inferencex"))}
    with opened(Settings(lake=folder, **urls), RefreshOptions(at=dt.datetime.fromisoformat(f"{day}T23:00:00"))) as run:
        run.run_source(INFERENCEX)
        if tables:
            run.build_all()
            assert run.failed_tables == {}
        return look(run.warehouse, tables)


def look(warehouse, tables):
    said = {
        "outcomes": {r["resource"]: r["outcome"] for r in warehouse.rows("SELECT resource, outcome FROM history.snapshots ORDER BY captured_at, rowid")},
        "points": warehouse.rows("SELECT * FROM history.operating_points WHERE valid_to IS NULL"),
    }
    if tables:
        said["costs"] = warehouse.rows("SELECT * FROM main.cost_at_interactivity")
        said["splits"] = warehouse.rows("SELECT * FROM main.token_split")
    return said


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """What is known after each day, with that day's requests."""
    folder = tmp_path_factory.mktemp("walk")
    known = {}
    with ReplayServer(DAYS[0]) as server:
        for day in DAYS:
            server.reset()
            server.day(day)
            known[day] = refresh(server, folder, day, tables=True) | {"log": server.log()}
    return known


def costs(walked, day, accelerator, column="usd_mtok", basis="owning"):
    rows = [
        r for r in walked[day]["costs"] if (r["model"], r["accelerator"], r["cost_of"], r["price_basis"]) == ("Muse-Spark-Open", accelerator, "total", basis)
    ]
    assert len(rows) == len({r["interactivity_tok_s"] for r in rows}) == 17
    return {r["interactivity_tok_s"]: r[column] for r in rows}


def muse(walked, day, accelerator="MI355X"):
    return sorted(
        (p["concurrency"], p["status"], tuple(p["flags"])) for p in walked[day]["points"] if (p["model"], p["accelerator"]) == ("Muse-Spark-Open", accelerator)
    )


@pytest.mark.parametrize(
    ("accelerator", "published"),
    [
        ("B300", {128: 0.019, 191: 0.027, 254: 0.046, 100: 0.01552, 160: 0.02282, 222: 0.03408}),
        ("MI355X", {128: 0.024, 191: 0.044, 254: 0.076, 100: 0.01843, 160: 0.03256, 222: 0.05760}),
    ],
)
@pytest.mark.parametrize("day", ["2026-10-20", "2026-10-25", "2026-10-26", "2026-10-28"])
def test_costs_are_those_published_on_every_day_whatever_comes_and_goes(walked, day, accelerator, published):
    found = costs(walked, day, accelerator)
    assert {x: found[x] for x in published} == {x: pytest.approx(cost, abs=6e-6) for x, cost in published.items()}
    assert costs(walked, day, accelerator, "method")[400] == "clamped"


OLDER = (2, 12, 28, 64, 192)


def test_the_hung_point_is_flagged_and_the_older_ones_are_superseded(walked):
    hung = (128, "active", ("short_run", "unreleased_image"))
    for day in ("2026-10-25", "2026-10-26"):
        assert muse(walked, day) == sorted([*((c, "superseded", ()) for c in OLDER), hung])
        assert set(costs(walked, day, "MI355X", "superseded_points").values()) == {5}


def test_after_the_purge_the_hung_point_is_retracted_and_the_others_are_active(walked):
    hung = (128, "retracted", ("short_run", "unreleased_image"))
    for day in ("2026-10-28", "2026-10-29"):
        assert muse(walked, day) == sorted([*((c, "active", ()) for c in OLDER), hung])
        assert set(costs(walked, day, "MI355X", "superseded_points").values()) == {0}


def test_the_other_accelerator_does_not_notice(walked):
    assert len({str(muse(walked, day, "B300")) for day in DAYS[2:]}) == 1


def test_the_price_change_of_september_moves_cost_and_no_throughput(walked):
    def rows(day, basis):
        return {(r["comparable_set"], r["interactivity_tok_s"], r["cost_of"]): r for r in walked[day]["costs"] if r["price_basis"] == basis}

    before, after = (rows(day, "rental") for day in ("2026-09-07", "2026-09-08"))
    b300 = [k for k in before if " | B300 | " in k[0]]
    assert b300 and before.keys() == after.keys()
    assert all(after[k]["usd_mtok"] / before[k]["usd_mtok"] == pytest.approx(4.25 / 3.0) for k in b300)
    for column in ("total_tok_s_gpu", "usd_mtok_fixed_prices", "gpu_h_mtok", "method"):
        assert {k: r[column] for k, r in before.items()} == {k: r[column] for k, r in after.items()}
    assert {k: r["usd_mtok"] for k, r in rows("2026-09-07", "owning").items()} == {k: r["usd_mtok"] for k, r in rows("2026-09-08", "owning").items()}


def test_the_point_without_a_servers_hit_rate_has_no_shares_of_input(walked):
    (split,) = [s for s in walked["2026-10-22"]["splits"] if (s["model"], s["accelerator"], s["concurrency"]) == ("Muse-Spark-Open", "MI355X", 28)]
    assert (split["cached_input_share"], split["uncached_input_share"], split["cache_hit_kind"]) == (None, None, "missing")
    assert split["output_share"] == pytest.approx(0.0067)


def test_points_are_attributed_by_the_tag_of_their_run(walked):
    found = {p["accelerator"]: p["attributed_to"] for p in walked["2026-10-22"]["points"] if p["model"] == "Muse-Spark-Open"}
    assert found == {"B300": "NVIDIA", "MI355X": "SemiAnalysis"}


def test_no_address_is_asked_twice_a_day_and_robots_comes_first(walked):
    for day in DAYS:
        asked = [(e["path"], str(sorted(e["query"].items()))) for e in walked[day]["log"]]
        assert asked[0][0] == "/robots.txt"
        assert max(Counter(asked).values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["status", "truncate", "garbage", "empty", "login", "reset", "bomb"])
def test_a_fault_leaves_the_old_rows_is_told_and_is_got_over(kind, tmp_path_factory, before_news):
    server, base, count = before_news
    folder = tmp_path_factory.mktemp(kind) / "lake"
    shutil.copytree(base, folder)
    server.reset()
    server.day("2026-10-23")
    server.fault(kind, site="inferencex", status=503)
    during = refresh(server, folder, "2026-10-23")
    assert during["outcomes"]["benchmarks"] == ("unreachable" if kind in ("status", "reset") else "invalid")
    assert len(during["points"]) == count
    server.reset()
    after = refresh(server, folder, "2026-10-24")
    assert after["outcomes"]["benchmarks"] in ("changed", "unchanged")
    assert len(after["points"]) == count + 10


@pytest.fixture(scope="module")
def before_news(tmp_path_factory):
    """A server and a lake of 9 October, with the number of points in it."""
    folder = tmp_path_factory.mktemp("before") / "lake"
    with ReplayServer("2026-10-09") as server:
        yield server, folder, len(refresh(server, folder, "2026-10-09")["points"])
