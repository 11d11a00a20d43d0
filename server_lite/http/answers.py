"""Reads answers of other servers, up to a limit. Makes no requests.

Compression is neither requested nor accepted: a few bytes of it may stand for gigabytes.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # Imported with the first request, so as not to delay the start.
    import httpx

PLAIN: Final = {"Accept-Encoding": "identity"}
"""Headers for every request whose answer is read here."""


class Unreadable(Exception):
    """The answer is "too long", or "compressed", as the text says."""


async def body_of(response: "httpx.Response", limit: int) -> bytes:
    """Return the whole body, of at most `limit` bytes; raises Unreadable."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise Unreadable("compressed")
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > limit:
            raise Unreadable("too long")
    return bytes(body)
