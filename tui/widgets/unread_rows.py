"""Sums over the rows of a sidebar, brought up to date where rows changed: there are hundreds. No Textual."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import is_not
from typing import NamedTuple

from tui.view.sidebar_rows import SidebarRow


class UnreadSum(NamedTuple):
    """Unread messages of some rows."""

    messages: int
    mentions: int
    """Mentions and direct messages among them."""


class UnreadRows:
    """Which rows are unread, and which one is open."""

    def __init__(self) -> None:
        self._rows: Sequence[SidebarRow] = ()
        self._counts: list[int] = []
        self._mentions: list[int] = []
        self._open: list[bool] = []

    def follow(self, rows: Sequence[SidebarRow]) -> None:
        """Take the next state of the rows; those that are the same objects are not looked at."""
        changed: Iterable[int]
        before = self._rows
        if len(rows) == len(before):
            changed = compress(count(), map(is_not, rows, before))
        else:
            size = len(rows)
            self._counts, self._mentions, self._open = [0] * size, [0] * size, [False] * size
            changed = range(size)
        for at in changed:
            row = rows[at]
            is_unread = row.is_unread
            self._counts[at] = row.count if is_unread else 0
            self._mentions[at] = row.mentions if is_unread else 0
            self._open[at] = row.is_open
        self._rows = rows

    @property
    def opened(self) -> int | None:
        """The index of the open row; None if none is."""
        return self._open.index(True) if True in self._open else None

    def sum(self, begin: int = 0, end: int | None = None) -> UnreadSum:
        """Add up the unread rows of a part, all by default."""
        return UnreadSum(sum(self._counts[begin:end]), sum(self._mentions[begin:end]))
