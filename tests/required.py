"""With MEGAWATCH_REQUIRE_SHARED=1, as in .ci/run, a test that needs the shared material or a browser may not be skipped."""

import os

import pytest

REQUIRED = ("shared", "browser")


def _fail_where_skipped(report):
    if report.skipped and os.environ.get("MEGAWATCH_REQUIRE_SHARED") == "1":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped, but MEGAWATCH_REQUIRE_SHARED=1 asks for it to run: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    return _fail_where_skipped(report) if any(item.get_closest_marker(name) for name in REQUIRED) else report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _fail_where_skipped((yield))
