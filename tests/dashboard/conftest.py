"""Lakes of this folder's tests, and a reader of the page."""

import datetime as dt

import pytest

from tests.dashboard.reader import Reader
from tests.helpers import told_lake as told

NIGHT = dt.datetime(2026, 10, 24, 23)


@pytest.fixture(scope="session")
def empty_lake(tmp_path_factory):
    """A lake published before anything was fetched."""
    lake = tmp_path_factory.mktemp("empty") / "lake"
    told.publish(lake)
    return lake


@pytest.fixture(scope="session")
def failing_lake(tmp_path_factory):
    """A lake where every source said something once and could not be reached two days later."""
    lake = tmp_path_factory.mktemp("failing") / "lake"
    for source in told.ORIGINS:
        told.tell(lake, source, NIGHT - dt.timedelta(days=2), {"prices": [told.hour_price("B300", "owning", 2.26, **told.fact(source))]})
        told.tell(lake, source, NIGHT, outcome="unreachable", message=f"{source} takes no connections. The next run asks it again.")
    told.publish(lake)
    return lake


@pytest.fixture
def read(monkeypatch):
    """Open a view of a lake's dashboard: read(lake, view, **state)."""

    def open_view(lake, view="what_changed", public=False, **state):
        monkeypatch.setenv("MEGAWATCH_LAKE", str(lake))
        monkeypatch.setenv("MEGAWATCH_PUBLIC", "1" if public else "")
        return Reader(view, state)

    return open_view
