"""The field lists of docs/curated.md, made from the sections so that they cannot drift.

`python -m pipelines.sources.curated.guide docs/curated.md` writes them between the file's two marks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from pipelines.sources.curated import units
from pipelines.sources.curated.fields import Field
from pipelines.sources.curated.publication import HEADER
from pipelines.sources.curated.sections import COMMON, NESTED, SECTIONS

BEGIN, END = "<!-- fields: begin -->", "<!-- fields: end -->"


def _table(fields: Iterable[Field]) -> list[str]:
    lines = ["| field | | what |", "|---|---|---|"]
    for f in fields:
        need = f.kind_in_words + (", required" if f.required else "")
        unit = f" [{f.unit}]" if f.unit else ""
        choice = f": {', '.join(f'`{c}`' for c in f.one_of)}" if f.one_of else ""
        lines.append(f"| `{f.name}` | {need} | {f.meaning}{unit}{choice} |")
    return [*lines, ""]


def field_lists() -> str:
    """Every field by section, and the units of each metric, as Markdown."""
    lines = ["### Header", "", *_table(HEADER.values())]
    lines += ["### In every entry", "", *_table(COMMON)]
    for name, section in SECTIONS.items():
        lines += [f"### `{name}`", "", f"An entry is {section.table.row}.", "", *_table((*section.taken, *section.own))]
        for nested, fields in NESTED.items():
            if nested in section.fields:
                lines += [f"Each of `{nested}`:", "", *_table(fields.values())]
    lines += ["### Units of `agentperf_results`", "", "| metric | unit, as published |", "|---|---|"]
    lines += [f"| `{metric}` | {', '.join(f'`{u}`' for u in known)} |" for metric, known in units.METRICS.items()]
    return "\n".join(lines)


def with_field_lists(document: str) -> str:
    """The document with the field lists between its marks.

    Raises ValueError where it lacks a mark.
    """
    before, _, rest = document.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the document lacks {BEGIN} or {END}")
    return f"{before}{BEGIN}\n{field_lists()}\n{END}{after}"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_field_lists(path.read_text(encoding="utf-8")), encoding="utf-8")
