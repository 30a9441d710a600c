"""The entered figures against the lists they were entered from, row by row."""

import csv
import datetime as dt

import pytest

from pipelines import names
from tests.shared import SHARED, needs_shared
from tests.unit.curated.publications import committed

CAPTURES = SHARED / "captures"


def lines(file):
    with (CAPTURES / file).open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


TURNED = {
    "agents_per_mw": ("agents_per_mw", 1),
    "agents_per_kw": ("agents_per_mw", 1000),
    "agents_per_accelerator": ("agents_per_accelerator", 1),
    "max_concurrent_agents": ("max_agents", 1),
    "input_tokens_per_hour_per_accelerator": ("input_tok_s_gpu", 1 / 3600),
    "output_tokens_per_hour_per_accelerator": ("output_tok_s_gpu", 1 / 3600),
    "system_throughput_per_mw": ("throughput_tok_s_mw", 1),
}


@needs_shared
def test_every_published_agentperf_figure_is_entered_in_its_metric_and_on_its_day():
    entered = [(r["metric"], r["value"], r["model"], r["dated_from"].date().isoformat()) for r in committed()["agentperf_results"]]
    wanted = 0
    for line in lines("agentperf_published.csv"):
        if line["metric"] in TURNED and line["value"]:
            metric, factor = TURNED[line["metric"]]
            day = "2026-08-31" if line["published_date"] == "2026-06/08" else line["published_date"][:10]
            fitting = [e for e in entered if e[0] == metric and e[1] == pytest.approx(float(line["value"]) * factor) and e[2] == line["model"] and e[3] == day]
            both = 2 if " or " in line["system"] else 1
            assert len(fitting) == both, line
            wanted += both
    assert wanted == 21


@needs_shared
def test_every_price_and_power_of_the_three_versions_is_entered_and_chained():
    prices = {
        (r["item"], r["component"], r["price_basis"], r["dated_from"].date()): r for r in committed()["prices"] if r["seller"] == "SemiAnalysis TCO model"
    }
    power = {(r["accelerator"], r["dated_from"].date()): r for r in committed()["accelerator_power"] if r["publication"] == "semianalysis-tco-model"}
    after = {dt.date(2026, 4, 3): dt.date(2026, 7, 31), dt.date(2026, 7, 31): dt.date(2026, 9, 8), dt.date(2026, 9, 8): None}
    columns = {
        "costh_usd_gpu_hr_hyperscaler_owning": ("gpu_hour", "owning"),
        "costr_usd_gpu_hr_3yr_rental": ("gpu_hour", "rental"),
        "costn_usd_gpu_hr_neocloud": ("neocloud_gpu_hour", "owning"),
    }
    seen = 0
    for line in lines("tco_rates_history.csv"):
        day, name = dt.date.fromisoformat(line["observed"][:10]), names.accelerator(line["gpu"]).name
        end = after[day] and dt.datetime.combine(after[day], dt.time())
        for column, (component, basis) in columns.items():
            if line[column]:
                row = prices[name, component, basis, day]
                assert (row["low"], row["high"], row["unit"], row["dated_to"]) == (float(line[column]), float(line[column]), "usd_gpu_h", end)
                seen += 1
        assert (power[name, day]["kw"], power[name, day]["dated_to"], power[name, day]["power_basis"]) == (
            float(line["power_kw_per_gpu_all_in"]),
            end,
            "all_in_modelled",
        )
        assert ("or later" in (power[name, day]["stated_date"] or "")) == ("or later" in line["observed"])
    assert (seen, len(power)) == (len(prices), len(lines("tco_rates_history.csv")))
