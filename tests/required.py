"""Tests that need the material beside the project are skipped where it is absent.

With MEGAWATCH_REQUIRE_SHARED=1, as in .ci/run, such a test, or one that needs a browser, may not be skipped.
"""

import os

import pytest

from tests.shared import SHARED

REQUIRED = ("shared", "browser")


def pytest_collection_modifyitems(items):
    if (SHARED / "replay" / "serve.py").exists():
        return
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(pytest.mark.skip(reason=f"needs the material in {SHARED}"))


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
