"""Validates untrusted rows against their types. No I/O."""

from typing import Final, TypeVar, cast

import orjson
from pydantic import TypeAdapter, ValidationError

from server_lite.api.decoding import complaint
from server_lite.errors import StartError

Row = TypeVar("Row")


def checked(kind: type[Row], row: object, where: str) -> Row:
    """Return the row as its type; raises StartError that describes the error."""
    try:
        return cast(Row, _adapter(kind).validate_json(orjson.dumps(row), strict=True))
    except ValidationError as error:
        raise StartError(f"{where} is not valid: {complaint('it', error)}.") from error
    except TypeError as error:  # a number out of range, a lone surrogate
        raise StartError(f"{where} has an invalid value.") from error


_ADAPTERS: Final[dict[type[object], TypeAdapter[object]]] = {}


def _adapter(kind: type[object]) -> TypeAdapter[object]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
