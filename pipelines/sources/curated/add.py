"""A new curated file from a template: what `megawatch add` writes."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from pathlib import Path

from pipelines.sources.curated.fields import Field
from pipelines.sources.curated.publication import FILE_NAME, HEADER
from pipelines.sources.curated.reading import TO_FILL_IN, unknown
from pipelines.sources.curated.sections import COMMON, SECTIONS


def new_publication(
    folder: Path,
    name: str,
    *,
    publisher: str | None = None,
    url: str | None = None,
    published: dt.date | None = None,
    provenance: str | None = None,
    sections: Iterable[str] = ("agentperf_results",),
) -> Path:
    """Write `<folder>/<name>.yaml`, a template with what is known filled in, and return its path.

    Every other field that must be filled in says so, and the file is refused until it is. `sections` get one entry
    to fill in; the rest stand below as comments.

    Raises ValueError for a name that is no publication name or a section there is not, FileExistsError where the
    file is there already.
    """
    file = f"{name}.yaml"
    if not FILE_NAME.fullmatch(file):
        raise ValueError(f"{name!r} is no publication name; use small letters, digits, hyphens and dots, such as nvidia-agentperf-blog-2026-06-12")
    chosen = list(sections)
    for section in chosen:
        if section not in SECTIONS:
            raise ValueError(unknown(section, SECTIONS, "section"))
    given = {"publisher": publisher, "url": url, "published": published.isoformat() if published else None, "provenance": provenance}
    text = template(given, chosen)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError as there:
        raise FileExistsError(f"{file} is there already; open it and add to it, or choose another name") from there
    return path


def template(given: dict[str, str | None], chosen: Iterable[str]) -> str:
    """The template's text: header with the given values, an entry of each chosen section, the others as comments."""
    chosen = list(chosen)
    lines = [
        "# One publication. docs/curated.md explains every field. Write figures as they are published, with their unit,",
        "# everything else in your own words. What is not published is left out: never 0, never an empty field.",
        "",
    ]
    for f in HEADER.values():
        value = given.get(f.name)
        lines.append(f"# {_explained(f)}")
        if value is not None:
            lines.append(f"{f.name}: {value if f.name == 'published' else json.dumps(value, ensure_ascii=False)}")
        else:
            lines.append(f"{f.name}: {TO_FILL_IN}" if f.required else f"# {f.name}:")
    lines += ["", "# Fields that stand for every entry below that has them and does not give its own:", "# defaults:", "#   model:", "#   qualifier: exact", ""]
    lines += ["# Any entry may also have:", *(f"#   {f.name}: {_explained(f)}" for f in COMMON), ""]
    for name in (*chosen, *(s for s in SECTIONS if s not in chosen)):
        lines += [*_section(name, name in chosen), ""]
    return "\n".join(lines)


def _explained(field: Field) -> str:
    unit = f" [{field.unit}]" if field.unit else ""
    choice = f"; one of {', '.join(field.one_of)}" if field.one_of else ""
    need = "required" if field.required else "optional"
    return f"{field.meaning}{unit} ({field.kind_in_words}, {need}{choice})"


def _section(name: str, chosen: bool) -> list[str]:
    section = SECTIONS[name]
    lines = [f"# An entry is {section.table.row}."]
    if not chosen:
        return [*lines, f"# {name}:", *(f"#   {f.name}: {_explained(f)}" for f in (*section.taken, *section.own))]
    lines.append(f"{name}:")
    begins = "  - "
    for f in (*section.taken, *section.own):
        lines.append(f"    # {_explained(f)}")
        if f.required:
            lines.append(f"{begins}{f.name}: {TO_FILL_IN}")
            begins = "    "
        else:
            lines.append(f"    # {f.name}:")
    return lines
