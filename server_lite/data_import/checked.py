"""Rows of strangers, checked against the type they should be. No I/O."""

from typing import Final, TypeVar, cast

import orjson
from pydantic import TypeAdapter, ValidationError

from server_lite.api.decoding import complaint
from server_lite.errors import StartError

Row = TypeVar("Row")


def checked(kind: type[Row], row: object, where: str) -> Row:
    """The row as its type; raises StartError that says what is wrong with it."""
    try:
        return cast(Row, _adapter(kind).validate_json(orjson.dumps(row), strict=True))
    except ValidationError as error:
        raise StartError(f"{where} is not valid: {complaint('it', error)}.") from error
    except TypeError as error:  # a number that nothing holds, half a character
        raise StartError(f"{where} has an invalid value.") from error


_ADAPTERS: Final[dict[type[object], TypeAdapter[object]]] = {}


def _adapter(kind: type[object]) -> TypeAdapter[object]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
