"""Reading a YAML file so that every problem can name its line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.constructor import ConstructorError, DuplicateKeyError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import AliasEvent, ScalarEvent
from ruamel.yaml.nodes import MappingNode

from pipelines.sources.base import Unreadable
from pipelines.wellformed import whole_text

TO_FILL_IN = "FILL IN"
GREATEST_BYTES = 1_000_000
GREATEST_DEPTH = 12


@dataclass
class Problems:
    """Everything wrong with one file, told at once."""

    file: str
    found: dict[tuple[int, str], None] = field(default_factory=dict)
    told: int = 0

    def add(self, line: int, where: str, what: str) -> None:
        """Note a problem at a line (counted from 1) of the file; the same one twice is kept once but counts in `told`."""
        self.told += 1
        self.found[(line, f"{where}: {what}" if where else what)] = None

    def stop_if_any(self) -> None:
        """Raise Unreadable with all problems, in the order of the file."""
        if self.found:
            told = [f"{self.file}, line {line}: {what}" for line, what in sorted(self.found)]
            many = "1 problem" if len(told) == 1 else f"{len(told)} problems"
            raise Unreadable(whole_text("\n".join([f"{self.file} was not taken in ({many}); the figures it gave before stay. Mend it and refresh:", *told])))


@dataclass(frozen=True)
class Cell:
    """A value as YAML reads it, the line it stands on and its place (`prices[2].price`)."""

    value: Any
    line: int
    where: str


@dataclass(frozen=True)
class Entry:
    """A mapping of the file: its cells by key, where it is (`prices[2]`) and its first line."""

    where: str
    line: int
    cells: Mapping[str, Cell]

    def at(self, key: str) -> str:
        """How to name a key of this entry in a message: by where it was given, which may be the defaults."""
        return self.cells[key].where if key in self.cells else _place(self.where, key)

    def line_of(self, key: str) -> int:
        """Line of a key, or of the entry where it lacks the key."""
        return self.cells[key].line if key in self.cells else self.line


def _place(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


class _Composer(Composer):
    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.parser.check_event(AliasEvent):
            raise ComposerError(None, None, "references (*name) are not used here: write the value out", self.parser.peek_event().start_mark)
        event = self.parser.peek_event()
        if getattr(event, "tag", None) is not None:
            raise ComposerError(None, None, f"tags ({event.tag}) are not used here", event.start_mark)
        if isinstance(parent, MappingNode) and index is None and not isinstance(event, ScalarEvent):
            raise ComposerError(None, None, "a field's name must be a text", event.start_mark)
        return super().compose_node(parent, index)


class _Constructor(RoundTripConstructor):
    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except ValueError as wrong:
            raise ConstructorError(None, None, f"{getattr(node, 'value', '')!s:.60}: {wrong}", node.start_mark) from wrong


def load(body: bytes, problems: Problems) -> Entry:
    """The file's top mapping.

    Raises Unreadable where the bytes are not one YAML mapping in UTF-8, or have a key twice.
    """
    if len(body) > GREATEST_BYTES:
        problems.add(1, "", f"{len(body):,} bytes; a publication entered by hand has at most {GREATEST_BYTES:,}")
        problems.stop_if_any()
    yaml = YAML(typ="rt", pure=True)
    yaml.Composer, yaml.Constructor, yaml.max_depth = _Composer, _Constructor, GREATEST_DEPTH
    loaded: Any = None
    try:
        loaded = yaml.load(body.decode("utf-8-sig"))
    except UnicodeDecodeError as wrong:
        problems.add(body[: wrong.start].count(b"\n") + 1, "", "not UTF-8 text; save the file as UTF-8")
    except MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        what = wrong.problem.split(" with value")[0] if isinstance(wrong, DuplicateKeyError) else f"not readable as YAML: {wrong.problem or wrong.context}"
        problems.add(mark.line + 1 if mark else 1, "", what)
    except Exception as wrong:  # the library trips over some texts it should refuse; what it says is all there is to tell
        problems.add(1, "", f"not readable as YAML: {str(wrong).splitlines()[0] if str(wrong) else type(wrong).__name__}")
    problems.stop_if_any()
    if not isinstance(loaded, CommentedMap) or not loaded:
        problems.add(1, "", "holds no fields; begin with publisher, url and published (megawatch add writes a template)")
        problems.stop_if_any()
    return entry(loaded, "", problems)


def entry(mapping: CommentedMap, where: str, problems: Problems) -> Entry:
    """A mapping with the line of each key; keys that are no text are problems."""
    cells = {}
    for key, value in mapping.items():
        if key not in (mapping.lc.data or ()):
            problems.add(mapping.lc.line + 1, where, f"fields merged in by << ({key}) are not used here: write them out, or give them in defaults")
            continue
        line = mapping.lc.key(key)[0] + 1
        if isinstance(key, str):
            cells[key] = Cell(value, line, _place(where, key))
        else:
            problems.add(line, where, f"{key!r} is no field name")
    return Entry(where, mapping.lc.line + 1, cells)


def entries(cell: Cell, problems: Problems) -> list[Entry]:
    """The mappings of a list; anything else is a problem."""
    if not isinstance(cell.value, CommentedSeq) or not cell.value:
        problems.add(cell.line, cell.where, "must be a list of entries, each beginning with '- '")
        return []
    found = []
    for number, item in enumerate(cell.value, 1):
        name = f"{cell.where}[{number}]"
        if isinstance(item, CommentedMap):
            found.append(entry(item, name, problems))
        else:
            problems.add(cell.value.lc.item(number - 1)[0] + 1, name, "must be an entry of fields (name: value)")
    return found


def unknown(name: str, known: Iterable[str], what: str = "field") -> str:
    """Say that a name is not one of the known, which is nearest, and which there are."""
    known = sorted(known)
    nearest = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {nearest[0]}?" if nearest else "."
    return f"there is no {what} {name}{hint} There is: {', '.join(known)}"
