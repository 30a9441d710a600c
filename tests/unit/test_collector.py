"""What a collector keeps of what it asks for."""

import datetime as dt

from pipelines.collector import SourceCollector
from pipelines.fetch import Answer
from pipelines.lake import Lake
from pipelines.warehouse import Warehouse
from tests.helpers.fake_source import SCOPE, FakeSource


class Silent:
    """A fetcher whose host does not answer."""

    def __init__(self):
        self.robots_answers = {}

    def public_url(self, site, path, params):
        return SCOPE

    def fetch(self, site, path, **how):
        return Answer(url=SCOPE, outcome="unreachable", message="no answer")


def test_a_failure_asked_for_again_in_the_same_run_does_not_become_part_of_a_set(tmp_path):
    lake = Lake(tmp_path)
    lake.prepare()
    warehouse = Warehouse(lake)
    run = SourceCollector(FakeSource(), warehouse, Silent(), None, dt.datetime(2026, 10, 1), force=False, progress=lambda items, *_: iter(items))
    asked = [run.get("aa", "/list", resource="list", set_id=set_id) for set_id in ("one", "two")]
    assert [c.outcome for c in asked] == ["unreachable"] * 2
    assert [c.outcome for c in run.captures()] == ["unreachable"]
    warehouse.close()
