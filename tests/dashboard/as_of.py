"""Tables of a past day: as the page answers, and as the published file's own views do."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from dashboard import data
from pipelines import reader


def on_the_page(lake: Path, day: dt.date) -> dict[str, list[str]]:
    """Rows of every table that can be asked for a day, as texts in order, each table asked for by itself."""
    data.use(lake)
    return {t.name: sorted(map(str, data.rows(f"FROM {t.name}", as_of=day))) for t in data.tables().values() if t.by_day}


def by_the_views(lake: Path, day: dt.date, first: str = "SELECT 1") -> dict[str, list[str]]:
    """The same by plain SQL on the file, after a statement of the test's own."""
    with reader.opened(lake, day) as con:
        con.execute(first)
        names = [n for (n,) in con.execute("SELECT view_name FROM duckdb_views() WHERE database_name = 'tracker' AND schema_name = 'as_of'").fetchall()]
        return {n: sorted(map(str, reader.records(con, f"FROM {n}"))) for n in names}
