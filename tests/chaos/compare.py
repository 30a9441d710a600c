"""What must hold after a campaign: the troubled lake tells what the quiet one tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import duckdb

# These tables tell of the troubles themselves: attempts, outcomes, and when the last of them was.
OF_TROUBLE = ("snapshots", "source_health", "table_status", "about")
# Pages of one content come in other bytes each time, and the last look before a change may have failed.
OF_BYTES = ("snapshot_id", "ended_by", "version_id", "changed_after")
EVENTS_OF_TROUBLE = ("source_down", "source_recovered")

Tables = dict[str, Counter[str]]


def contents(lake: Path, *, without_troubles: bool = True) -> Tables:
    """The rows of every published table as texts."""
    left_out = (OF_TROUBLE, OF_BYTES, EVENTS_OF_TROUBLE) if without_troubles else ((), (), ())
    with duckdb.connect() as con:
        con.execute(f"SET TimeZone = 'UTC'; ATTACH '{lake / 'published/tracker.duckdb'}' AS tracker (READ_ONLY); USE tracker")
        names = [r[0] for r in con.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'tracker'").fetchall()]
        return {name: _rows(con, name, left_out[1], left_out[2]) for name in names if name not in left_out[0]}


def _rows(con: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...], events: tuple[str, ...]) -> Counter[str]:
    shown = [r[0] for r in con.execute(f'DESCRIBE "{table}"').fetchall() if r[0] not in columns]
    where = f"WHERE kind NOT IN ({', '.join(map(repr, events))})" if table == "change_events" and events else ""
    asked = ", ".join(f'"{name}"' for name in shown)
    return Counter("; ".join(f"{n}={v}" for n, v in zip(shown, row, strict=True)) for row in con.execute(f'SELECT {asked} FROM "{table}" {where}').fetchall())


def differences(expected: Tables, found: Tables) -> list[str]:
    """One line for each table whose rows differ."""
    told = []
    for table in sorted(set(expected) | set(found)):
        lost, more = expected.get(table, Counter()) - found.get(table, Counter()), found.get(table, Counter()) - expected.get(table, Counter())
        for what, rows, others in (("missing", lost, more), ("too many", more, lost)):
            if rows:
                told.append(f"{table}: {sum(rows.values())} rows {what}, such as {_unlike(min(rows), others)[:900]}")
    return told


def _unlike(row: str, others: Iterable[str]) -> str:
    """A row with its first columns and those that differ from the row most like it."""
    values = row.split("; ")
    nearest = max(others, key=lambda other: len(set(values) & set(other.split("; "))), default="").split("; ")
    return "; ".join(v for n, v in enumerate(values) if n < 4 or v not in nearest)


def doubled_events(lake: Path) -> list[str]:
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{lake / 'published/tracker.duckdb'}' AS tracker (READ_ONLY)")
        rows = con.execute("SELECT event_id, count(*) FROM tracker.main.change_events GROUP BY 1 HAVING count(*) > 1").fetchall()
    return [f"event {event_id} is there {n} times" for event_id, n in rows]


def alert_differences(quiet: Counter[str], troubled: Counter[str]) -> list[str]:
    """Each alert of the quiet run was sent once, and no other."""
    return [f"alerted {n} times more than in the quiet run: {s}" for s, n in (troubled - quiet).items()] + [f"never alerted: {s}" for s in quiet - troubled]
