"""Reads one HTTP/1.1 answer from bytes as they come, by httptools, within limits. No I/O."""

from __future__ import annotations

from typing import Final

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

MOST_BARREN_BYTES: Final = 100 * 1024
"""Bytes in a row that are no body: headers, trailers, or what stands between chunks."""


class AnswerParser:
    """What has come of one answer to a request that is not HEAD. Interim answers (1xx) are left out.

    `is_broken` means that nothing more can come: it makes no sense, the connection ended, or bytes followed
    that belong to no request.
    """

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        """By name in lower case; several values of a name are joined."""
        self.has_head = False
        self.is_whole = False
        self.is_broken = False
        self.unread = 0
        """Bytes of the body that were not taken."""
        self._parts: list[bytes] = []
        self._barren = 0
        self._can_be_followed = False
        self._parser: HttpResponseParser | None = HttpResponseParser(self)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has come."""
        return not (self._barren or self.is_broken)

    @property
    def can_be_followed(self) -> bool:
        """Whether the connection is ready for another request."""
        return self.is_whole and self._can_be_followed and not self.is_broken

    def take(self) -> bytes:
        """Return the bytes of the body that came since the last time."""
        data = b"".join(self._parts)
        self._parts.clear()
        self.unread = 0
        return data

    def feed(self, data: bytes) -> None:
        """Read the next bytes."""
        if self._parser is None:
            self.is_broken = True
            return
        self._barren += len(data)
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self.is_broken = True
        if self._barren > MOST_BARREN_BYTES:
            self.is_broken = True
        if self.is_whole or self.is_broken:
            self._parser = None  # it holds this object

    def end(self) -> None:
        """Note that the server has closed the connection, which ends a body without a length."""
        if self.has_head and not (self.is_broken or self._has_length()):
            self.is_whole = True
        self.is_broken = True

    def on_message_begin(self) -> None:
        """Called by the parser, as the next ones: another answer begins."""
        self.is_broken = self.is_broken or self.has_head

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:  # else it is a trailer
            key, text = name.decode("ascii").lower(), _text(value)
            self.headers[key] = f"{self.headers[key]}, {text}" if key in self.headers else text

    def on_headers_complete(self) -> None:
        if self.has_head or self._parser is None:
            return
        self.status = self._parser.get_status_code()
        if self.status == 101:  # nothing here asks for another protocol
            self.is_broken = True
        elif self.status < 200:
            self.headers.clear()
        else:
            self.has_head = True
            self._barren = 0
            self._can_be_followed = self._parser.should_keep_alive()

    def on_body(self, data: bytes) -> None:
        if not self.is_whole:
            self._barren = 0
            self._parts.append(data)
            self.unread += len(data)

    def on_message_complete(self) -> None:
        self.is_whole = self.has_head

    def _has_length(self) -> bool:
        encoding = self.headers.get("transfer-encoding", "")
        return "content-length" in self.headers or encoding.lower().endswith("chunked")


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
