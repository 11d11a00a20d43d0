"""Encodes parameters as form fields: scalars as plain text, structures as JSON text. No I/O."""

import json
from collections.abc import Mapping

from tui.api.encode import encode
from tui.api.wire import UNSET, Unset

NULL = "null"
"""The text of a parameter that is sent as null."""


def form(parameters: Mapping[str, object]) -> dict[str, str]:
    """Return the fields to send. None and `UNSET` are left out: see `nullable` for sending null."""
    return {
        name: _text(value)
        for name, value in parameters.items()
        if value is not None and value is not UNSET
    }


def nullable(value: object) -> object:
    """Prepare a parameter where null has a meaning: None is sent, `UNSET` is not."""
    return NULL if value is None else value


def as_json(value: object | Unset) -> str | None:
    """Encode a parameter that is JSON even for a scalar: texts in quotation marks."""
    return None if value is None or value is UNSET else json.dumps(encode(value))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(encode(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
