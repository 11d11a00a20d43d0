"""Encodes JSON that is kept as bytes, and joins it. Parses nothing.

Data that is the same for many users is encoded once (`Db.cached`) and spliced into each answer.
"""

from collections.abc import Iterable, Mapping

from orjson import OPT_NON_STR_KEYS, dumps


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
    except (
        TypeError
    ):  # numbers as names, which few fields have: looking for them takes five times as long
        return dumps(value, option=OPT_NON_STR_KEYS)


def open_object(fields: Mapping[str, object]) -> bytearray:
    """Return an object with these fields without its closing brace, so that others can be appended in place.

    Fields are encoded one by one, so that other threads run in between; bytes are JSON already. The names are ours,
    without escapes.
    """
    parts: list[bytes] = []
    for name, value in fields.items():
        parts.append(b',"%b":' % name.encode())
        parts.append(value if isinstance(value, bytes) else json_of(value))
    text = bytearray().join(parts)
    text[:1] = b"{"  # instead of the first comma
    return text
