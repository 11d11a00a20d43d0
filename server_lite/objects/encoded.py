"""Encodes JSON that is kept as bytes, and joins it. Parses nothing.

Data that is the same for many users is encoded once (`Db.cached`) and spliced into each answer.
"""

from collections.abc import Iterable, Mapping

from orjson import OPT_NON_STR_KEYS, Fragment, dumps


def kept(value: object) -> bytes:
    """Return JSON that is kept: orjson's own bytes hold the 8 KB that they were written to, however short they are."""
    return bytes(memoryview(dumps(value)))


def array(values: Iterable[bytes]) -> Fragment:
    """Return an array of these values."""
    return Fragment(b"[" + b",".join(values) + b"]")


def by_id(values: Mapping[int, bytes]) -> Fragment:
    """Return an object with these values by ID."""
    return Fragment(b"{" + b",".join(b'"%d":%b' % one for one in values.items()) + b"}")


def merged(*objects: bytes) -> bytes:
    """Return one object with the fields of several nonempty ones that share no field."""
    return b"{" + b",".join(one[1:-1] for one in objects) + b"}"


def open_object(fields: Mapping[str, object]) -> bytearray:
    """Return an object with these fields without its closing brace, so that others can be appended in place.

    Fields are encoded one by one, so that other threads run in between. The names are ours, without escapes.
    """
    text = bytearray().join(
        [
            b',"%b":%b' % (name.encode(), dumps(value, option=OPT_NON_STR_KEYS))
            for name, value in fields.items()
        ]
    )
    text[:1] = b"{"  # instead of the first comma
    return text
