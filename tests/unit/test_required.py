"""Where the shared material is required, no test that needs it passes by being skipped."""

import pytest

pytest_plugins = ["pytester"]

TESTS = """
import pytest

@pytest.mark.shared
def test_marked(): ...

@pytest.mark.browser
def test_skips_itself():
    pytest.skip("no chromium")

@pytest.mark.skipif(True, reason="of another kind")
def test_of_no_concern(): ...

def test_runs(): ...
"""


@pytest.fixture
def tests(pytester, monkeypatch, tmp_path):
    monkeypatch.setattr("tests.required.SHARED", tmp_path / "absent")
    monkeypatch.delenv("MEGAWATCH_REQUIRE_SHARED", raising=False)
    pytester.makeini("[pytest]\nmarkers = shared\n    browser")
    pytester.makepyfile(TESTS)
    pytester.makeconftest("from tests.required import *")
    return pytester


def test_a_machine_without_the_material_skips(tests):
    tests.runpytest().assert_outcomes(passed=1, skipped=3)


def test_a_machine_that_requires_it_fails_and_says_what_was_missing(tests, monkeypatch):
    monkeypatch.setenv("MEGAWATCH_REQUIRE_SHARED", "1")
    result = tests.runpytest()
    result.assert_outcomes(passed=1, skipped=1, failed=1, errors=1)
    result.stdout.fnmatch_lines(["*was skipped, but MEGAWATCH_REQUIRE_SHARED=1*needs the material in*", "*was skipped, but*no chromium*"])


def test_a_whole_file_that_skips_itself_counts_too(tests, monkeypatch):
    monkeypatch.setenv("MEGAWATCH_REQUIRE_SHARED", "1")
    tests.makepyfile(test_whole="import pytest\npytest.skip('no playwright', allow_module_level=True)")
    tests.runpytest("test_whole.py").assert_outcomes(errors=1)
