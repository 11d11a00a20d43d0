"""Limits SQLite's work on the event loop, counted in steps of its virtual machine. Knows no table.

Steps are the same on every machine, busy or not: a limit exceeded on one is exceeded on all.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import apsw

D = TypeVar("D")
T = TypeVar("T")

STEPS: Final = 100_000
"""Maximum steps of a read on the loop: 5 to 10 ms. A page of 100 messages takes 13,000 to 35,000."""
_AT_ONCE: Final = 1_000  # steps between two checks


class StepLimit:
    """The step limit of one connection, off by default."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._left: int | None = None  # None: unlimited
        connection.set_progress_handler(self._is_over, _AT_ONCE)

    def limit(self, fn: Callable[[D], T], db: D) -> T:
        """Return `fn(db)`; its statements raise `apsw.InterruptError` when they exceed STEPS in total.

        The end of a transaction must not be in `fn`. SQLite counts the steps of a statement over all its runs: each
        few hundredth COMMIT would be stopped, and the transaction stay open.
        """
        self._left = STEPS
        try:
            return fn(db)
        finally:
            self._left = None

    def count(self, steps: int) -> None:
        """Count what is yet to be done with what was read; raises `apsw.InterruptError` like a statement."""
        if self._left is not None:
            self._left -= steps
            if self._left < 0:
                raise apsw.InterruptError

    def _is_over(self) -> bool:
        """Called regularly by SQLite; returns whether to stop."""
        if self._left is None:
            return False
        self._left -= _AT_ONCE
        return self._left < 0
