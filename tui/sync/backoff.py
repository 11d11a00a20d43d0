"""Delays before the next attempt: longer each time, and different for each client. Pure."""

from tui.dataclass import dataclass

FIRST_SECONDS = 0.5
MOST_SECONDS = 45.0
BY_KEY_SECONDS = 2.0
"""Seconds between attempts that a key begins."""


@dataclass(slots=True)
class Backoff:
    """Counts failed attempts in a row; `next_delay` adds one."""

    attempts: int = 0

    def next_delay(self, chance: float, *, at_least: float = 0.0) -> float:
        """Return the seconds to wait, between half and all of a limit that doubles; `chance` is in [0, 1).

        The spread keeps the clients of a server that restarts from coming back all at once. `at_least` is the
        wait that the server asked for, and wins.
        """
        limit = min(MOST_SECONDS, FIRST_SECONDS * 2.0 ** min(self.attempts, 16))
        self.attempts += 1
        return max(at_least, limit / 2 + chance * limit / 2)

    def reset(self) -> None:
        """Start over after an attempt that succeeded."""
        self.attempts = 0


@dataclass(slots=True)
class HeldKey:
    """When a key begins an attempt, which ends the one before: held down, it would let none come to its end."""

    _due: float = float("-inf")

    def begins(self, now: float) -> bool:
        """Whether a key that is pressed now begins one; `now` is in seconds of a monotonic clock."""
        if now < self._due:
            return False
        self._due = now + BY_KEY_SECONDS
        return True
