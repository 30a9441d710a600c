"""What stands around a threshold: the texts that speak of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from pipelines.sources.sglang.gates.bindings import Function
from pipelines.sources.sglang.gates.evidence import Text
from pipelines.sources.sglang.gates.figures import figures
from pipelines.sources.sglang.gates.sentences import paragraphs, sentences
from pipelines.sources.sglang.gates.sites import Site
from pipelines.sources.sglang.gates.source import Source, docstring

_MAX_PULL_REQUEST = 65_536  # characters GitHub allows
_SIZE = re.compile(r"\d+(?:\.\d+)?[bmt]|a\d+(?:\.\d+)?[bm]|instruct|chat|it|preview", re.IGNORECASE)
_TEST_NAME = re.compile(r"^test_|_eval\b|_eval(?=_)|_mi\d+x?(?=_|$)|_amd(?=_|$)|_\d+gpu$")


class Surroundings:
    """The prose of a file and its pull request, in the order of its nearness to a threshold."""

    def __init__(self, source: Source, sites: list[Site], pull_request_text: str | None, stem: str) -> None:
        self._source = source
        self._pull_request = (pull_request_text or "")[:_MAX_PULL_REQUEST]
        self._stem = stem
        self._models = {m: _spelled(m.rsplit("/", 1)[-1]) for m in dict.fromkeys(s.model for s in sites) if m}
        self._told: dict[str, list[tuple[str, set[str]]]] = {}
        self._own = {id(s): self._comments(s) for s in sites}
        self._shared = self._handed_down(sites)
        taken = {line for s in sites for a in (*s.anchors, s.place.top) for line in self._lines_above(_first_line(a))}
        self._module = [Text(docstring(source.tree), "docstring"), *(Text(b, "comment") for b in source.loose_blocks(taken))]

    def texts(self, site: Site, cls: ast.ClassDef | None, functions: list[Function], model: str | None) -> list[Text]:
        """Texts on one threshold, nearest first; empty ones left out."""
        found = [Text(self._own[id(site)], "comment", own=True), Text(self._shared.get(id(site), ""), "comment", shared=True)]
        if site.place.top is not site.place.statement or site.entry is not None:
            found.append(Text(self._source.block_above(_first_line(site.place.top)), "comment"))
        found += [Text(docstring(f), "docstring") for f in (*functions, *site.place.functions)]
        if cls is not None:
            found += [Text(docstring(cls), "docstring"), Text(self._source.block_above(_first_line(cls)), "comment")]
        found += self._module
        found = [t if t.own or t.shared else replace(t, text=self._about(t.text, site.model)) for t in found]
        found.append(Text(self._of_pull_request(model), "pull_request"))
        return [t for t in dict.fromkeys(found) if t.text.strip()]

    def _about(self, text: str, model: str | None) -> str:
        """A text without what it says of other models of the file, or of several at once with figures that may be either's."""
        if model is None or len(self._models) < 2:
            return text
        if text not in self._told:
            told = [s for p in paragraphs(text) for s in sentences(p)]
            self._told[text] = [(s, {m for m, spelled in self._models.items() if spelled.search(s)}) for s in told]
        return "\n\n".join(s for s, named in self._told[text] if not named or named == {model} or (model in named and not figures(s)))

    def _lines_above(self, line: int) -> Iterator[int]:
        while (comment := self._source.comments.get(line - 1)) and comment.alone:
            line -= 1
            yield line

    def _comments(self, site: Site) -> str:
        """The blocks right above, the comments behind, and a bare string right below."""
        parts = []
        for anchor in site.anchors:
            first, last = _first_line(anchor), getattr(anchor, "end_lineno", None) or _first_line(anchor)
            parts.append(self._source.block_above(first))
            parts.append(self._source.trailing(first, first if anchor is site.entry else last))
            if isinstance(anchor, ast.stmt):
                parts.append(self._string_below(anchor, site))
        return "\n\n".join(dict.fromkeys(p for p in parts if p))

    def _string_below(self, statement: ast.stmt, site: Site) -> str:
        body = site.place.cls.body if site.place.cls and statement in site.place.cls.body else self._source.tree.body
        if statement not in body or statement is body[-1]:
            return ""
        match body[body.index(statement) + 1]:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                return text
        return ""

    def _handed_down(self, sites: list[Site]) -> dict[int, str]:
        """The comment block above the first of a run of thresholds, for the others: lines without a gap, items of one dict."""
        shared: dict[int, str] = {}
        above, last_line, last_home = "", -1, -1
        for site in sites:
            anchor = site.anchors[0]
            item = site.entry is anchor
            line, home = _first_line(anchor), id(site.place.statement) if item else id(site.place.cls)
            block = self._source.block_above(line)
            follows = home == last_home and (item or line == last_line + 1)
            if not follows:
                above = block
            elif above and (item or not block):
                shared[id(site)] = above
            else:
                above = block
            last_line, last_home = getattr(anchor, "end_lineno", None) or line, home
        return shared

    def _of_pull_request(self, model: str | None) -> str:
        """Those sentences of the pull request that name the model or the file; all, where its first line does."""
        if not self._pull_request:
            return ""
        names = _names_of(model, self._stem)
        title = self._pull_request.split("\n", 1)[0]
        if any(n.search(title) for n in names):
            return self._pull_request
        return "\n\n".join(s for p in paragraphs(self._pull_request) for s in sentences(p) if any(n.search(s) for n in names))


def _names_of(model: str | None, stem: str) -> list[re.Pattern[str]]:
    """Spellings of a model and its file in prose: `glm53_flash` is also GLM-5.3-Flash, but not the start of a longer name."""
    names = {stem, _TEST_NAME.sub("", stem)}
    if model:
        tail = model.rsplit("/", 1)[-1]
        names |= {tail, "-".join(w for w in tail.split("-") if not _SIZE.fullmatch(w))}
    return [_spelled(n) for n in names if len(re.findall(r"[a-z]+|\d", n.lower())) > 1 or len(n) > 3]


def _spelled(name: str) -> re.Pattern[str]:
    runs = re.findall(r"[a-z]+|\d", name.lower())
    return re.compile(r"(?<![\w-])" + r"[\W_]{0,2}".join(runs) + r"(?!\w|[-.]\w)", re.IGNORECASE)


def _first_line(node: ast.AST) -> int:
    decorators = getattr(node, "decorator_list", None)
    return decorators[0].lineno if decorators else getattr(node, "lineno", 0)
