"""A page as fetched or saved: whole or not, its data stream, its JSON-LD, its readable text."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from bs4 import BeautifulSoup

from pipelines.readable import readable_blocks, title_of
from pipelines.sources.artificial_analysis.flight import Flight, decode_json, pushed_chunks, read_flight
from pipelines.sources.base import Unreadable

_END = re.compile(rb"</html\s*>\s*(?:<!--(?:(?!-->).)*-->\s*)*\Z", re.IGNORECASE | re.DOTALL)


class Page:
    """One HTML page, checked to be whole.

    Raises Unreadable on making where the bytes are no whole page of the site.
    """

    def __init__(self, body: bytes):
        if not body.strip():
            raise Unreadable("The answer is empty.")
        if not _END.search(body):
            raise Unreadable("The page is cut short: it does not end as an HTML page does.")
        try:
            html = body.decode()
        except UnicodeDecodeError as why:
            raise Unreadable("The page is no UTF-8 text.") from why
        self.soup = BeautifulSoup(html, "html.parser")
        chunks = [chunk for script in self.soup.find_all("script") for chunk in pushed_chunks(script.string or "")]
        if "__next_f" in self.soup.get_text():
            raise Unreadable("A script of the page that should hold a chunk of its data is damaged.")
        if not chunks:
            raise Unreadable(f'This is no page of Artificial Analysis: it holds none of their data stream. Its title is "{self.title}".')
        self.flight: Flight = read_flight(chunks)

    @property
    def title(self) -> str:
        """The page's title, one line of at most 120 characters."""
        return title_of(self.soup)

    @cached_property
    def trees(self) -> list[Any]:
        """JSON that stands outside the stream's JSON rows: JSON-LD scripts, and texts of the stream that are JSON."""
        found = [decode_json(script.string) for script in self.soup.find_all("script", type="application/ld+json") if script.string]
        for text in self.flight.texts.values():
            if text[:1] in ("{", "["):
                try:
                    found.append(decode_json(text))
                except Unreadable:
                    continue  # prose that begins with a bracket
        return found

    @cached_property
    def readable_blocks(self) -> list[str]:
        """What a reader sees of the main part, by paragraph."""
        return readable_blocks(self.soup)

    @property
    def readable_text(self) -> str:
        """The readable paragraphs in one."""
        return " ".join(self.readable_blocks)
