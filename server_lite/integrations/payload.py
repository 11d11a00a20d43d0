"""JSON of a stranger, read field by field: what is missing or of another type is an ApiError that names it."""

from collections.abc import Mapping
from typing import Final, TypeVar

import orjson

from server_lite.errors import ApiError

T = TypeVar("T")

MAX_ROWS: Final = 100
"""Objects of one list that are read."""
_KINDS: Final[Mapping[type, str]] = {str: "a string", dict: "an object", list: "a list"}


class BadPayload(ApiError):
    """A field of the payload is not what the service documents."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"Malformed payload: '{field}' {problem}", field=field)


class Payload:
    """One JSON object of a payload, and where in it the object stands.

    Each path is a field, or fields in fields: `text("sender", "login")`. Null counts as missing.
    """

    __slots__ = ("_place", "value")

    def __init__(self, value: Mapping[str, object], place: str = "") -> None:
        self.value: Final = value
        self._place: Final = place

    def text(self, *path: str) -> str:
        """A string; raises BadPayload."""
        return self._of(str, path)

    def maybe_text(self, *path: str) -> str:
        """A string, empty where it is missing; raises BadPayload for another type."""
        return self.text(*path) if self.has(*path) else ""

    def word(self, *path: str) -> str:
        """A string or a number as text; raises BadPayload."""
        value = self._find(path)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        return self._of(str, path)

    def maybe_word(self, *path: str) -> str:
        """The same, empty where it is missing."""
        return self.word(*path) if self.has(*path) else ""

    def number(self, *path: str) -> int:
        """A whole number; raises BadPayload."""
        value = self._find(path)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._bad(path, "is missing" if value is None else "must be an integer")
        return value

    def flag(self, *path: str) -> bool:
        """Whether it is true; missing is false. Raises BadPayload for what is no boolean."""
        value = self._find(path)
        if not isinstance(value, bool | None):
            raise self._bad(path, "must be true or false")
        return value is True

    def at(self, *path: str) -> "Payload":
        """An object; raises BadPayload."""
        return Payload(self._of(dict, path), self._name(path))

    def maybe(self, *path: str) -> "Payload":
        """An object, an empty one where it is missing; raises BadPayload for another type."""
        return self.at(*path) if self.has(*path) else Payload({}, self._name(path))

    def rows(self, *path: str) -> list["Payload"]:
        """The first `MAX_ROWS` objects of a list, none where it is missing; raises BadPayload."""
        payloads = []
        for number, row in enumerate(self._list(path)[:MAX_ROWS]):
            place = f"{self._name(path)}[{number}]"
            if not isinstance(row, dict):
                raise BadPayload(place, "must be an object")
            payloads.append(Payload(row, place))
        return payloads

    def words(self, *path: str) -> list[str]:
        """The first `MAX_ROWS` strings of a list, none where it is missing; raises BadPayload."""
        strings = []
        for number, value in enumerate(self._list(path)[:MAX_ROWS]):
            if not isinstance(value, str):
                raise BadPayload(f"{self._name(path)}[{number}]", "must be a string")
            strings.append(value)
        return strings

    def count(self, *path: str) -> int:
        """How long a list is; 0 where it is missing. Raises BadPayload."""
        return len(self._list(path))

    def has(self, *path: str) -> bool:
        """Whether the field is there and not null; raises BadPayload where an object around it is none."""
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
    """The JSON object of a body; raises ApiError."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise ApiError("Malformed JSON") from error
    if not isinstance(value, dict):
        raise ApiError("The body is not a JSON object.")
    return Payload(value)
