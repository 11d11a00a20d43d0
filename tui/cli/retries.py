"""How long a command waits before it asks again. Asks nothing itself."""

from typing import Final

from tui.errors import ApiError

ATTEMPTS: Final = 4
LONGEST_PAUSE: Final = 60.0
"""Seconds; a server that asks for more is told to the caller instead."""


def pause(error: ApiError, attempt: int) -> float | None:
    """Seconds before the next attempt, counted from 1; None: no further one."""
    seconds_asked = getattr(error, "retry_after", None)
    seconds = float(seconds_asked) if seconds_asked else 0.5 * 2.0**attempt
    return None if attempt >= ATTEMPTS or seconds > LONGEST_PAUSE else seconds
