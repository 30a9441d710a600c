import datetime as dt
import json
from types import SimpleNamespace

import pytest

from pipelines.sources.artificial_analysis.collect import collect
from pipelines.sources.base import Capture, StopSource
from tests.helpers.aa_pages import PUBLIC

PAGES = ("/leaderboards/models", "/hardware-inference-stack/datacenter", "/benchmarks/hardware/configs", "/methodology/agentperf", "/api/v2/openapi")


class FakeRun:
    """A collector that notes what it is asked for; `answers` are bodies or outcomes by path, anything else is found."""

    at = dt.datetime(2026, 10, 23, 23)
    force = False

    def __init__(self, answers=None, listed=("muse-spark-open",), model_pages=("muse-spark-open",), key=None):
        self.answers, self.listed = answers or {}, listed
        self.settings = SimpleNamespace(model_pages=model_pages, aa_api_key=key)
        self.asked = []
        self.captures = []

    def get(self, site, path, *, resource, scope=None, set_id=None, params=None):
        assert site == "aa"
        self.asked.append(path + (f"?page={params['page']}" if params else ""))
        answer = self.answers.get(self.asked[-1], b"page")
        if answer == "stop":
            raise StopSource("enough")
        outcome = "fetched" if isinstance(answer, bytes) else answer
        capture = Capture("c", "artificial_analysis", resource, scope, set_id or "s", PUBLIC + path, self.at, outcome, sha256=self.asked[-1])
        self.captures.append(capture)
        return capture

    def body(self, capture):
        return self.answers[capture.sha256]

    def ingest(self):
        self.asked.append("ingest")

    def live(self, table, scope=None):
        assert (table, scope) == ("models", PUBLIC + "/leaderboards/models")
        return [{"slug": slug} for slug in self.listed]


def asked(**run):
    fake = FakeRun(**run)
    collect(fake)
    return [a for a in fake.asked if a != "ingest"]


def test_each_page_is_asked_once():
    assert sorted(asked()) == sorted([*PAGES, "/models/muse-spark-open"])


def test_the_former_address_of_the_results_is_tried_only_where_the_page_has_moved():
    assert "/benchmarks/hardware" not in asked()
    assert "/benchmarks/hardware" in asked(answers={"/hardware-inference-stack/datacenter": "moved"})
    assert "/benchmarks/hardware" not in asked(answers={"/hardware-inference-stack/datacenter": "unreachable"})


def test_both_addresses_of_the_results_belong_to_one_scope():
    fake = FakeRun(answers={"/hardware-inference-stack/datacenter": "moved"})
    collect(fake)
    assert {c.scope for c in fake.captures if c.resource == "datacenter"} == {PUBLIC + "/hardware-inference-stack/datacenter"}


def test_a_models_page_is_not_asked_before_the_leaderboard_lists_it():
    assert not any(path.startswith("/models/") for path in asked(listed=("muse-spark", "muse-spark-1-3")))


def test_no_model_page_is_asked_where_none_is_wanted():
    assert not any(path.startswith("/models/") for path in asked(model_pages=()))


@pytest.mark.parametrize("outcome", ["unreachable", "moved", "disallowed", "rate_limited", "invalid"])
def test_a_page_that_fails_does_not_stop_the_others(outcome):
    assert set(PAGES) <= set(asked(answers=dict.fromkeys(PAGES, outcome)))


def test_a_source_that_is_to_be_left_alone_is_left_alone():
    fake = FakeRun(answers={"/leaderboards/models": "stop"})
    with pytest.raises(StopSource):
        collect(fake)
    assert fake.asked == ["/leaderboards/models"]


class TestTheDataApi:
    @staticmethod
    def page(number, total):
        return json.dumps({"pagination": {"page": number, "total_pages": total}, "data": [{}]}).encode()

    def pages(self, total):
        return {f"/api/v2/language/models/free?page={n}": self.page(n, total) for n in range(1, total + 1)}

    def test_it_is_not_asked_without_a_key(self):
        assert not any("language/models" in a for a in asked())

    def test_all_pages_are_asked_as_one_set(self):
        fake = FakeRun(answers=self.pages(4), key="k")
        collect(fake)
        of_api = [c for c in fake.captures if c.resource == "models_api"]
        assert len(of_api) == 4
        assert len({c.set_id for c in of_api}) == 1
        assert {c.scope for c in of_api} == {PUBLIC + "/api/v2/language/models/free"}

    def test_a_page_that_fails_ends_the_set(self):
        answers = self.pages(4) | {"/api/v2/language/models/free?page=2": "rate_limited"}
        assert [a[-1] for a in asked(answers=answers, key="k") if "language/models" in a] == ["1", "2"]

    def test_an_answer_that_is_no_page_ends_the_set(self):
        answers = {"/api/v2/language/models/free?page=1": b"<html>sign in</html>"}
        assert len([a for a in asked(answers=answers, key="k") if "language/models" in a]) == 1

    def test_pages_without_end_are_not_followed(self):
        answers = {f"/api/v2/language/models/free?page={n}": self.page(n, 10**6) for n in range(1, 200)}
        assert len([a for a in asked(answers=answers, key="k") if "language/models" in a]) == 50
