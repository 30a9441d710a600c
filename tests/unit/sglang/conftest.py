"""A repository of our own and a tracker that follows it."""

import pytest

from tests.unit.sglang.fake_github import FakeGitHub, Tracker


@pytest.fixture
def github():
    return FakeGitHub()


@pytest.fixture
def tracker(tmp_path, github):
    tracker = Tracker(tmp_path, github)
    yield tracker
    tracker.close()
