"""Waits before a command repeats a request. Sends nothing itself."""

from typing import Final

from tui.errors import ApiError

ATTEMPTS: Final = 4
LONGEST_PAUSE: Final = 60.0
"""In seconds; if a server asks for a longer one, its error is raised instead."""


def pause(error: ApiError, attempt: int) -> float | None:
    """Return the seconds before the next attempt; `attempt` counts from 1; None: no further one."""
    seconds_asked = getattr(error, "retry_after", None)
    seconds = float(seconds_asked) if seconds_asked else 0.5 * 2.0**attempt
    return None if attempt >= ATTEMPTS or seconds > LONGEST_PAUSE else seconds
