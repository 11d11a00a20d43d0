"""Valid values of parameters, and the same with an error in one place. Knows types only."""

import dataclasses
import types
import typing
from random import Random
from typing import Annotated, Any, Final, Literal, NewType, Union, get_args, get_origin

WRONG: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 2**31, 2**63, 10**400, 1.5, "", "x", "null", "\0", "\ud800", "a\u202eb", "😀" * 300,
    [], [[]], [None], [1, "x"], {}, {"": None}, {"a": {"b": [1]}}, [[[[[[]]]]]], "x" * 30_000, [7] * 1500,
)  # fmt: skip
"""Values for other types, or of the right type and too large."""
HUGE: Final = (2**63, -(2**63) - 1, 2**64, 10**30)
"""Integers that JSON can express and no column can store."""
TEXTS: Final = (
    *map(str, HUGE), str([2**63]), '{"id": 9223372036854775808}',
    "NaN", "Infinity", "-0", "1e999", "[" * 3000, '{"a":' * 300, "{", '"', "\\ud800", '"\\ud800"', "[1,]", "0x10", "１",
    "' OR 1=1 --", "%00", "%", "../../x", "\r\nX: y", "\x1b]0;x\x07", "null", "undefined", " ", "\ufeff{}", "9" * 5000,
)  # fmt: skip
"""Texts that are invalid JSON, no number, or not what they look like."""


def value_of(hint: Any, chance: Random) -> Any:
    """Return a value that this type accepts."""
    if isinstance(hint, NewType):
        return value_of(hint.__supertype__, chance)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return value_of(inner[0], chance)
    if origin in (Union, types.UnionType):
        return value_of(chance.choice(inner), chance)
    if origin is Literal:
        return chance.choice(inner)
    if origin in (list, set, frozenset):
        return [value_of(inner[0], chance) for _ in range(chance.randrange(3))]
    if origin is tuple:
        return [value_of(one, chance) for one in inner if one is not ...]
    if origin is dict:
        return {str(value_of(inner[0], chance)): value_of(inner[1], chance)}
    if dataclasses.is_dataclass(hint) or typing.is_typeddict(hint):
        fields = typing.get_type_hints(hint, include_extras=True)
        return {name: value_of(one, chance) for name, one in fields.items()}
    return _scalar(hint, chance)


def _scalar(hint: Any, chance: Random) -> Any:
    if hint is bool:
        return chance.random() < 0.5
    if hint in (int, float):
        return chance.randrange(12)
    if hint is str:
        return chance.choice(("kitchen", "tea", "add", "1", "mary@example.com", "read", "wave"))
    return None if hint is types.NoneType else chance.choice(WRONG)


def with_huge(value: Any, huge: int) -> Any:
    """Return the value with every integer replaced, at any depth and in keys."""
    if isinstance(value, dict):
        return {
            str(huge) if name.isdecimal() else name: with_huge(one, huge)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [with_huge(one, huge) for one in value]
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return huge if is_integer else value


def spoilt(value: Any, chance: Random) -> Any:
    """Return the value with an error in one place, at any depth."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(sorted(value))
        if chance.random() < 0.2:
            return {other: one for other, one in value.items() if other != name}
        return {**value, name: spoilt(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], spoilt(value[at], chance), *value[at + 1 :]]
    return chance.choice(WRONG)
