"""Parses JSON that other users wrote, such as actions on widgets. Pure; never raises."""

import math

MAX_CONTAINERS = 100_000
"""Lists and objects in one text, which may be as long as an answer: each takes 25 times its bytes."""


def parsed(text: str | bytes) -> object:
    """Return the value; None for invalid JSON, deep nesting, too many lists, a number too large, NaN."""
    import json  # no start waits for it

    try:
        text = text if isinstance(text, str) else text.decode().removeprefix("\ufeff")
        if text.count("[") + text.count("{") > MAX_CONTAINERS:
            return None
        return json.loads(text, parse_float=_finite, parse_constant=_refused)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):  # int() of it raises OverflowError, which callers do not expect
        raise ValueError("the number is too large")
    return value


def _refused(name: str) -> float:
    raise ValueError(name)


def whole(text: object) -> int | None:
    """Return an ID or an order given as a number or string; None for anything else."""
    if isinstance(text, int) and not isinstance(text, bool):
        return text if abs(text) < 2**63 else None
    if isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) <= 18:
        return int(text)
    return None
