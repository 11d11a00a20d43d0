"""Reads large JSON files row by row: untrusted contents are never in memory as a whole. No nouns.

A file is one object, of table names and lists of rows, or one list. Invalid nesting, numbers and encodings
are all the same error, a StartError that names the file.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NoReturn

import orjson

from server_lite.errors import StartError

WHOLE: Final = 12 * 1024 * 1024
"""Maximum bytes of a file read at once, which is several times as fast."""
CHUNK: Final = 256 * 1024
LARGEST: Final = 32 * 1024 * 1024
"""Maximum characters of one row, or of a value that is not a list."""


def rows(path: Path) -> Iterator[tuple[str, object]]:
    """Yield (name, row) of each row of each list in an object, and (name, value) of other values.

    For a file that is one list, the name is empty. A list without rows yields nothing.
    """
    try:
        if path.stat().st_size <= WHOLE:
            yield from _parsed(orjson.loads(path.read_bytes()))
            return
        with path.open(encoding="utf-8", newline="") as file:
            text = _Text(file.read)
            if text.take("["):
                for row in text.rest_of_list():
                    yield "", row
            else:
                text.expect("{")
                yield from _object(text)
            text.end()
    except UnicodeDecodeError as error:
        raise StartError(f"{path.name} is not UTF-8.") from error
    except RecursionError as error:
        raise StartError(f"{path.name} is nested too deeply.") from error
    except ValueError as error:
        raise StartError(f"{path.name} is damaged, or no JSON that can be used.") from error


def _parsed(whole: object) -> Iterator[tuple[str, object]]:
    if isinstance(whole, list):
        for row in whole:
            yield "", row
    elif isinstance(whole, dict):
        for name, value in whole.items():
            if isinstance(value, list):
                for row in value:
                    yield name, row
            else:
                yield name, value
    else:
        raise ValueError("neither an object nor a list")  # noqa: TRY004  # one error for all that is no JSON


def _object(text: "_Text") -> Iterator[tuple[str, object]]:
    if text.take("}"):
        return
    while True:
        name = text.value()
        if not isinstance(name, str):
            raise ValueError("a name is no text")  # noqa: TRY004  # one error for all that is no JSON
        text.expect(":")
        if text.take("["):
            for row in text.rest_of_list():
                yield name, row
        else:
            yield name, text.value()
        if text.take("}"):
            return
        text.expect(",")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


class _Text:
    """Text read from a file and not yet consumed."""

    def __init__(self, read: Callable[[int], str]) -> None:
        self._read = read
        self._text = ""
        self._at = 0
        self._decode = json.JSONDecoder(parse_constant=_no_number).raw_decode

    def _fill(self, size: int = CHUNK) -> bool:
        """Read more; returns whether there was any."""
        more = self._read(size)
        self._text = self._text[self._at :] + more
        self._at = 0
        return bool(more)

    def _next(self) -> str:
        """Return the next character that is not white space; empty at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in " \t\r\n":
                    return self._text[self._at]
                self._at += 1
            if not self._fill():
                return ""

    def take(self, character: str) -> bool:
        """Consume a character, if it is the next one."""
        if self._next() != character:
            return False
        self._at += 1
        return True

    def expect(self, character: str) -> None:
        """Consume a character; raises ValueError if another one is next."""
        if not self.take(character):
            raise ValueError(f"no {character}")

    def end(self) -> None:
        """Raise ValueError unless everything is consumed."""
        if self._next():
            raise ValueError("more after the end")

    def value(self) -> object:
        """Consume a value and return it."""
        self._next()
        size = CHUNK
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except ValueError:
                if len(self._text) - self._at > LARGEST or not self._fill(size):
                    raise
            else:
                if end < len(self._text):
                    self._at = end
                    return value
                if not self._fill():  # a number at the end could continue in the next chunk
                    self._at = len(self._text)
                    return value
            size *= 2

    def rest_of_list(self) -> Iterator[object]:
        """Yield the values of a list whose bracket was consumed."""
        if self.take("]"):
            return
        while True:
            yield self.value()
            if self.take("]"):
                return
            self.expect(",")
