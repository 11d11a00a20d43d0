"""Parameters as form fields: scalars as plain text, structures as JSON text. No I/O."""

import json
from collections.abc import Mapping

from tui.api.encode import encode
from tui.api.wire import UNSET, Unset

NULL = "null"
"""How a parameter is sent that is to become null."""


def form(parameters: Mapping[str, object]) -> dict[str, str]:
    """The fields to send. None and `UNSET` are left out: see `nullable` for a null to be sent."""
    return {
        name: _text(value)
        for name, value in parameters.items()
        if value is not None and value is not UNSET
    }


def nullable(value: object) -> object:
    """For a parameter where null means something: None is sent, `UNSET` is not."""
    return NULL if value is None else value


def as_json(value: object | Unset) -> str | None:
    """For a parameter that is JSON even where it is a scalar: texts in quotation marks."""
    return None if value is None or value is UNSET else json.dumps(encode(value))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(encode(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
