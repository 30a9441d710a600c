"""Settings: everything an operator may set, from the environment or a `.env` file, checked once and typed.

Nothing is read at import time; call `load_settings()`. The environment wins over `.env`, also where it holds an
empty text: `GITHUB_TOKEN=` means no token, whatever `.env` says.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pipelines.site import LIVE, Site, is_loopback, origin

LISTS = ("watched_models", "model_pages", "watched_pages", "sglang_roots", "target_speeds", "alert_urls")
MAY_BE_EMPTY = ("watched_models", "model_pages")
PRINTABLE = re.compile(r"[\x21-\x7e]+")
SPEEDS_TOK_S = (20, 30, 40, 50, 60, 75, 100, 128, 150, 160, 180, 191, 200, 222, 254, 300, 400)
ROOTS = ("docs/src/snippets", "docs/cookbook", "docs_new/src/snippets", "docs_new/cookbook", "test/registered/amd/accuracy")

Names = Annotated[tuple[str, ...], NoDecode]
Secrets = Annotated[tuple[SecretStr, ...], NoDecode]
Speeds = Annotated[tuple[float, ...], NoDecode]


class SettingsError(Exception):
    """Some settings cannot be used. `problems` holds one sentence for each; none of them shows a secret."""

    def __init__(self, problems: Iterable[str]):
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class Settings(BaseSettings):
    """The settings of one run. An empty text stands for the default; for a secret it stands for none.

    `public` is for a dashboard that strangers see: without raw captures, SQL box and bulk listings.
    `target_speeds` are output tokens per second per user. `watched_models` and `model_pages` are AA slugs and may
    be empty. `watched_pages` are addresses of pages behind curated entries. `alert_urls` are addresses as Apprise
    takes them; `alert_severity` is what is told one by one, all else of note goes in a daily digest.
    """

    model_config = SettingsConfigDict(case_sensitive=True, extra="ignore", frozen=True, populate_by_name=True, env_file_encoding="utf-8")

    lake: Path = Field(Path("data_lake"), validation_alias="MEGAWATCH_LAKE")
    aa_url: str = Field(LIVE["aa"], validation_alias="MEGAWATCH_AA_URL")
    github_api_url: str = Field(LIVE["github"], validation_alias="MEGAWATCH_GITHUB_API_URL")
    github_raw_url: str = Field(LIVE["raw"], validation_alias="MEGAWATCH_GITHUB_RAW_URL")
    inferencex_url: str = Field(LIVE["inferencex"], validation_alias="MEGAWATCH_INFERENCEX_URL")
    aa_api_key: SecretStr | None = Field(None, validation_alias="MEGAWATCH_AA_API_KEY")
    github_token: SecretStr | None = Field(None, validation_alias="GITHUB_TOKEN")
    watched_models: Names = Field(("muse-spark-open",), validation_alias="MEGAWATCH_WATCHED_MODELS")
    model_pages: Names = Field(("muse-spark-open",), validation_alias="MEGAWATCH_MODEL_PAGES")
    watched_pages: Names = Field((), validation_alias="MEGAWATCH_WATCHED_PAGES")
    sglang_repo: str = Field("sgl-project/sglang", validation_alias="MEGAWATCH_SGLANG_REPO")
    sglang_roots: Names = Field(ROOTS, validation_alias="MEGAWATCH_SGLANG_ROOTS")
    target_speeds: Speeds = Field(SPEEDS_TOK_S, validation_alias="MEGAWATCH_TARGET_SPEEDS")
    heartbeat_url: str | None = Field(None, validation_alias="MEGAWATCH_HEARTBEAT_URL", repr=False)
    contact: str | None = Field(None, validation_alias="MEGAWATCH_CONTACT")
    alert_urls: Secrets = Field((), validation_alias="MEGAWATCH_ALERT_URLS")
    alert_severity: Literal["headline", "notable"] = Field("headline", validation_alias="MEGAWATCH_ALERT_SEVERITY")
    alerts_a_run: int = Field(20, ge=1, validation_alias="MEGAWATCH_ALERTS_A_RUN")
    public: bool = Field(False, validation_alias="MEGAWATCH_PUBLIC")

    @field_validator("*", mode="before")
    @classmethod
    def _read(cls, value: Any, info: ValidationInfo) -> Any:
        name = str(info.field_name)
        if isinstance(value, str):
            value = value.strip()
            if not value and name not in MAY_BE_EMPTY:
                return cls.model_fields[name].default
            if name in LISTS:
                value = tuple(part.strip() for part in value.split(",") if part.strip())
        return _speeds(value) if name == "target_speeds" else value

    @field_validator("lake")
    @classmethod
    def _home(cls, value: Path) -> Path:
        return value.expanduser()

    @field_validator("aa_url", "github_api_url", "github_raw_url", "inferencex_url")
    @classmethod
    def _base(cls, value: str) -> str:
        parts = _http_url(value)
        if parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError(f"'{value}' holds more than scheme, host and port; write it like https://example.org")
        return _base_of(value)

    @field_validator("heartbeat_url")
    @classmethod
    def _heartbeat(cls, value: str | None) -> str | None:
        if value is not None:
            _http_url(value, secret=True)
        return value

    @field_validator("watched_pages")
    @classmethod
    def _pages(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        addresses = [_http_url(url)._replace(fragment="") for url in value]
        for address in addresses:
            names = [name for name, _ in parse_qsl(address.query, keep_blank_values=True)]
            if len(set(names)) < len(names):
                raise ValueError(f"'{urlunsplit(address)}' gives a parameter twice; such a page cannot be watched")
        return tuple(map(urlunsplit, addresses))

    @field_validator("aa_api_key", "github_token")
    @classmethod
    def _secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not PRINTABLE.fullmatch(value.get_secret_value()):
            raise ValueError("holds a space or another character no key has; paste the key alone")
        return value

    @field_validator("contact")
    @classmethod
    def _contact(cls, value: str | None) -> str | None:
        if value is not None and not PRINTABLE.fullmatch(value):
            raise ValueError("is sent in every request, so it must be one mail or web address in plain ASCII without spaces")
        return value

    @field_validator("sglang_repo")
    @classmethod
    def _repository(cls, value: str) -> str:
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", value):
            raise ValueError(f"'{value}' is not a GitHub repository; write owner/name")
        return value

    @field_validator("sglang_roots")
    @classmethod
    def _roots(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        roots = tuple(root.strip("/") for root in value if root.strip("/"))
        if not roots:
            raise ValueError("names no folder; write folders of the repository, separated by commas")
        return roots

    @field_validator("watched_models", "model_pages")
    @classmethod
    def _slugs(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for slug in value:
            if not re.fullmatch(r"[\w.-]+", slug):
                raise ValueError(f"'{slug}' is not a model slug; write slugs as in the address of a model's page, separated by commas")
        return value

    @model_validator(mode="after")
    def _token_stays_private(self) -> Settings:
        for name, secret, url in (("MEGAWATCH_AA_API_KEY", self.aa_api_key, self.aa_url), ("GITHUB_TOKEN", self.github_token, self.github_api_url)):
            if secret is not None and url.startswith("http://") and not is_loopback(url):
                raise ValueError(f"{name} would be sent unencrypted to {url}; use an https address or leave the key out")
        return self

    @property
    def sites(self) -> Mapping[str, Site]:
        """The four sites by key (`aa`, `github` (REST API), `raw` (GitHub's raw files), `inferencex`) and, by their address, those of watched pages."""
        bases = {base: Site(base, base, "MEGAWATCH_WATCHED_PAGES", robots=True) for base in map(_base_of, self.watched_pages)}
        return bases | {
            "aa": Site(
                "aa",
                self.aa_url,
                "MEGAWATCH_AA_URL",
                robots=True,
                credential_setting="MEGAWATCH_AA_API_KEY",
                credential=self.aa_api_key,
                credential_header=("x-api-key", "{}"),
                credential_paths="/api/",
                ways_on="Other ways on: `megawatch import` of pages you saved yourself, or the data API with a key in MEGAWATCH_AA_API_KEY.",
            ),
            "github": Site(
                "github",
                self.github_api_url,
                "MEGAWATCH_GITHUB_API_URL",
                headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
                credential_setting="GITHUB_TOKEN",
                credential=self.github_token,
                credential_header=("Authorization", "Bearer {}"),
            ),
            "raw": Site("raw", self.github_raw_url, "MEGAWATCH_GITHUB_RAW_URL"),
            "inferencex": Site("inferencex", self.inferencex_url, "MEGAWATCH_INFERENCEX_URL", robots=True),
        }

    def page_site(self, url: str) -> tuple[str, str, dict[str, str]]:
        """(site, path, parameters) under which a watched page is asked for; a page of a known site is asked there."""
        for site in sorted(self.sites.values(), key=lambda site: site.key not in LIVE):
            if (found := site.split(url)) is not None:
                return site.key, *found
        raise ValueError(f"{url} is not among the watched pages")

    @property
    def is_replay(self) -> bool:
        """Whether any site is asked elsewhere than at its public address."""
        return any(origin(site.base) != origin(site.public) for site in self.sites.values())

    def described(self, env_file: Path | None = Path(".env")) -> list[tuple[str, str, str]]:
        """(name, shown value, where from: `environment`, `.env` or `default`) of every setting; secrets as `set` or `not set`."""
        in_file = dotenv_values(env_file) if env_file else {}
        rows = []
        for field, about in type(self).model_fields.items():
            name = str(about.validation_alias)
            origin = "environment" if name in os.environ else ".env" if name in in_file else "default"
            rows.append((name, _shown(field, getattr(self, field)), origin))
        return rows


def load_settings(env_file: Path | None = Path(".env")) -> Settings:
    """Read the settings from the environment and `env_file` (which need not exist).

    Raises SettingsError with one sentence for each setting that cannot be used.
    """
    try:
        return Settings(_env_file=env_file)  # type: ignore[call-arg]
    except ValidationError as error:
        raise SettingsError(_sentence(problem) for problem in error.errors(include_input=False, include_url=False)) from None
    except (OSError, UnicodeError) as error:
        raise SettingsError([f"{env_file} cannot be read ({type(error).__name__}); make it a readable UTF-8 file of NAME=value lines."]) from None


def _sentence(problem: Any) -> str:
    text = problem["msg"].removeprefix("Value error, ")
    where = str(problem["loc"][0]) if problem["loc"] else ""
    return f"{where}{' ' if where else ''}{text}."


def _speeds(parts: Iterable[Any]) -> tuple[float, ...]:
    speeds = set()
    for part in parts:
        try:
            speed = float(part)
        except ValueError:
            speed = math.nan
        if not (math.isfinite(speed) and speed > 0):
            raise ValueError(f"holds '{part}', which is no number of tokens per second; write numbers above 0 separated by commas")
        speeds.add(speed)
    if not speeds:
        raise ValueError("names no speed; write output tokens per second per user, separated by commas")
    return tuple(sorted(speeds))


def _base_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def _http_url(value: str, secret: bool = False) -> Any:
    shown = "the address" if secret else f"'{value}'"
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0 and PRINTABLE.fullmatch(value)
    except ValueError:
        usable = None
    if not usable:
        raise ValueError(f"{shown if '@' not in value else 'the address'} is not a web address; write it like https://example.org")
    if "@" in parts.netloc:
        raise ValueError("holds a user name or password; write the address without")
    return parts


def _shown(field: str, value: Any) -> str:
    if field == "alert_urls":
        return f"{len(value)} set" if value else "not set"
    if field in ("aa_api_key", "github_token"):
        return "not set" if value is None else "set"
    if value is None:
        return "not set"
    if field == "heartbeat_url":
        parts = urlsplit(value)
        return f"{parts.scheme}://{parts.hostname}/…"
    if isinstance(value, tuple):
        return ", ".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value) or "none"
    return str(value)
