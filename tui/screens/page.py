"""A page: things in lines that follow what is known, and what can be done with each, in a listing.

What each page shows and does, its own module says. Draws nothing itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from tui.screens.dialogs.actions import Act
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.dialogs.question import Question

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen
    from tui.store import Changes, Store
    from tui.sync.machine import Sync

ORDERING: Final = (
    Act(key="shift+up", label="up", act="up", repeats=True),
    Act(key="shift+down", label="down", act="down", repeats=True),
)
"""Acts of pages whose things people put in order."""
STEPS: Final = {"up": -1, "down": 1}
"""How many lines each of them moves a thing."""


def acts_in_order(key: Hashable | None) -> list[Act]:
    """What is done with things that are made, changed, put in order and deleted."""
    new = Act(key="n", label="new", act="new")
    if key is None:
        return [new]
    change = Act(key="enter", label="change", act="change")
    return [change, *ORDERING, Act(key="d", label="delete", act="delete"), new]


class Page(ABC):
    """A page while it is open. Keys mean the same on all: n is a new one, e edits, d takes away."""

    title: str
    nothing: str
    """What the page says where there is nothing to show."""
    asked: str = ""
    """The part of `Changes` after which the server has to be asked anew; "" if none."""

    def __init__(self, screen: AccountScreen) -> None:
        self.screen = screen

    @property
    def store(self) -> Store:
        """What is known."""
        return self.screen.session.store

    @property
    def sync(self) -> Sync:
        """What commands are given."""
        return self.screen.session.sync

    @abstractmethod
    def rows(self) -> Sequence[ListingRow]:
        """What there is, from what is known now."""

    @abstractmethod
    def acts(self, key: Hashable | None) -> Sequence[Act]:
        """What the person may do with the line of that key, or with none."""

    @abstractmethod
    async def do(self, act: str, key: Hashable | None) -> bool | None:
        """Do it; True where that leads away from the page. A TuiError is shown on it."""

    async def load(self) -> None:
        """Ask the server for what `rows` shows and no event tells of. Raises ApiError."""
        return

    def asks_after(self, changes: Changes) -> bool:
        """Whether the server has to be asked anew."""
        return self.asked in changes.parts

    def follows(self, changes: Changes) -> bool:
        """Whether the lines may be others now; messages come all the time, and are in few pages."""
        about = changes.users, changes.people, changes.groups, changes.channels, changes.parts
        return changes.replaced or any(about)

    async def show(self) -> None:
        """Until Esc, or until something on it led away."""
        listing = Listing(
            self.title,
            rows=self.rows,
            acts=self.acts,
            do=self.do,
            load=self.load,
            nothing=self.nothing,
        )

        def follow(changes: Changes) -> None:
            if self.asks_after(changes):
                listing.load()
            elif self.follows(changes):
                listing.show_rows()

        self.screen.followers.append(follow)
        try:
            await self.screen.app.push_screen_wait(listing)
        finally:
            self.screen.followers.remove(follow)

    async def confirms(self, title: str, words: str, *, yes: str) -> bool:
        """Ask before something is taken away; whether the person wants that."""
        answer: bool | None = await self.screen.app.push_screen_wait(
            Question(title, words, yes=yes)
        )
        return bool(answer)
