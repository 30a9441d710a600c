"""Small publications for tests, and what the committed ones say."""

import datetime as dt
import functools
import re
from pathlib import Path

import pytest

from pipelines.sources.base import Unreadable
from pipelines.sources.curated.publication import parse_publication

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "data_lake" / "curated"
AT = dt.datetime(2026, 11, 30, 12)

HEADER = """\
publisher: A Publisher
url: https://publisher.example/post
published: 2026-10-23
provenance: vendor_reported
"""
RESULT = """\
agentperf_results:
  - model: Some Model
    system: 8x B300
    metric: agents_per_mw
    value: 6900
    unit: agents/MW
"""


def rows(text, file="some-post.yaml", at=AT):
    """Records by table of a file's text."""
    return parse_publication(text.encode(), file, at)[0]


def problems(text, file="some-post.yaml", at=AT):
    """(line, message) of each problem of a file's text, which must have at least one."""
    with pytest.raises(Unreadable) as refused:
        parse_publication(text.encode() if isinstance(text, str) else text, file, at)
    found = re.findall(rf"^{re.escape(file)}, line (\d+): (.*)$", str(refused.value), re.MULTILINE)
    assert found, str(refused.value)
    return [(int(line), what) for line, what in found]


def problem(text, **more):
    """The one problem of a file's text."""
    (only,) = problems(text, **more)
    return only


@functools.cache
def committed():
    """Every committed publication: records by table, each record with its publication."""
    together = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        for table, records in parse_publication(path.read_bytes(), path.name, AT)[0].items():
            together.setdefault(table, []).extend(records)
    return together


def find(table, **want):
    """The one committed record of a table with these values."""
    found = [r for r in committed()[table] if all(r.get(k) == v for k, v in want.items())]
    assert len(found) == 1, f"{len(found)} of {table} with {want}"
    return found[0]
