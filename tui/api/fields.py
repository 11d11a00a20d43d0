"""Reads the marks on an API type's fields: keys, absent values, spellings. Pure."""

import functools
import types
import typing
from collections.abc import Hashable
from typing import Annotated, Any

from tui.api.wire import DefaultWhenMissing, Key, Recurring, Synonyms, Unset
from tui.dataclass import dataclass, field_types

_NONE = DefaultWhenMissing(None)
_Annotated: Any = type(Annotated[int, _NONE])


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
    hints = field_types(cls)
    assert hints is not None, cls
    # No module of API types postpones its annotations: they are types, and need not be looked up.
    assert not any(isinstance(hint, str) for hint in hints.values()), cls
    return tuple(_wire_field(*named) for named in hints.items())


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
        if isinstance(hint, _Annotated):
            hint = hint.__origin__
        elif isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        else:
            break
    return hint


def recurs(hint: object) -> bool:
    """Whether a type's texts are few, in many objects."""
    marks = getattr(hint, "__metadata__", ())
    return bool(marks) and any(isinstance(mark, Recurring) for mark in marks)


def members(hint: object) -> tuple[object, ...]:
    """Return the members of a union without `Unset`, which is never sent; else the type itself."""
    if isinstance(hint, type) or not (
        isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union
    ):
        return (hint,)
    parts: tuple[object, ...] = hint.__args__  # type: ignore[attr-defined]  # both kinds of unions have it
    return tuple(part for part in parts if part is not Unset) if Unset in parts else parts


def spellings(hint: object) -> dict[str, str]:
    """Return the other spellings of a type's values, each with the one used here."""
    marks = getattr(hint, "__metadata__", ())
    if not marks:
        return {}
    return dict(pair for mark in marks if isinstance(mark, Synonyms) for pair in mark.other)
