"""The data API's OpenAPI description, watched for endpoints and members that come and go.

It is YAML in block style. Only its keys are needed, so lines are read, not values: no anchors, no tags, no surprises.
"""

from __future__ import annotations

import re

from pipelines.sources.base import Bundle, Parsed, Unreadable

MOST_NAMES = 50_000

_KEY = re.compile(r"( *)(- )?(?:\"([^\"]+)\"|'([^']+)'|([^\s#:\"'{\[][^:]*?)):(?: |$)")


def parse_api_schema(bundle: Bundle) -> Parsed:
    """No rows: the description's endpoints and the members of its schemas as source fields, so that changes are told.

    Raises Unreadable where it is no OpenAPI description.
    """
    try:
        text = bundle.body.decode()
    except UnicodeDecodeError as why:
        raise Unreadable("The API's description is no text.") from why
    names = _names(text)
    if not re.match(r"\s*(?:\"|')?openapi(?:\"|')?\s*:", text) or not any(n.startswith("/") for n in names):
        raise Unreadable("The answer is no OpenAPI description with endpoints.")
    return Parsed({}, may_be_empty=True, fields={"api": dict.fromkeys(names, 1.0)}, shape={"names": names})


def _names(text: str) -> list[str]:
    names: set[str] = set()
    open_keys: list[tuple[int, str]] = []
    for line in text.splitlines():
        found = _KEY.match(line)
        if not found:
            continue
        indent = len(found[1]) + len(found[2] or "")
        while open_keys and open_keys[-1][0] >= indent:
            open_keys.pop()
        open_keys.append((indent, found[3] or found[4] or found[5]))
        path = [key for _, key in open_keys]
        if path[0] == "paths" and len(path) == 2:
            names.add(path[1])
        elif path[:2] == ["components", "schemas"] and len(path) > 3 and path[-2] == "properties":
            names.add(".".join(key for key in path[2:] if key not in ("properties", "items")))
        if len(names) > MOST_NAMES:
            raise Unreadable("The API's description is longer than any seen.")
    return sorted(names)
