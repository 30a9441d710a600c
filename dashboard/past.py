"""The tables of a past day, worked out once, when they are first asked for.

In the published file every table of a past day is a view over all versions, and a mart's view reads each history it
rests on anew wherever it names it. Here what a question names, and what that rests on, is made once by the SQL of those
views, in a schema of the in-memory database beside the file. A name not made there is the file's own view, so that an
answer is the same with any of them made or not.
"""

from __future__ import annotations

import datetime as dt
import re
import threading
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

# Of a mart with more rows than this a question works out its own part instead of the whole.
KEPT_ROWS = 100_000
WAIT_S = 20.0

_VIEWS = """
SELECT v.view_name, v.sql, c.column_name IS NOT NULL OR t.estimated_size <= ?
FROM duckdb_views() v
JOIN duckdb_tables() t ON t.database_name = 'tracker' AND t.schema_name = 'main' AND t.table_name = v.view_name
LEFT JOIN duckdb_columns() c ON c.database_name = 'tracker' AND c.schema_name = 'main' AND c.table_name = v.view_name AND c.column_name = 'valid_to'
WHERE v.database_name = 'tracker' AND v.schema_name = 'as_of'"""

_SPEEDS = "SELECT list(DISTINCT interactivity_tok_s) FROM tracker.main.cost_at_interactivity WHERE method <> 'stated'"

_numbers = count(1)


@dataclass(frozen=True)
class DayView:
    """A table's view of a day, as the published file holds it; `is_kept` says whether its rows are: of versions always, of a mart unless it is large."""

    name: str
    sql: str
    is_kept: bool

    @property
    def query(self) -> str:
        """What the view selects."""
        return self.sql.partition(" AS ")[2].rstrip("; \n")

    def creation(self, schema: str) -> str:
        """The statement that makes it in a schema."""
        return f'CREATE {"TABLE" if self.is_kept else "VIEW"} {schema}."{self.name}" AS {self.query}'


class PastDay:
    """One day of a published file that is attached as `tracker` to the in-memory database of `con`, until nothing refers to it.

    Marts are worked out at the target speeds that the file was published with.
    """

    def __init__(self, con: Any, day: dt.date):
        with con.cursor() as cursor:
            self._views = {name: DayView(name, sql, is_kept) for name, sql, is_kept in cursor.execute(_VIEWS, [KEPT_ROWS]).fetchall()}
            (speeds,) = cursor.execute(_SPEEDS).fetchone() if "cost_at_interactivity" in self._views else (None,)
        self._schema = f"memory.past_day_{next(_numbers)}"
        self._turning = [
            f"CREATE SCHEMA IF NOT EXISTS {self._schema}",
            f"SET search_path = '{self._schema},tracker.as_of,tracker.main'",
            f"SET VARIABLE as_of = DATE '{day.isoformat()}'",
            f"SET VARIABLE target_speeds = {speeds or 'NULL'}::DOUBLE[]",
        ]
        self._made: set[str] = set()
        self._making = threading.Lock()
        weakref.finalize(self, _drop, con, self._schema).atexit = False

    def turn(self, cursor: Any, sql: str) -> None:
        """Make what a question needs, and let the names it asks by on this cursor be those of the day.

        Raises TimeoutError where another question works the day out for more than 20 s, duckdb.Error.
        """
        if not self._making.acquire(timeout=WAIT_S):
            raise TimeoutError("Another reader's question is still working this day out. Try again in a few seconds.")
        try:
            for statement in self._turning:
                cursor.execute(statement)
            for view in self._behind(sql):
                if view.name not in self._made:
                    cursor.execute(view.creation(self._schema))
                    self._made.add(view.name)
        finally:
            self._making.release()

    def statements(self, sql: str) -> list[str]:
        """All that `turn` does in a database where nothing is made yet."""
        return [*self._turning, *(view.creation(self._schema) for view in self._behind(sql))]

    def _behind(self, sql: str) -> list[DayView]:
        """The views whose names stand in a question, and those they rest on; what others rest on comes first."""
        found: dict[str, DayView] = {}
        seen: set[str] = set()

        def add(words: Iterable[str]) -> None:
            for name in sorted(self._views.keys() & set(words) - seen):
                seen.add(name)
                add(re.findall(r"\w+", self._views[name].query))
                found[name] = self._views[name]

        add(re.findall(r"\w+", sql.lower()))
        return list(found.values())


def _drop(con: Any, schema: str) -> None:
    with con.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
