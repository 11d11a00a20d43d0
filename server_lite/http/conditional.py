"""What a client has already is not sent again: entity tags. Pure."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

Header = tuple[bytes, bytes]
_KEPT: Final = frozenset({b"etag", b"cache-control", b"vary", b"content-security-policy"})
"""Headers of the whole answer that the short one has, too."""


def tag_of(*parts: object) -> str:
    """The tag of what is told apart by these; it tells nothing about them."""
    digest = blake2b("\0".join(map(str, parts)).encode(), digest_size=12)
    return f'"{digest.hexdigest()}"'


def tag_of_bytes(content: bytes) -> str:
    """The tag of these very bytes."""
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def weak(tag: str) -> str:
    """The same for what is sent in several encodings."""
    return f"W/{tag}"


def has_already(headers: Mapping[str, str], tag: str) -> bool:
    """Whether the request says (`If-None-Match`) that its sender has what is tagged so."""
    given = headers.get("if-none-match")
    if given is None:
        return False
    tags = {one.strip().removeprefix("W/") for one in given.split(",")}
    return "*" in tags or tag.removeprefix("W/") in tags


def wants_part(headers: Mapping[str, str], tag: str) -> bool:
    """Whether a range that is asked for continues what is tagged so (`If-Range`): else all is sent."""
    given = headers.get("if-range")
    return given is None or given.strip() == tag


def not_modified(headers: list[Header]) -> list[Header]:
    """The headers of a 304, of those that the whole answer would have."""
    return [(name, value) for name, value in headers if name in _KEPT]
