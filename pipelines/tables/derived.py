"""How the columns of derived tables are described: taken over from the tables they come from, or given for both sides of a pair."""

from __future__ import annotations

import pandera.pandas as pa

from pipelines.schema import Table, column


def described(name: str, like: pa.Column, whose: str = "") -> pa.Column:
    """A column that holds what another one does, under a name of its own."""
    return column(name, like.metadata["kind"], f"{like.description}{whose}", like.metadata["unit"])


def taken(table: Table, *names: str, prefix: str = "", whose: str = "") -> tuple[pa.Column, ...]:
    """Columns of a table as another one takes them over, named `prefix` + name and described with `whose` behind."""
    columns = {c.name: c for c in table.columns}
    return tuple(described(prefix + name, columns[name], whose) for name in names)


def renamed(table: Table, name: str, to: str, whose: str = "") -> pa.Column:
    """A column of a table under a name of its own."""
    return described(to, next(c for c in table.columns if c.name == name), whose)


def both(*columns: pa.Column) -> tuple[pa.Column, ...]:
    """Each column and its counterpart `other_…` on the other side of a pair."""
    return tuple(c for one in columns for c in (one, described(f"other_{one.name}", one, ", of the other side")))
