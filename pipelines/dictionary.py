"""The data dictionary, made from the descriptions of the published tables so that it cannot drift.

`python -m pipelines.dictionary` writes docs/data-dictionary.md.
"""

from __future__ import annotations

from pathlib import Path

import pandera.pandas as pa

from pipelines import marts
from pipelines.schema import Table, duckdb_type, vocabulary
from pipelines.tables import DESCRIBED

FILE = Path(__file__).resolve().parents[1] / "docs/data-dictionary.md"

MARKS = {"key": "key", "opens_version": "version"}

# Tables no SQL file makes.
UNMADE = {"about": "What the file is.", "table_status": "How each table of the file stands."}

HEAD = """# Data dictionary

The tables of `<lake>/published/tracker.duckdb`. This file is made from the tables' descriptions: `make docs` writes it anew.

The same words stand in the file itself, as comments on tables and columns:
`megawatch sql "select column_name, comment from duckdb_columns() where table_name = 'prices'"`.

- **key**: the columns that tell one fact from another within its scope.
- **version**: a change in this column closes the version and opens another. Other columns keep what stood when the version opened.
- A missing value is NULL, never 0 or empty text. Times are UTC. Ratios are 0 to 1.
- Tables with `valid_from` and `valid_to` hold every version; those that hold now have `valid_to IS NULL`.
  `--as-of DAY` (or schema `as_of` after `SET VARIABLE as_of = DATE '…'`) answers as things stood at the end of a day.

"""


def _row(c: pa.Column) -> str:
    marks = ", ".join(word for mark, word in MARKS.items() if c.metadata[mark])
    words = vocabulary(c)
    meaning = c.description + (f": {', '.join(f'`{w}`' for w in words)}" if words else "")
    cells = (f"`{c.name}`", duckdb_type(c), c.metadata["unit"] or "", meaning, marks)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _section(table: Table, heading: str) -> str:
    columns = "\n".join(_row(c) for c in table.columns)
    return f"## {table.name}\n\n{heading} A row is {table.row}.\n\n| column | type | unit | meaning | |\n|---|---|---|---|---|\n{columns}"


def dictionary() -> str:
    """The dictionary as Markdown."""
    headings = {f.name: f.heading for f in marts.sql_files()} | UNMADE
    tables = sorted(DESCRIBED.values(), key=lambda t: t.name)
    contents = "\n".join(f"- [{t.name}](#{t.name}): {t.row}" for t in tables)
    return "\n\n".join([HEAD + contents, *(_section(t, headings[t.name]) for t in tables)]) + "\n"


if __name__ == "__main__":
    FILE.write_text(dictionary(), encoding="utf-8")
