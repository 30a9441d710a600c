"""What kind of framework build a container image is, as far as its tag says."""

from __future__ import annotations

import re

PULL_REQUEST = re.compile(r"(?:^|[-_.])pr[-_]?\d+")
DEVELOPMENT = {"dev", "develop", "unmerged", "wip", "draft", "experimental", "fork", "branch", "custom", "patched", "hotfix", "test"}
VERSION = re.compile(r"([a-z]*?)v?\d+\.\d+(?:\.\d+)*(?:[.-]?(?:post|rc|alpha|beta|pre|a|b)\d*)*")
NOT_THE_FRAMEWORK = {"rocm", "cuda", "cu", "ubuntu", "py", "python", "torch", "pytorch"}
COMMIT = re.compile(r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}")


def tag_of(image: str) -> str | None:
    """The tag of an image reference, without its digest."""
    name = image.split("@", 1)[0].rsplit("/", 1)[-1]
    return name.split(":", 1)[1].lower() if ":" in name else None


def _versioned(tokens: list[str]) -> list[str]:
    """Whose versions the tokens state: `sglang-0.5.7-rocm7.2` is of sglang and rocm, a bare version of ''."""
    owner, found = "", []
    for word in tokens:
        if version := VERSION.fullmatch(word):
            found.append(version[1] or owner)
        elif word.isalpha() and word != "release":
            owner = word
    return found


def image_class(image: str | None) -> str | None:
    """`release`, `commit` (a nightly of a known commit), `pr_build`, `branch` (a development build) or `image`.

    `image` is a tag that does not tell, such as a model's name.
    """
    if not image:
        return None
    tag = tag_of(image)
    if not tag:
        return "image"
    if PULL_REQUEST.search(tag):
        return "pr_build"
    tokens = re.split(r"[-_+]", tag)
    if tokens[0] == "nightly":
        return "commit" if any(COMMIT.fullmatch(t) for t in tokens) else "image"
    if DEVELOPMENT & set(tokens):
        return "branch"
    if any(owner not in NOT_THE_FRAMEWORK for owner in _versioned(tokens)):
        return "release"
    return "commit" if any(COMMIT.fullmatch(t) for t in tokens) else "image"


def is_unreleased(image: str | None) -> bool:
    """Whether the image is of code that no release or main-branch build holds."""
    return image_class(image) in ("pr_build", "branch")
