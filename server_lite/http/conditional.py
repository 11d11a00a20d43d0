"""Entity tags: contents that a client already has are not sent again. Pure."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

Header = tuple[bytes, bytes]
_KEPT: Final = frozenset({b"etag", b"cache-control", b"vary", b"content-security-policy"})
"""Headers of the full answer that the short one repeats."""


def tag_of(*parts: object) -> str:
    """Return a tag determined by these parts, which does not reveal them."""
    digest = blake2b("\0".join(map(str, parts)).encode(), digest_size=12)
    return f'"{digest.hexdigest()}"'


def tag_of_bytes(content: bytes) -> str:
    """Return the tag of exactly these bytes."""
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def weak(tag: str) -> str:
    """Return the weak tag, for contents sent in several encodings."""
    return f"W/{tag}"


def has_already(headers: Mapping[str, str], tag: str) -> bool:
    """Whether the client already has the tagged contents (`If-None-Match`)."""
    given = headers.get("if-none-match")
    if given is None:
        return False
    tags = {one.strip().removeprefix("W/") for one in given.split(",")}
    return "*" in tags or tag.removeprefix("W/") in tags


def wants_part(headers: Mapping[str, str], tag: str) -> bool:
    """Whether a requested range continues the tagged contents (`If-Range`): else all is sent."""
    given = headers.get("if-range")
    return given is None or given.strip() == tag


def not_modified(headers: list[Header]) -> list[Header]:
    """Return the headers of a 304, from those of the full answer."""
    return [(name, value) for name, value in headers if name in _KEPT]
