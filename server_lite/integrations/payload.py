"""Reads untrusted JSON field by field: a missing field or wrong type raises an ApiError that names it."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final, TypeVar

import orjson

from server_lite.errors import ApiError

T = TypeVar("T")

MOST_OBJECTS: Final = 150_000
"""Maximum of objects, lists and named fields in a body: others wait while they are read, even in a thread."""
MOST_VALUES: Final = 400_000
"""Maximum of commas in it."""
_NAMED: Final = re.compile(rb'"\s*:')

MAX_ROWS: Final = 100
"""Maximum of objects read from one list."""
_KINDS: Final[Mapping[type, str]] = {str: "a string", dict: "an object", list: "a list"}


class BadPayload(ApiError):
    """Raised for a field that differs from the service's documentation."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"Malformed payload: '{field}' {problem}", field=field)


class Payload:
    """One JSON object of a payload, with its path.

    Arguments are the path to a field: `text("sender", "login")`. Null counts as missing.
    """

    __slots__ = ("_place", "value")

    def __init__(self, value: Mapping[str, object], place: str = "") -> None:
        self.value: Final = value
        self._place: Final = place

    def text(self, *path: str) -> str:
        """Return a string; raises BadPayload."""
        return self._of(str, path)

    def maybe_text(self, *path: str) -> str:
        """Return a string, empty if missing; raises BadPayload for another type."""
        return self.text(*path) if self.has(*path) else ""

    def word(self, *path: str) -> str:
        """Return a string or a number as text; raises BadPayload."""
        value = self._find(path)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        return self._of(str, path)

    def maybe_word(self, *path: str) -> str:
        """Return a string or a number as text, empty if missing; raises BadPayload for another type."""
        return self.word(*path) if self.has(*path) else ""

    def number(self, *path: str) -> int:
        """Return a whole number; raises BadPayload."""
        value = self._find(path)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._bad(path, "is missing" if value is None else "must be an integer")
        return value

    def flag(self, *path: str) -> bool:
        """Return a boolean; missing is false. Raises BadPayload for other types."""
        value = self._find(path)
        if not isinstance(value, bool | None):
            raise self._bad(path, "must be true or false")
        return value is True

    def at(self, *path: str) -> "Payload":
        """Return an object; raises BadPayload."""
        return Payload(self._of(dict, path), self._name(path))

    def maybe(self, *path: str) -> "Payload":
        """Return an object, an empty one if missing; raises BadPayload for another type."""
        return self.at(*path) if self.has(*path) else Payload({}, self._name(path))

    def rows(self, *path: str) -> list["Payload"]:
        """Return the first `MAX_ROWS` objects of a list, none if missing; raises BadPayload."""
        payloads = []
        for number, row in enumerate(self._list(path)[:MAX_ROWS]):
            place = f"{self._name(path)}[{number}]"
            if not isinstance(row, dict):
                raise BadPayload(place, "must be an object")
            payloads.append(Payload(row, place))
        return payloads

    def words(self, *path: str) -> list[str]:
        """Return the first `MAX_ROWS` strings of a list, none if missing; raises BadPayload."""
        strings = []
        for number, value in enumerate(self._list(path)[:MAX_ROWS]):
            if not isinstance(value, str):
                raise BadPayload(f"{self._name(path)}[{number}]", "must be a string")
            strings.append(value)
        return strings

    def count(self, *path: str) -> int:
        """Return the length of a list; 0 if missing. Raises BadPayload."""
        return len(self._list(path))

    def has(self, *path: str) -> bool:
        """Whether the field exists and is not null; raises BadPayload if its parent is not an object."""
        return self._find(path) is not None

    def _list(self, path: tuple[str, ...]) -> list[object]:
        return self._of(list, path) if self.has(*path) else []

    def _of(self, kind: type[T], path: tuple[str, ...]) -> T:
        value = self._find(path)
        if not isinstance(value, kind):
            raise self._bad(path, "is missing" if value is None else f"must be {_KINDS[kind]}")
        return value

    def _find(self, path: tuple[str, ...]) -> object:
        value: object = self.value
        for depth, name in enumerate(path):
            if value is None:
                return None
            if not isinstance(value, dict):
                raise self._bad(path[:depth], "must be an object")
            value = value.get(name)
        return value

    def _bad(self, path: tuple[str, ...], problem: str) -> BadPayload:
        return BadPayload(self._name(path), problem)

    def _name(self, path: tuple[str, ...]) -> str:
        return ".".join((self._place, *path) if self._place else path)


def read(data: str | bytes) -> Payload:
    """Return the JSON object of a body; raises ApiError."""
    raw = data.encode() if isinstance(data, str) else data
    if len(raw) > 2 * MOST_OBJECTS:
        _check_size(raw)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise ApiError("Malformed JSON") from error
    if not isinstance(value, dict):
        raise ApiError("The body is not a JSON object.")
    return Payload(value)


def _check_size(raw: bytes) -> None:
    """Refuse JSON with more objects or values than any service sends; some in texts count as well."""
    room = MOST_OBJECTS - raw.count(b"[") - raw.count(b"{")
    named = sum(1 for _ in islice(_NAMED.finditer(raw), max(0, room) + 1))
    if named > room or raw.count(b",") > MOST_VALUES:
        raise ApiError("The JSON has too many values.")
