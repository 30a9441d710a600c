"""A whole lake for tests of the spine: one source that says what the test tells it to, and the command line over it."""

import contextlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result

from pipelines import marts
from pipelines.cli import main
from pipelines.sources.registry import SOURCES
from tests.helpers.fake_source import SCOPE, FakeSource


class ToldSource(FakeSource):
    """Says what `says` holds when it is collected: rows, text for a page of another kind, or an outcome it fails with."""

    def __init__(self, says: Any = (), **how: Any):
        super().__init__(may_be_empty=True, **how)
        self.says = says

    def collect(self, run):
        if self.says in ("unreachable", "rate_limited"):
            run.failed("list", SCOPE, self.says, f"{SCOPE} is {self.says}")
        else:
            run.keep(SCOPE, json.dumps(self.says).encode(), resource="list", scope=SCOPE)


@dataclass
class Spine:
    """A lake in a folder of its own, one source, and `megawatch` run over them in this process."""

    lake: Path
    source: ToldSource
    env: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, code: int = 0) -> Result:
        """Run a command and check its exit code; a traceback is never an answer."""
        result = CliRunner().invoke(main, arguments, env=self.env)
        told = f"megawatch {' '.join(arguments)}: exit {result.exit_code}\n{result.output}"
        assert result.exception is None or isinstance(result.exception, SystemExit), f"{told}\n{result.exception!r}"
        assert "Traceback" not in result.output, told
        assert result.exit_code == code, told
        return result

    def ask(self, query: str, *more: str) -> Any:
        """Rows of a query on the published file, as dicts."""
        return json.loads(self.run("sql", query, "--format", "json", *more).stdout)


TABLES = ("prices", "change_events", "source_health")


@pytest.fixture
def spine(tmp_path, monkeypatch):
    """A spine in a new folder, with no `.env` beside it, no other source, and the few tables of `TABLES` and what they read."""
    monkeypatch.chdir(tmp_path)
    source = ToldSource()
    for name in list(SOURCES):
        monkeypatch.delitem(SOURCES, name)
    monkeypatch.setitem(SOURCES, source.name, source)
    with few_tables(*TABLES):
        yield Spine(tmp_path / "lake", source, {"MEGAWATCH_LAKE": str(tmp_path / "lake")})


@contextlib.contextmanager
def few_tables(*tables):
    """Only these published tables, and what they read, are built in this process."""
    needs = {name: marts.dependencies()[name] for name in _with_what_they_read(tables)}
    files = tuple(f for f in marts.sql_files() if f.name in needs)
    with patch.object(marts, "sql_files", lambda: files), patch.object(marts, "dependencies", lambda: needs):
        yield


def _with_what_they_read(names):
    return {name for table in names for name in (table, *_with_what_they_read(marts.dependencies()[table]))}
