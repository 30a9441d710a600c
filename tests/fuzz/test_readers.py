"""A short, seeded share of the fuzzing in every test run; `make fuzz` does it at length."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipelines.lake import Lake
from pipelines.warehouse import Warehouse
from tests.fuzz.campaign import STARTED, tried, warmed
from tests.fuzz.holding import take_in
from tests.fuzz.readers import READERS
from tests.fuzz.showing import show
from tests.fuzz.spoiling import Spoiler

TAKEN_IN = {"curated YAML": 40}
INPUTS = {"aa_flight": 50, "gates": 80}
UNSHRUNK = (Phase.explicit, Phase.generate)  # an input is told by its random seed, which has no smaller sibling


@pytest.mark.parametrize("name", READERS)
def test_spoilt_payloads_are_read_or_refused_and_nothing_else_happens(name):
    reader = READERS[name]
    warmed(reader)

    @settings(deadline=None, max_examples=INPUTS.get(name, 60), derandomize=True, phases=UNSHRUNK, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=True))
    def property_(random):
        tried(reader, reader.spoilt(Spoiler(random)), thoroughly=False)

    property_()


def test_a_lake_takes_in_and_publishes_what_the_readers_let_through(tmp_path):
    lake = Lake(tmp_path)
    lake.prepare()
    lake.admit("replay")
    warehouse = Warehouse(lake)
    outcomes = {name: _taken_in(warehouse, READERS[name], days) for days, name in enumerate(READERS)}
    warehouse.close()
    assert set().union(*outcomes.values()) <= {"changed", "unchanged", "no_data", "invalid", "pending"}
    assert {READERS[name].source.name for name, came in outcomes.items() if "changed" in came} == {"artificial_analysis", "sglang", "inferencex", "curated"}
    show(lake)


def _taken_in(warehouse, reader, days):
    """What became of some inputs of a reader, taken in on days of its own."""
    warmed(reader)
    outcomes = []
    begin = STARTED + dt.timedelta(days=7 * days)

    @settings(deadline=None, max_examples=TAKEN_IN.get(reader.name, 8), derandomize=True, phases=UNSHRUNK, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=True))
    def property_(random):
        outcomes.append(take_in(warehouse, reader.source, reader.spoilt(Spoiler(random)), begin + dt.timedelta(hours=len(outcomes))))

    property_()
    return outcomes
