"""Reads the marks on an API type's fields: keys, absent values, spellings. Pure."""

import dataclasses
import functools
import types
import typing
from collections.abc import Hashable

from tui.api.wire import DefaultWhenMissing, Key, Recurring, Synonyms, Unset
from tui.dataclass import dataclass

_NONE = DefaultWhenMissing(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class WireField:
    """One field: its paths in the JSON, its bare type, and the meaning of its absence (if allowed)."""

    name: str
    type: object
    paths: tuple[tuple[str, ...], ...]
    absent: DefaultWhenMissing | None


def wire_fields(cls: type) -> tuple[WireField, ...]:
    """Return the fields of an API type, in order."""
    return _wire_fields(cls)


@functools.cache
def _wire_fields(cls: Hashable) -> tuple[WireField, ...]:
    assert isinstance(cls, type)
    assert dataclasses.is_dataclass(cls)
    fields = dataclasses.fields(cls)
    # No module of API types postpones its annotations: they are types, and need not be looked up.
    assert not any(isinstance(field.type, str) for field in fields), cls
    return tuple(_wire_field(field.name, field.type) for field in fields)


def _wire_field(name: str, hint: object) -> WireField:
    paths: tuple[tuple[str, ...], ...] = ((name,),)
    absent: DefaultWhenMissing | None = None
    for mark in getattr(hint, "__metadata__", ()):  # the last one counts
        if isinstance(mark, Key):
            paths = mark.paths
        elif isinstance(mark, DefaultWhenMissing):
            absent = mark
    if absent is None and types.NoneType in members(bare(hint)):
        absent = _NONE
    return WireField(name=name, type=hint, paths=paths, absent=absent)


def bare(hint: object) -> object:
    """Return the type without marks and without its NewType."""
    while not isinstance(hint, type):  # most are plain types
        if hasattr(hint, "__metadata__"):
            hint = typing.get_args(hint)[0]
        elif isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        else:
            break
    return hint


def recurs(hint: object) -> bool:
    """Whether a type's texts are few, in many objects."""
    return any(isinstance(mark, Recurring) for mark in getattr(hint, "__metadata__", ()))


def members(hint: object) -> tuple[object, ...]:
    """Return the members of a union without `Unset`, which is never sent; else the type itself."""
    if not isinstance(hint, type) and typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(member for member in typing.get_args(hint) if member is not Unset)
    return (hint,)


def spellings(hint: object) -> dict[str, str]:
    """Return the other spellings of a type's values, each with the one used here."""
    marks = getattr(hint, "__metadata__", ())
    if not marks:
        return {}
    return dict(pair for mark in marks if isinstance(mark, Synonyms) for pair in mark.other)
