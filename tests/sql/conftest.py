"""A world a test."""

import pytest

from tests.sql.world import World


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path / "lake")
    yield made
    made.close()
