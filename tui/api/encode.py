"""Encodes API types as JSON values that `tui.api.decode` reads back. No I/O.

For the disk; requests to the server are written in `tui.api.routes`.
"""

import dataclasses
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from tui.api import events
from tui.api.fields import wire_fields
from tui.api.wire import UNSET


def encode(value: object) -> object:
    """Return `value` as dicts, lists and scalars; sets are sorted, so that the result is stable."""
    if value is None or isinstance(value, (int, str)):
        return value  # first, because these are the most frequent
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _object(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted(encode(item) for item in value)  # type: ignore[type-var]  # sets of IDs, texts
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    return value


def _object(value: object) -> dict[str, object]:
    encoded: dict[str, object] = {}
    if isinstance(value, events.BaseEvent):
        encoded["type"] = value.type
        if value.op is not None:
            encoded["op"] = value.op
    if isinstance(value, events.CallTokenEvent):
        encoded["type"] = value.type.format(provider=value.provider)
    for field in wire_fields(value.__class__):
        item = getattr(value, field.name)
        if item is not UNSET:
            _place(encoded, field.paths[0], encode(item))
    return encoded


def _place(encoded: dict[str, object], path: tuple[str, ...], item: object) -> None:
    for key in path[:-1]:
        inner = encoded.setdefault(key, {})
        assert isinstance(inner, dict)
        encoded = inner
    encoded[path[-1]] = item
