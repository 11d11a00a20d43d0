"""How much SQLite may do at once on the event loop, counted in steps of its virtual machine. Knows no table.

Steps are the same on every machine, busy or not: what is too much for the loop is so everywhere.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import apsw

STEPS: Final = 100_000
"""That a read may take on the loop: 5 to 10 ms. A page of 100 messages takes 13,000 to 35,000."""
_AT_ONCE: Final = 1_000  # between two looks at how many are left


class StepLimit:
    """The limit of one connection, off until it is asked for."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._left: int | None = None  # None: any number
        connection.set_progress_handler(self._is_over, _AT_ONCE)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Statements within raise `apsw.InterruptError` when they took more than STEPS together."""
        self._left = STEPS
        try:
            yield
        finally:
            self._left = None

    def _is_over(self) -> bool:
        """Asked by SQLite again and again; whether to stop."""
        if self._left is None:
            return False
        self._left -= _AT_ONCE
        return self._left < 0
