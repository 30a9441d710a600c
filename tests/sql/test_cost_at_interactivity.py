"""Costs at a speed: the frontier, Steffen's cubic, price bases, and what keeps off the curve."""

import datetime as dt
import random

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from tests.sql.by_hand import FROM, Tables, point, price

MARTS = ("gpu_hour_prices", "frontier_points", "cost_at_interactivity")
B300 = [(64, 52000), (128, 1e6 * 2.26 / 3600 / 0.019), (191, 1e6 * 2.26 / 3600 / 0.027), (254, 1e6 * 2.26 / 3600 / 0.046), (330, 4100)]
MI355X = [(64, 30500), (128, 1e6 * 1.5 / 3600 / 0.024), (191, 1e6 * 1.5 / 3600 / 0.044), (254, 1e6 * 1.5 / 3600 / 0.076), (310, 2300)]


@pytest.fixture
def tables():
    return Tables("operating_points", "prices", "stated_costs")


def curve(name, knots, **more):
    return [point(f"{name}-{x}", float(x), float(y), **more) for x, y in knots]


def costs(tables, where="cost_of = 'total' AND price_basis = 'owning'", columns="interactivity_tok_s, usd_mtok, method"):
    tables.build(*MARTS)
    return [tuple(r.values()) for r in tables.rows(f"SELECT {columns} FROM cost_at_interactivity WHERE {where} ORDER BY ALL")]


@pytest.fixture
def muse(tables):
    tables.add("operating_points", [*curve("b", B300), *curve("m", MI355X, accelerator="MI355X", vendor="AMD")])
    tables.add("prices", [*price("B300", 2.26, 4.25), *price("MI355X", 1.5, 2.9)])
    return tables


@pytest.mark.parametrize(
    ("accelerator", "published", "rental_ratio"),
    [
        ("B300", {128: 0.019, 191: 0.027, 254: 0.046, 100: 0.01552, 160: 0.02282, 222: 0.03408}, 4.25 / 2.26),
        ("MI355X", {128: 0.024, 191: 0.044, 254: 0.076, 100: 0.01843, 160: 0.03256, 222: 0.05760}, 2.9 / 1.5),
    ],
)
def test_published_costs_and_those_between_them(muse, accelerator, published, rental_ratio):
    rows = costs(muse, f"cost_of = 'total' AND accelerator = '{accelerator}'", "interactivity_tok_s, price_basis, usd_mtok, method")
    found = {(x, basis): (cost, method) for x, basis, cost, method in rows}
    assert len(found) == len(rows) == 17 * 2
    for speed, cost in published.items():
        assert found[speed, "owning"][0] == pytest.approx(cost, abs=6e-6)
        assert found[speed, "rental"][0] == pytest.approx(cost * rental_ratio, abs=1.2e-5)
        assert found[speed, "owning"][1] == ("measured" if speed in (128, 191, 254) else "interpolated")


def test_beyond_its_ends_a_frontier_is_clamped_and_says_so(muse):
    rows = {x: (cost, method) for x, cost, method in costs(muse, "cost_of = 'total' AND price_basis = 'owning' AND accelerator = 'B300'")}
    assert rows[400] == (pytest.approx(2.26e6 / 3600 / 4100), "clamped")
    assert rows[20] == (pytest.approx(2.26e6 / 3600 / 52000), "clamped")
    assert {method for x, (_, method) in rows.items() if x < 64 or x > 330} == {"clamped"}


def test_a_slope_worked_by_hand(tables):
    """Knots (100, 1000), (200, 900), (400, 100): secants -1 and -4; inner slope -2 x min(1, 4, 0.5 x 2) = -2.

    End slopes (3 x -1 + 2) / 2 = -0.5 and (3 x -4 + 2) / 2 = -5. At 150: 950 + 100 / 8 x (-0.5 + 2) = 968.75;
    at 300: 500 + 200 / 8 x (-2 + 5) = 575.
    """
    tables.add("operating_points", curve("c", [(100, 1000), (200, 900), (400, 100)]))
    tables.con.execute("SET VARIABLE target_speeds = [150, 200, 300]")
    assert costs(tables, columns="interactivity_tok_s, total_tok_s_gpu, method") == [
        (150, pytest.approx(968.75), "interpolated"),
        (200, pytest.approx(900), "measured"),
        (300, pytest.approx(575), "interpolated"),
    ]


def test_two_points_make_a_straight_line_and_one_a_clamped_level(tables):
    tables.add("operating_points", [*curve("two", [(100, 1000), (200, 500)]), *curve("one", [(100, 700)], accelerator="H200")])
    tables.con.execute("SET VARIABLE target_speeds = [50, 100, 125]")
    assert costs(tables, columns="accelerator, interactivity_tok_s, total_tok_s_gpu, method") == [
        ("B300", 50, 1000, "clamped"),
        ("B300", 100, 1000, "measured"),
        ("B300", 125, pytest.approx(875), "interpolated"),
        ("H200", 50, 700, "clamped"),
        ("H200", 100, 700, "measured"),
        ("H200", 125, 700, "clamped"),
    ]


# ---- an independent computation ------------------------------------------------------------------------------


def frontier(points):
    """Points that no other one matches or beats in both speed and throughput, by comparing all pairs."""
    unique = sorted(set(points))
    return [p for p in unique if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in unique)]


def throughput(knots, speed):
    """SciPy's Hermite spline over Steffen's slopes, clamped at its ends."""
    x, y = np.array(knots).T
    if len(x) == 1:
        return y[0]
    secants, widths = np.diff(y) / np.diff(x), np.diff(x)
    slopes = np.full(len(x), secants[0])
    if len(x) > 2:
        parabola = (secants[:-1] * widths[1:] + secants[1:] * widths[:-1]) / (widths[:-1] + widths[1:])
        bound = np.minimum(np.minimum(np.abs(secants[:-1]), np.abs(secants[1:])), np.abs(parabola) / 2)
        slopes[1:-1] = (np.sign(secants[:-1]) + np.sign(secants[1:])) * bound
        slopes[0], slopes[-1] = (3 * secants[0] - slopes[1]) / 2, (3 * secants[-1] - slopes[-2]) / 2
    return float(CubicHermiteSpline(x, y, slopes)(np.clip(speed, x[0], x[-1])))


def test_frontier_and_cubic_agree_with_scipy_on_200_random_curves(tables):
    dice = random.Random(20261020)
    speeds = sorted(dice.uniform(5, 450) for _ in range(12))
    curves = {}
    for number in range(200):
        size = dice.choice([1, 2, 3, 5, 8, 13, 21])
        points = [(dice.uniform(10, 400), dice.uniform(100, 60000)) for _ in range(size)]
        points += [(points[0][0], dice.uniform(100, 60000)), (dice.uniform(10, 400), points[0][1])] if size > 3 else []
        curves[f"model {number}"] = points
    tables.add("operating_points", [point(f"{m} {n}", x, y, model=m) for m, points in curves.items() for n, (x, y) in enumerate(points)])
    tables.add("prices", price("B300", 2.0))
    tables.con.execute("SET VARIABLE target_speeds = ?", [speeds])
    tables.build(*MARTS)
    shown = tables.rows("SELECT model, interactivity_tok_s AS x, total_tok_s_gpu AS y FROM frontier_points ORDER BY model, x")
    for model, points in curves.items():
        assert [(r["x"], r["y"]) for r in shown if r["model"] == model] == frontier(points)
    rows = tables.rows("SELECT * FROM cost_at_interactivity WHERE cost_of = 'total' AND price_basis = 'owning'")
    assert len(rows) == 200 * 12
    for row in rows:
        expected = throughput(frontier(curves[row["model"]]), row["interactivity_tok_s"])
        assert row["total_tok_s_gpu"] == pytest.approx(expected, rel=1e-9)
        assert row["usd_mtok"] == pytest.approx(2.0 * 1e6 / 3600 / expected, rel=1e-9)


# ---- what keeps off the frontier -----------------------------------------------------------------------------


def hung(**more):
    return point("hung", 96.0, 51000.0, **{"flags": ["short_run", "unreleased_image"], "measured_on": dt.date(2026, 10, 25), **more})


def speeds_on_frontier(tables):
    tables.build("frontier_points")
    return [r["x"] for r in tables.rows("SELECT interactivity_tok_s AS x FROM frontier_points ORDER BY 1")]


@pytest.mark.parametrize(
    "spoiled", [{"flags": ["short_run"]}, {"flags": ["something_new"]}, {"flags": [], "status": "retracted"}, {"flags": [], "status": "pending"}]
)
def test_flagged_retracted_and_pending_points_are_off_the_frontier(tables, spoiled):
    tables.add("operating_points", [*curve("b", B300), hung(**spoiled)])
    assert 96 not in speeds_on_frontier(tables)


@pytest.mark.parametrize("flags", [None, [], ["gpus_corrected"], ["gpus_corrected", "gpus_uncertain"]])
def test_a_corrected_number_of_gpus_keeps_nothing_off(tables, flags):
    tables.add("operating_points", [*curve("b", B300), hung(flags=flags)])
    assert 96 in speeds_on_frontier(tables)


def test_superseded_points_carry_the_frontier_until_a_sound_point_replaces_them(tables):
    tables.add("operating_points", [*curve("b", B300, status="superseded"), hung()])
    assert speeds_on_frontier(tables) == [64, 128, 191, 254, 330]
    tables.add("operating_points", [point("sound", 100.0, 30000.0)])
    assert speeds_on_frontier(tables) == [100]


def test_of_superseded_runs_the_newest_sound_one_counts(tables):
    older = curve("old", [(64, 60000), (128, 50000)], status="superseded", measured_on=dt.date(2026, 9, 1))
    tables.add("operating_points", [*older, *curve("b", B300, status="superseded"), hung()])
    assert speeds_on_frontier(tables) == [64, 128, 191, 254, 330]


def test_a_line_is_replaced_by_its_own_points_alone(tables):
    tables.add("operating_points", [*curve("b", B300, status="superseded"), point("other", 100.0, 40000.0, framework="vllm")])
    assert speeds_on_frontier(tables) == [64, 100, 128, 191, 254, 330]


def test_a_superseded_frontier_says_so(tables):
    tables.add("operating_points", [*curve("b", B300, status="superseded"), hung()])
    assert {n for (n,) in costs(tables, columns="superseded_points")} == {5}


@pytest.mark.parametrize(
    "other",
    [
        {"model": "Other"},
        {"accelerator": "B200"},
        {"precision": "fp8"},
        {"scenario": "fixed_length", "isl": 8192, "osl": 1024},
        {"interactivity_kind": "e2e_normalised"},
        {"synthetic_acceptance": False},
    ],
)
def test_points_that_are_not_comparable_make_curves_of_their_own(tables, other):
    tables.add("operating_points", [*curve("b", B300), point("other", 100.0, 99999.0, **other)])
    tables.build("frontier_points")
    assert sorted(r["n"] for r in tables.rows("SELECT count(*) AS n FROM frontier_points GROUP BY comparable_set")) == [1, 5]


def test_request_lengths_are_never_mixed(tables):
    fixed = {"scenario": "fixed_length", "interactivity_kind": "median_tpot", "synthetic_acceptance": False}
    tables.add("operating_points", [point("a", 50.0, 9000.0, isl=8192, osl=1024, **fixed), point("b", 60.0, 2000.0, isl=1024, osl=1024, **fixed)])
    tables.build("frontier_points")
    assert len(tables.rows("SELECT DISTINCT comparable_set FROM frontier_points")) == 2


def test_a_selection_of_points_by_a_framework_is_no_curve(tables):
    tables.add("operating_points", curve("g", B300, source="sglang", origin="git", provenance="framework_reported"))
    assert speeds_on_frontier(tables) == []


# ---- prices --------------------------------------------------------------------------------------------------


def test_a_price_change_moves_the_cost_and_neither_throughput_nor_fixed_prices(tables):
    columns = "price_basis, interactivity_tok_s, usd_mtok, total_tok_s_gpu, usd_mtok_fixed_prices, gpu_h_mtok"
    tables.add("operating_points", curve("b", B300))
    tables.add("prices", price("B300", 2.26, 3.0))
    before = costs(tables, "cost_of = 'total'", columns)
    changed = FROM + dt.timedelta(days=88)
    tables.add("prices", price("B300", rental=4.25, valid_from=changed))
    tables.con.execute("UPDATE prices SET valid_to = ? WHERE price_basis = 'rental' AND low = 3.0", [changed])
    tables.con.execute("CREATE SCHEMA today; CREATE VIEW today.prices AS FROM main.prices WHERE valid_to IS NULL; SET search_path = 'today,main'")
    after = costs(tables, "cost_of = 'total'", columns)
    assert [row[3:] for row in after] == [row[3:] for row in before]
    ratios = [now[2] / then[2] for now, then in zip(after, before, strict=True)]
    assert ratios == pytest.approx([1 if row[0] == "owning" else 4.25 / 3.0 for row in after])


def test_a_curated_price_stands_in_only_where_none_is_scraped(tables):
    curated = {"source": "curated", "origin": "curated", "provenance": "vendor_reported", "seller": "someone", "publication": "p"}
    tables.add("operating_points", curve("b", B300))
    tables.add("prices", [*price("B300", owning=2.26), *price("B300", owning=9.0, rental=5.0, **curated, valid_from=FROM + dt.timedelta(days=9))])
    assert set(costs(tables, "cost_of = 'total'", "price_basis, usd_gpu_h, price_origin")) == {("owning", 2.26, "api"), ("rental", 5.0, "curated")}


def test_an_accelerator_without_a_price_has_throughput_and_no_cost(tables):
    tables.add("operating_points", curve("b", B300))
    assert costs(tables, "cost_of = 'total' AND interactivity_tok_s = 128", "price_basis, usd_mtok, round(total_tok_s_gpu)") == [
        ("owning", None, 33041),
        ("rental", None, 33041),
    ]


# ---- output and stated costs ---------------------------------------------------------------------------------


def test_output_is_costed_where_the_whole_frontier_states_it(tables):
    tables.add("operating_points", [point(f"b{x}", float(x), float(y), output_tok_s_gpu=y * 0.0067) for x, y in B300])
    tables.add("prices", price("B300", 2.26))
    (at_128,) = costs(tables, "cost_of = 'output' AND price_basis = 'owning' AND interactivity_tok_s = 128", "usd_mtok, output_tok_s_gpu, total_tok_s_gpu")
    assert at_128 == (pytest.approx(0.019 / 0.0067), pytest.approx(33040.9 * 0.0067, rel=1e-5), pytest.approx(33040.9, rel=1e-5))


def test_output_is_not_costed_where_a_point_of_the_frontier_lacks_it(tables):
    tables.add("operating_points", [point(f"b{x}", float(x), float(y), output_tok_s_gpu=None if x == 191 else y * 0.0067) for x, y in B300])
    assert costs(tables, "cost_of = 'output'") == []


def test_stated_costs_stand_beside_the_computed_ones(tables):
    stated = {"model": "Muse Spark Open", "accelerator": "B300", "vendor": "NVIDIA", "interactivity_tok_s": 128.0, "usd_mtok": 0.019, "cost_of": "total"}
    more = {"price_basis": "owning", "usd_gpu_h": 2.26, "source": "curated", "origin": "curated", "provenance": "evaluator_measured", "source_url": "https://x"}
    tables.add("stated_costs", [stated | more])
    assert costs(tables, "true", "origin, interactivity_tok_s, usd_mtok, method, frontier_points, total_tok_s_gpu") == [
        ("curated", 128, 0.019, "stated", None, None)
    ]
