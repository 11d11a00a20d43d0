"""What other servers answer ours, read no further than is wanted. Asks nobody anything.

Compression is not asked for and not taken: a few bytes of it may stand for gigabytes.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # A start does not wait for it: it is imported when something is asked.
    import httpx

PLAIN: Final = {"Accept-Encoding": "identity"}
"""To be sent with every request whose answer is read here."""


class Unreadable(Exception):
    """The answer is "too long", or "compressed": the text says which."""


async def body_of(response: "httpx.Response", limit: int) -> bytes:
    """All of it, of `limit` bytes at most; raises Unreadable."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise Unreadable("compressed")
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > limit:
            raise Unreadable("too long")
    return bytes(body)
