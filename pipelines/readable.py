"""What a reader sees of an HTML page: its main part by paragraph, without scripts, styles and comments."""

from __future__ import annotations

from bs4 import BeautifulSoup, NavigableString
from bs4.element import PreformattedString

_INLINE = ("a", "b", "strong", "em", "i", "span", "code", "sup", "sub", "small", "mark", "abbr", "kbd", "u")
_UNREAD = ("script", "style", "noscript", "template", "svg")


def readable_blocks(soup: BeautifulSoup) -> list[str]:
    """The paragraphs, one space between words."""
    main = soup.find("main") or soup.find("article") or soup.body or soup
    blocks: list[tuple[int, list[str]]] = []
    for text in main.find_all(string=True):
        parents = list(text.parents)
        if not isinstance(text, NavigableString) or isinstance(text, PreformattedString) or any(p.name in _UNREAD for p in parents):
            continue
        block = next((id(p) for p in parents if p.name not in _INLINE), 0)
        if not blocks or blocks[-1][0] != block:
            blocks.append((block, []))
        blocks[-1][1].append(str(text))
    return [joined for _, pieces in blocks if (joined := " ".join("".join(pieces).split()))]


def title_of(soup: BeautifulSoup) -> str:
    """The page's title, one line of at most 120 characters."""
    return " ".join(soup.title.get_text().split())[:120] if soup.title else ""
