"""Marks on wire types: where a field stands in the JSON, and what its absence means. Pure."""

import enum
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from tui.dataclass import dataclass


class Unset(enum.Enum):
    """The type of `UNSET`, which is said apart from null: "this field was not sent"."""

    UNSET = enum.auto()


UNSET = Unset.UNSET


@dataclass(frozen=True, slots=True)
class DefaultWhenMissing:
    """The value that a server means which does not send the key, often because it is older.

    A field whose type includes None needs no mark: absent is None there.
    """

    value: object


@dataclass(frozen=True, slots=True, init=False)
class Key:
    """The field's place in the JSON if it is not its name; dots descend, the first found wins."""

    paths: tuple[tuple[str, ...], ...]

    def __init__(self, *dotted: str) -> None:
        object.__setattr__(self, "paths", tuple(tuple(path.split(".")) for path in dotted))


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Other spellings of the field's values that servers use, each with the one used here."""

    other: tuple[tuple[str, str], ...]


ApiNarrow: TypeAlias = Sequence[Mapping[str, object]]
"""A narrow as the wire wants it: terms `{"operator", "operand", "negated"}`, all to hold."""


@lru_cache(256)
def shared(texts: frozenset[str]) -> frozenset[str]:
    """One object for equal sets: thousands of messages have the same flags."""
    return texts
