"""Pages behind curated entries, watched for a change of their text (setting MEGAWATCH_WATCHED_PAGES).

A changed text raises a task for a person (table `tasks`): whether a figure changed with it is for them to read. Nothing
of the page but the hash and length of its text enters a table.
"""

from __future__ import annotations

import hashlib

from bs4 import BeautifulSoup

from pipelines.readable import readable_blocks, title_of
from pipelines.sources.base import Bundle, Collector, NoData, Parsed, StopSource, Unreadable

RESOURCE = "watched_page"
SHORTEST_TEXT = 80


def collect_pages(run: Collector) -> None:
    """Fetch every watched page, each once a day as its robots.txt allows."""
    for url in run.settings.watched_pages:
        site, path, params = run.settings.page_site(url)
        try:
            run.get(site, path, params=params, resource=RESOURCE, scope=url)
        except StopSource:
            continue  # its capture says why; another host may answer


def parse_page(bundle: Bundle) -> Parsed:
    """The readable text of a page, as one row of `watched_pages`.

    Raises Unreadable where the bytes are no HTML, NoData where a reader would see next to no text.
    """
    head = bundle.body[:2_000].lower()
    if b"<html" not in head and b"<!doctype html" not in head:
        raise Unreadable("The answer is no HTML page, so its text cannot be watched. Take its address out of MEGAWATCH_WATCHED_PAGES.")
    soup = BeautifulSoup(bundle.body, "html.parser")
    text = "\n".join(readable_blocks(soup))
    if len(text) < SHORTEST_TEXT:
        raise NoData(f'The page "{title_of(soup)}" shows a reader less than {SHORTEST_TEXT} characters: a sign-in, or text that only a browser builds.')
    row = {
        "url": bundle.scope,
        "title": title_of(soup),
        "text_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text_characters": len(text),
        "source": "curated",
        "origin": "scraped",
        "provenance": "derived",
        "source_url": bundle.scope,
    }
    return Parsed({"watched_pages": [row]}, compared=False)
