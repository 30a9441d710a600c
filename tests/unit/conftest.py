"""A lake in a folder, and its warehouse."""

import pytest

from pipelines.lake import Lake
from pipelines.warehouse import Warehouse


@pytest.fixture
def lake(tmp_path):
    lake = Lake(tmp_path)
    lake.prepare()
    return lake


@pytest.fixture
def warehouse(lake):
    warehouse = Warehouse(lake)
    yield warehouse
    warehouse.close()
