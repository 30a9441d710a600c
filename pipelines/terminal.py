"""What is printed: the words of sources are shown as they are, and can neither command a terminal nor pass for markup."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH_IN_PIPES = 400


def plain(text: str) -> str:
    """The text with every control character but the line end made visible."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def say(text: str, *, err: bool = False) -> None:
    """Print a line."""
    click.echo(plain(text), err=err)


def show_table(names: Iterable[str], rows: Iterable[Iterable[Any]], right: Iterable[str] = ()) -> None:
    """Print rows under their names, NULL as nothing; columns named in `right` are set flush right."""
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(Text(plain(name)), justify="right" if name in right else "left")
    for row in rows:
        table.add_row(*(Text("" if value is None else plain(str(value))) for value in row))
    Console(width=None if sys.stdout.isatty() else WIDTH_IN_PIPES).print(table)
