"""A site: a public address, the address it is asked at, and the key that may be shown to it."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from pydantic import SecretStr

LIVE = {
    "aa": "https://artificialanalysis.ai",
    "github": "https://api.github.com",
    "raw": "https://raw.githubusercontent.com",
    "inferencex": "https://inferencex.semianalysis.com",
}
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Site:
    """One host as configured.

    `base` is the configured address, `public` the live one; what is stored and shown names `public` alone.
    `setting` names the setting of `base`. `robots` says that robots.txt rules its pages. A key (`credential`) goes out
    as `credential_header` with requests under `credential_paths`. `ways_on` is a sentence for readers shut out by robots.txt.
    """

    key: str
    base: str
    setting: str
    robots: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    credential_setting: str | None = None
    credential: SecretStr | None = None
    credential_header: tuple[str, str] = ("", "")
    credential_paths: str = "/"
    ways_on: str = ""

    @property
    def public(self) -> str:
        return LIVE.get(self.key, self.base)

    @property
    def host(self) -> str:
        """Public host name, for sentences."""
        return urlsplit(self.public).netloc

    def token_header(self, path: str) -> dict[str, str]:
        """The header that carries the key for this path; empty without a key."""
        if self.credential is None or not path.startswith(self.credential_paths):
            return {}
        name, form = self.credential_header
        return {name: form.format(self.credential.get_secret_value())}

    def owns(self, url: str) -> bool:
        """Whether an absolute URL has the scheme, host and port of the configured address, and no user name."""
        return origin(url) is not None and origin(url) == origin(self.base)

    def publish(self, text: str) -> str:
        """The text with the configured address replaced by the public one."""
        return re.sub(re.escape(self.base) + r"(?![\w.:-])", self.public, text)

    def conceal(self, text: str) -> str:
        """The text without the key, should the site have repeated it."""
        return text.replace(self.credential.get_secret_value(), "***") if self.credential else text

    def split(self, url: str) -> tuple[str, dict[str, str]] | None:
        """(path, params) of an absolute URL of this site, public or configured; None for any other URL.

        For links a site gives, such as the next page: what comes out can be handed to `fetch`.
        """
        if origin(url) is None or origin(url) not in (origin(self.base), origin(self.public)):
            return None
        parts = urlsplit(url)
        return unquote(parts.path) or "/", dict(parse_qsl(parts.query, keep_blank_values=True))


def locator(path: str, params: Mapping[str, str] | None = None) -> str:
    """Path and query as they go into a URL: the plain path percent-encoded, parameters sorted by name."""
    if not path.startswith("/"):
        raise ValueError(f"a path starts with /, not {path!r}")
    query = urlencode(sorted((params or {}).items()))
    return quote(path, safe="/:@!$&'()*+,;=~") + (f"?{query}" if query else "")


def origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host name and port of an absolute http(s) URL; None where there is none or a user name stands in it."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc:
            return None
        return parts.scheme, parts.hostname.rstrip("."), parts.port or PORTS[parts.scheme]
    except ValueError:
        return None


def is_loopback(url: str) -> bool:
    """Whether the host of a URL is this machine by its name or number."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
