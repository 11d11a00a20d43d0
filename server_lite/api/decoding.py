"""Decodes the text of one parameter to a value of its type, strictly, or raises an error that names it. Pure.

Scalars have a grammar of their own, narrower than pydantic's; everything else is JSON that pydantic's core checks.
"""

import re
import types
from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import attrgetter
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NewType,
    Union,
    get_args,
    get_origin,
)

from server_lite.dataclass import dataclass
from server_lite.errors import ApiError, BadParameter
from server_lite.validation import ValidationError, from_json, validator

if TYPE_CHECKING:  # a type that only annotations name
    from pydantic_core import ErrorDetails

INT64: Final = 2**63

UNSET: Final[Any] = object()
"""Default for parameters not sent, where null has a meaning."""

ITEMS: Final = 1000
"""Maximum of items in a list or object without `MaxItems`, at any depth."""
LENGTH: Final = 20_000
"""Maximum of characters in text without `MaxLength`, also inside a structure."""
WHOLE: Final = 20
"""A structure contains at most this many times its `MaxItems` values in total, or `MOST` if those are more."""
MOST: Final = WHOLE * ITEMS
"""Values in a structure, unless its `MaxItems` alone are more: those of a hundred thousand take 40 ms to read."""


@dataclass(frozen=True, slots=True)
class MaxLength:
    """Maximum length of text in characters; longer text is refused. The default is `LENGTH`."""

    limit: int


@dataclass(frozen=True, slots=True)
class MaxItems:
    """Maximum of items in a list; checked before any item is processed. The default is `ITEMS`."""

    limit: int


@dataclass(frozen=True, slots=True)
class NotBlank:
    """Refuses text that is only white space."""


@dataclass(frozen=True, slots=True)
class BareOrJson:
    """Accepts both bare text and JSON: text that is not JSON is used as it is."""


LongText = Annotated[str, MaxLength(2**20)]
"""Text that is truncated instead of refused, as on a full server: contents and topics of messages."""
OptionalLongText = Annotated[str | None, MaxLength(2**20)]


def decoder(hint: object, notes: tuple[object, ...]) -> Callable[[str, str], object]:
    """Return the function that decodes a parameter's name and text; it raises BadParameter."""
    loose = any(isinstance(note, BareOrJson) for note in notes)
    kinds = [_plain(kind) for kind in _options(hint)]
    if not loose and set(kinds) <= {str, types.NoneType}:
        return _text(notes, nullable=types.NoneType in kinds)
    if set(kinds) <= {int, types.NoneType}:
        return _int_or_null if types.NoneType in kinds else _int
    if set(kinds) <= {bool, types.NoneType}:
        return _bool_or_null if types.NoneType in kinds else _bool
    choices = [kind for kind in kinds if kind is not types.NoneType]
    if len(choices) == 1 and get_origin(choices[0]) is Literal:
        return _choice(get_args(choices[0]), nullable=len(choices) < len(kinds))
    return _json(hint, notes, loose=loose)


def _options(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _plain(hint: object) -> Any:
    return hint.__supertype__ if isinstance(hint, NewType) else hint


def _text(notes: tuple[object, ...], *, nullable: bool) -> Callable[[str, str], str | None]:
    limit = _limit(notes, MaxLength, LENGTH)
    blank = not any(isinstance(note, NotBlank) for note in notes)

    def decode(name: str, text: str) -> str | None:
        if nullable and text == "null":
            return None
        if "\0" in text:
            what = "Message" if name == "content" else name
            raise BadParameter(f"{what} must not contain null bytes")
        if not blank and not text.strip():
            raise BadParameter(f"{name} cannot be blank")
        return text if len(text) <= limit else _short(name, text, limit)

    return decode


def _limit(notes: tuple[object, ...], kind: type[MaxLength] | type[MaxItems], default: int) -> int:
    return next((note.limit for note in notes if isinstance(note, kind)), default)


def _short(name: str, text: str, limit: int) -> str:
    if len(text) > limit:
        raise BadParameter(f"{name} is too long (limit: {limit} characters)")
    return text


_DECIMAL: Final = re.compile(r"-?[0-9]{1,19}", re.ASCII)


def _int(name: str, text: str) -> int:
    if not _DECIMAL.fullmatch(text) or not -INT64 <= (number := int(text)) < INT64:
        raise BadParameter(f"{name} is not an integer")
    return number


def _int_or_null(name: str, text: str) -> int | None:
    return None if text == "null" else _int(name, text)


def _bool(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise BadParameter(f"{name} is not a boolean")
    return text == "true"


def _bool_or_null(name: str, text: str) -> bool | None:
    return None if text == "null" else _bool(name, text)


def _choice(values: tuple[object, ...], *, nullable: bool) -> Callable[[str, str], object]:
    by_text: dict[str, object] = {str(value): value for value in values}
    if nullable:
        by_text["null"] = None

    def decode(name: str, text: str) -> object:
        # Some clients send every string as JSON, with quotes.
        bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
        if bare not in by_text:
            raise BadParameter(f"Invalid {name}")
        return by_text[bare]

    return decode


def _json(hint: object, notes: tuple[object, ...], *, loose: bool) -> Callable[[str, str], object]:
    items, length = _limit(notes, MaxItems, ITEMS), _limit(notes, MaxLength, LENGTH)

    def decode(name: str, text: str) -> object:
        _check_items(name, text, items)
        try:
            return _storable(name, validator(hint).validate_json(text, strict=True), items, length)
        except ValidationError as error:
            if error.errors(include_url=False)[0]["type"] != "json_invalid":
                raise BadParameter(complaint(name, error)) from error
        if not loose:
            raise BadParameter(f"{name} is not valid JSON")
        try:
            return validator(hint).validate_python(_short(name, text, length), strict=True)
        except ValidationError as error:
            raise BadParameter(complaint(name, error)) from error

    return decode


_NESTED: Final = frozenset((list, dict))
_STRING: Final = re.compile(r'"(?:[^"\\]+|\\.)*+"?', re.DOTALL)


def _check_items(name: str, text: str, items: int) -> None:
    """Refuse JSON with too many items before its types are checked: pydantic describes each that is wrong.

    A megabyte of them would take it seconds. Text that cannot have as many is not parsed for this.
    """
    if _most_values(text) <= items:
        return
    room = _room(items)
    # Each value has at most a name and a text: further ones are not looked for.
    strings = 2 * room + 2
    outside = _STRING.split(text, strings)
    values = _most_values("".join(outside))
    if values > room or len(outside) > strings:
        raise _too_many(name, items)
    if values <= items:
        return
    try:
        waiting = [from_json(text)]
    except ValueError:
        return  # refused as no JSON
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, dict)):
            room -= len(one)
            if len(one) > items or room < 0:
                raise _too_many(name, items)
            inner = one.values() if isinstance(one, dict) else one
            waiting += [each for each in inner if type(each) in _NESTED]


def _room(items: int) -> int:
    """Return how many values a structure with at most so many items may have in total."""
    return max(items, min(WHOLE * items, MOST))


def _most_values(text: str) -> int:
    """Return how many values the JSON has at most, besides itself."""
    return text.count(",") + text.count("[") + text.count("{")


def _too_many(name: str, items: int) -> BadParameter:
    return BadParameter(f"{name} is too long (limit: {items} items)")


def _storable(name: str, value: object, items: int, length: int) -> object:
    """Return the value; raises for what no ID and no column can hold, and for sizes beyond the limits.

    Sizes are checked before contents, so that a refusal costs nothing.
    """
    waiting, room = [value], _room(items)
    while waiting:
        one = waiting.pop()
        if isinstance(one, int):
            if not -INT64 <= one < INT64:
                raise BadParameter(f"{name} holds a number that is too large")
            continue
        if isinstance(one, str):
            _short(name, one, length)
            continue
        inner = _inside(one)
        room -= len(inner)
        if len(inner) > items or room < 0:
            raise _too_many(name, items)
        if inner and isinstance(one, list) and {*map(type, one)} == {int}:
            waiting += min(one), max(one)  # of thousands of IDs, no other need be examined
        else:
            waiting += inner
    return value


def _inside(value: object) -> Collection[object]:
    if isinstance(value, dict):
        return [*value, *value.values()] if len(value) <= ITEMS else value
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    kind: Any = type(value)  # which mypy does not know to be hashable
    return _values_of(kind)(value)


@lru_cache
def _values_of(kind: Any) -> Callable[[Any], Collection[object]]:
    """Return a function that returns the values of an instance's fields: hundreds of one class are examined."""
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else []
    if not names:
        return lambda _: ()
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),)
    return attrgetter(*names)


_WHAT: Final = {
    "int_type": "an integer",
    "string_type": "a string",
    "bool_type": "a boolean",
    "list_type": "a list",
    "dict_type": "a dict",
    "float_type": "a number",
    "dataclass_type": "a dict",
    "model_type": "a dict",
    "tuple_type": "a list",
}


_UNION_TAGS: Final = frozenset({"int", "str", "bool", "float"})


def complaint(name: str, error: ValidationError) -> str:
    """Return the first error in a structure, in the words that clients know."""
    return _words(name, error.errors(include_url=False, include_input=False)[0])


def _words(name: str, detail: "ErrorDetails") -> str:
    place = name + "".join(
        f"[{step}]" if isinstance(step, int) else f'["{step}"]'
        for step in detail["loc"]
        if isinstance(step, int) or (step.isidentifier() and step not in _UNION_TAGS)
    )
    kind = detail["type"]
    if kind in _WHAT:
        return f"{place} is not {_WHAT[kind]}"
    if kind == "missing":
        return f"{place} field is missing"
    if kind == "extra_forbidden":
        return f"Argument {place} is unexpected"
    if kind in ("literal_error", "enum"):
        return f"Invalid {place}"
    message = detail["msg"].removeprefix("Value error, ")
    return f"{place}: {message}"


def check_text(text: str, what: str) -> str:
    """Refuse text that cannot be stored: null bytes and invalid Unicode."""
    if "\0" in text:
        raise ApiError(f"{what} must not contain null bytes")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ApiError(f"{what} is not valid Unicode") from error
    return text
