"""The bodies of uploads and the way to downloads. Imported with the first file. No sockets, no httpx."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from typing import BinaryIO, Final, Protocol

from tui.api.base_url import BaseUrl
from tui.api.transport import HeaderLines, Origin, Response

PIECE: Final = 64 * 1024
"""Bytes of a file that are read at a time."""
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_IN_NAMES: Final = re.compile(r'["\\\0-\x1a\x1c-\x1f]')
"""What HTML's forms do not have in names of files; U+001B is httpx's exception."""
_PLAIN: Final = re.compile(
    r"(?!//)(?:/(?!\.)(?:[\w~!$&()*+,;=:@.-]|%[0-9A-Fa-f]{2})*)+"
    r"(?:\?(?:[\w/?~!$&()*+,;=:@.-]|%[0-9A-Fa-f]{2})+)?",
    re.ASCII,
)
"""Path and query of which nothing is encoded otherwise or left out when they are asked for."""


class Ask(Protocol):
    """Sends a GET request to a server, and returns its answer; `host` is the header."""

    async def __call__(
        self, origin: Origin, host: bytes, target: bytes, *, at_home: bool
    ) -> Response: ...


class FormWithFile:
    """A form with one file, which can seek: what is sent of it, each time from the beginning."""

    def __init__(self, filename: str, file: BinaryIO, content_type: str) -> None:
        """`content_type` is that of the file."""
        boundary = os.urandom(16).hex()
        name = _IN_NAMES.sub(_escaped, filename)
        named = f'; filename="{name}"' if name else ""
        self._file = file
        self._begin = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"{named}\r\n'
            f"Content-Type: {content_type}\r\n\r\n"
        ).encode()
        self._end = f"\r\n--{boundary}--\r\n".encode()
        size = len(self._begin) + file.seek(0, os.SEEK_END) + len(self._end)
        self.headers: HeaderLines = [
            (b"Content-Length", b"%d" % size),
            (b"Content-Type", f"multipart/form-data; boundary={boundary}".encode()),
        ]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the parts of the body."""
        yield self._begin
        self._file.seek(0)
        while piece := self._file.read(PIECE):
            yield piece
        yield self._end


async def follow(
    ask: Ask, base: BaseUrl, address: str, route: str, *, elsewhere: bool
) -> tuple[str, Response]:
    """Ask for `address`, relative to `base`, and where it redirects to; return the last host and its answer.

    Raises NotAServer where it leads to another server without `elsewhere`, or from https to http.
    """
    location = None
    if (target := plain_target(base, address)) is not None:
        response = await ask(base.origin, base.host.encode("ascii"), target, at_home=True)
        if (location := redirect(response)) is None:
            return base.origin[1], response
        await response.aclose()
    from tui.api.redirects import follow as follow_on  # with httpx, which takes a megabyte

    return await follow_on(ask, base.text, address, location, route, elsewhere=elsewhere)


def plain_target(base: BaseUrl, address: str) -> bytes | None:
    """Return what to ask the server for at an address of its own; None for others, and where httpx must read it."""
    path = address.removeprefix(f"{base.origin[0]}://{base.host}")
    if not base.host.isascii() or not _PLAIN.fullmatch(path):
        return None
    return path.encode("ascii")


def redirect(response: Response) -> str | None:
    """Return where an answer redirects to, if it does."""
    return response.headers.get("location") if response.status in _REDIRECTS else None


def _escaped(match: re.Match[str]) -> str:
    return {'"': "%22", "\\": "\\\\"}.get(match[0], f"%{ord(match[0]):02X}")
