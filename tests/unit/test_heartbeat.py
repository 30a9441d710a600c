"""A monitor elsewhere hears of every run, and a run never depends on the monitor."""

import pytest

from pipelines.lake import Lake
from pipelines.warehouse import lock


@pytest.fixture
def monitor(httpserver, spine):
    """Answers every ping; `heard()` are the paths pinged so far."""
    httpserver.expect_request("/secret-token").respond_with_data("OK")
    httpserver.expect_request("/secret-token/start").respond_with_data("OK")
    httpserver.expect_request("/secret-token/fail").respond_with_data("OK")
    spine.env["MEGAWATCH_HEARTBEAT_URL"] = httpserver.url_for("/secret-token")
    httpserver.heard = lambda: [request.path.removeprefix("/secret-token") for request, _ in httpserver.log]
    return httpserver


def test_a_run_that_published_is_told_from_start_to_success(spine, monitor):
    spine.run("refresh")
    assert monitor.heard() == ["/start", ""]


def test_a_source_out_of_reach_is_no_failed_run(spine, monitor):
    spine.source.says = "unreachable"
    spine.run("refresh")
    assert monitor.heard() == ["/start", ""]


def test_a_run_that_could_not_publish_is_told_as_failed(spine, monitor, monkeypatch):
    def full(_warehouse):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pipelines.refresh.publish", full)
    assert "No space left" in spine.run("refresh", code=1).stderr
    assert monitor.heard() == ["/start", "/fail"]


def test_a_run_that_may_not_begin_is_told_as_failed(spine, monitor):
    lake = Lake(spine.lake)
    lake.prepare()
    with lock(lake):
        spine.run("refresh", code=5)
    assert monitor.heard() == ["/start", "/fail"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/secret-token", "http://localhost:9/secret-token"])
def test_a_monitor_that_does_not_answer_stops_nothing_and_is_named_nowhere(spine, url):
    spine.env["MEGAWATCH_HEARTBEAT_URL"] = url
    assert "secret-token" not in spine.run("refresh").output
    assert "secret-token" not in spine.run("status").output


def test_only_a_refresh_is_told(spine, monitor):
    spine.run("refresh")
    before = monitor.heard()
    spine.run("status")
    spine.run("rebuild")
    assert monitor.heard() == before
