"""Reads a multipart body as a stream: fields, and a file, never whole in memory. Decides nothing."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from server_lite.errors import ApiError, TooLarge

FIELD_BYTES: Final = 64 * 1024
"""Limit of all fields and headers together, without the file."""
_MAX_PARTS: Final = 200


class Part:
    """The headers of one part."""

    def __init__(self, headers: dict[bytes, bytes]) -> None:
        _, options = parse_options_header(headers.get(b"content-disposition", b""))
        self.name: Final = _text(options.get(b"name", b""))
        filename = options.get(b"filename")
        self.filename: Final = None if filename is None else _text(filename)
        kind = headers.get(b"content-type", b"").decode("latin-1")
        self.content_type: Final = kind or "application/octet-stream"


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise ApiError("The multipart body cannot be read.") from error


class Multipart:
    """Reads one body; `fields` contains those received so far."""

    def __init__(self, boundary: bytes, body: AsyncIterator[bytes]) -> None:
        self.fields: Final[dict[str, str]] = {}
        self._body: Final = body
        self._queue: list[Part | bytes | None] = []
        """Events: the head of a part, some of its bytes, None at its end."""
        self._headers: dict[bytes, bytes] = {}
        self._name = self._value = b""
        self._small = self._parts = 0
        self._is_file = False
        self._events: Final = self._read()
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin,
                    "on_part_data": self._data,
                    "on_part_end": lambda: self._queue.append(None),
                    "on_header_field": self._header_name,
                    "on_header_value": self._header_value,
                    "on_header_end": self._header_end,
                    "on_headers_finished": self._head,
                },
            )
        except FormParserError as error:
            raise ApiError("The multipart body cannot be read.") from error

    async def file(self) -> Part | None:
        """Return the next part that is a file; read it by `rest`. Fields before it are in `fields`."""
        name: str | None = None
        value = bytearray()
        async for event in self._events:
            if isinstance(event, Part):
                if event.filename is not None:
                    return event
                name = event.name
            elif event is not None:
                value += event
            elif name is not None:
                self.fields[name] = _text(bytes(value))
                name, value = None, bytearray()
        if name is not None:
            raise ApiError("The multipart body cannot be read.")
        return None

    async def rest(self) -> AsyncIterator[bytes]:
        """Yield the bytes of the file that `file` found; fields after it are then in `fields`."""
        async for event in self._events:
            if event is None:
                break
            if isinstance(event, bytes):
                yield event
        else:
            raise ApiError("The multipart body cannot be read.")
        await self.skip()

    async def skip(self) -> None:
        """Read to the end: fields are collected, further files ignored."""
        while await self.file() is not None:
            async for event in self._events:
                if event is None:
                    break

    async def _read(self) -> AsyncIterator[Part | bytes | None]:
        for event in self._waiting():
            yield event
        async for data in self._body:
            try:
                self._parser.write(data)
            except (FormParserError, KeyError, ValueError) as error:
                raise ApiError("The multipart body cannot be read.") from error
            for event in self._waiting():
                yield event

    def _waiting(self) -> Iterator[Part | bytes | None]:
        while self._queue:
            yield self._queue.pop(0)

    # Callbacks of the parser

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > _MAX_PARTS:
            raise ApiError("The multipart body has too many parts.")
        self._headers, self._name, self._value, self._is_file = {}, b"", b"", False

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._spend(end - start)
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._spend(end - start)
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name = self._value = b""

    def _head(self) -> None:
        part = Part(self._headers)
        self._is_file = part.filename is not None
        self._queue.append(part)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if not self._is_file:
            self._spend(end - start)
        self._queue.append(bytes(data[start:end]))

    def _spend(self, size: int) -> None:
        self._small += size
        if self._small > FIELD_BYTES:
            raise TooLarge(f"The fields are larger than {FIELD_BYTES} bytes.")


def boundary_of(content_type: str) -> bytes:
    """Return the boundary of parts; empty if the header does not contain it."""
    _, options = parse_options_header(content_type)
    boundary: Any = options.get(b"boundary", b"")
    return bytes(boundary)
