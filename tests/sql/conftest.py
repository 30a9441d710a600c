"""A world a test."""

import pytest

from tests.sql.world import World


@pytest.fixture
def world(tmp_path, monkeypatch):
    """An empty world, with no `.env` beside it."""
    monkeypatch.chdir(tmp_path)
    made = World(tmp_path / "lake")
    yield made
    made.close()
