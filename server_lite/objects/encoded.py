"""JSON that is encoded already, put together as bytes. Encodes nothing, and looks into nothing.

What is the same for many people is encoded once (`Db.cached`) and spliced into each one's answer.
"""

from collections.abc import Iterable, Mapping

from orjson import Fragment


def array(values: Iterable[bytes]) -> Fragment:
    """An array of these values."""
    return Fragment(b"[" + b",".join(values) + b"]")


def by_id(values: Mapping[int, bytes]) -> Fragment:
    """An object with these values under their IDs."""
    return Fragment(b"{" + b",".join(b'"%d":%b' % one for one in values.items()) + b"}")


def merged(*objects: bytes) -> bytes:
    """One object of the fields of several, each of which has some and none the same."""
    return b"{" + b",".join(one[1:-1] for one in objects) + b"}"
