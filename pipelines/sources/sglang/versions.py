"""What kind of build an `sglang_version` names: the cookbook writes it as free text."""

from __future__ import annotations

import re

RELEASE = re.compile(r"v?\d+(\.\d+)+((\.|-)?(post|rc|dev|alpha|beta|a|b)\d*)*\+?", re.IGNORECASE)
DEVELOPMENT = re.compile(r"v?[\d.]+(dev\d*)?\+g[0-9a-f]{7,40}(\.\w+)*", re.IGNORECASE)
TAG = re.compile(r"[\w.-]+")
SHA = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
PULL_REQUEST = re.compile(r"(?<![\w/])(PR\s*#?|#)\d+", re.IGNORECASE)
IMAGE = re.compile(r"\bimage\b|^[\w.-]+/[\w.-]+|:\S|@sha256", re.IGNORECASE)
BRANCH_NAMES = ("main", "master", "dev", "head")


def version_class(text: str | None) -> str | None:
    """`release`, `commit`, `pr_build`, `branch` or `image`; None where nothing is written that names one.

    A commit pinned after `@` does not change the kind: `v0.5.18 @ 71de97b2` is a release, `qwen4-main @ e17062a1d` a
    branch. A build with any pull request on top is a `pr_build`. A bare name is an image tag, unless it says branch.
    """
    name = (text or "").strip()
    if not name:
        return None
    if IMAGE.search(name):
        return "image"
    if PULL_REQUEST.search(name):
        return "pr_build"
    base, at, _ = (part.strip() for part in name.partition("@"))
    if RELEASE.fullmatch(base):
        return "release"
    if SHA.fullmatch(base.removeprefix("commit").strip()):
        return "commit"
    if DEVELOPMENT.fullmatch(base):
        return "commit"
    if at or base.lower() in BRANCH_NAMES or re.search(r"\b(branch|nightly)\b", base, re.IGNORECASE):
        return "branch"
    return "image" if TAG.fullmatch(base) else None
