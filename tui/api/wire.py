"""Marks on API types: a field's place in the JSON, and the meaning of its absence. Pure."""

import enum
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from tui.dataclass import dataclass


class Unset(enum.Enum):
    """The type of `UNSET`, which differs from null: "this field was not sent"."""

    UNSET = enum.auto()


UNSET = Unset.UNSET


@dataclass(frozen=True, slots=True)
class DefaultWhenMissing:
    """The meaning of a missing key, often from an older server.

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


@dataclass(frozen=True, slots=True)
class Recurring:
    """Thousands of objects have the same few texts in this field: equal ones are decoded to one object."""


ApiNarrow: TypeAlias = Sequence[Mapping[str, object]]
"""A narrow for the API: terms `{"operator", "operand", "negated"}`, all to hold."""


@lru_cache(256)
def shared(texts: frozenset[str]) -> frozenset[str]:
    """One object for equal sets: thousands of messages have the same flags."""
    return texts
