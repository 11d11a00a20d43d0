"""Encodes JSON that is kept as bytes, and joins it. Parses nothing.

Data that is the same for many users is encoded once (`Db.cached`) and spliced into each answer.
"""

from array import array as numbers
from collections.abc import Container, Iterable, Mapping
from typing import Final

from orjson import OPT_NON_STR_KEYS, dumps


class Pieces(tuple[bytes | memoryview, ...]):
    """JSON in pieces, which are joined where they are copied into an answer."""

    __slots__ = ()


class KeptValues:
    """JSON values by ID, kept as one text, so that all of them are copied into an answer at once."""

    __slots__ = ("_at", "_ends", "_text")

    def __init__(self, values: Mapping[int, bytes]) -> None:
        self._text: Final = b",".join(values.values())
        self._at: Final = {each: at for at, each in enumerate(values)}
        self._ends: Final = numbers("Q", [0])
        """Where the value before ends, with a comma; of each value, and of one more."""
        for value in values.values():
            self._ends.append(self._ends[-1] + len(value) + 1)

    def __contains__(self, value_id: int) -> bool:
        return value_id in self._at

    def __getitem__(self, value_id: int) -> bytes:
        at = self._at[value_id]
        return self._text[self._ends[at] : self._ends[at + 1] - 1]

    def among(self, ids: Container[int]) -> dict[int, bytes]:
        """Return the values of these IDs, in their order here."""
        return {each: self[each] for each in self._at if each in ids}

    def array(self) -> Pieces:
        """Return an array of all values."""
        return Pieces((b"[", self._text, b"]"))

    def array_with(self, value_id: int, value: bytes) -> Pieces:
        """Return an array of all values, with another one in place of that of an ID."""
        at, view = self._at[value_id], memoryview(self._text)
        return Pieces((b"[", view[: self._ends[at]], value, view[self._ends[at + 1] - 1 :], b"]"))


def kept(value: object) -> bytes:
    """Return JSON that is kept: orjson's own bytes hold the 8 KB that they were written to, however short they are."""
    return bytes(memoryview(dumps(value)))


def array(values: Iterable[bytes]) -> bytes:
    """Return an array of these values. The brackets are put around the ends of what is joined: it may be long."""
    parts = [*values]
    if not parts:
        return b"[]"
    parts[0] = b"[" + parts[0]
    parts[-1] += b"]"
    return b",".join(parts)


def by_id(values: Mapping[int, bytes]) -> bytes:
    """Return an object with these values by ID."""
    return b"{" + b",".join(b'"%d":%b' % one for one in values.items()) + b"}"


def merged(*objects: bytes) -> bytes:
    """Return one object with the fields of several nonempty ones that share no field."""
    whole, *others = objects
    for one in others:
        whole = b"%b,%b" % (whole[:-1], one[1:])
    return whole


def json_of(value: object) -> bytes:
    """Return a value as JSON, numbers as names of its fields included."""
    try:
        return dumps(value)
    except TypeError:
        # Numbers as names, which few fields have: looking for them takes five times as long.
        return dumps(value, option=OPT_NON_STR_KEYS)


def open_object(fields: Mapping[str, object]) -> bytearray:
    """Return an object with these fields without its closing brace, so that others can be appended in place.

    Fields are encoded one by one, so that other threads run in between; bytes and `Pieces` are JSON already. The names
    are ours, without escapes.
    """
    parts: list[bytes | memoryview] = []
    for name, value in fields.items():
        parts.append(b',"%b":' % name.encode())
        if isinstance(value, Pieces):
            parts += value
        else:
            parts.append(value if isinstance(value, bytes) else json_of(value))
    text = bytearray().join(parts)
    text[:1] = b"{"  # instead of the first comma
    return text
