"""A short, seeded share of the fuzzing in every test run; `make fuzz` does it at length."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipelines.lake import Lake
from pipelines.warehouse import Warehouse
from tests.fuzz.campaign import tried, warmed
from tests.fuzz.holding import take_in
from tests.fuzz.readers import READERS
from tests.fuzz.showing import show
from tests.fuzz.spoiling import Spoiler

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
    outcomes = []
    for name in READERS:
        _taken_in(warehouse, READERS[name], outcomes)
    warehouse.close()
    assert set(outcomes) <= {"changed", "unchanged", "no_data", "invalid", "pending"}
    assert "changed" in outcomes
    show(lake)


def _taken_in(warehouse, reader, outcomes):
    warmed(reader)

    @settings(deadline=None, max_examples=8, derandomize=True, phases=UNSHRUNK, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=True))
    def property_(random):
        outcomes.append(take_in(warehouse, reader.source, reader.spoilt(Spoiler(random)), dt.datetime(2026, 1, 1) + dt.timedelta(hours=len(outcomes))))

    property_()
