"""A page: things in lines that follow what is known, and what can be done with each, in a listing.

What each page shows and does, its own module says. Draws nothing itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial

from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListDialog, ListingRow
from tui.screens.dialogs.question import Question
from tui.store import Changes, Store
from tui.sync.machine import Sync


def move_actions(move: Callable[[int], Awaitable[None]]) -> list[DialogAction]:
    """To put a thing elsewhere in its order; `move` is given how many lines down."""
    return [
        DialogAction(key="shift+up", label="up", run=partial(move, -1), repeats=True),
        DialogAction(key="shift+down", label="down", run=partial(move, 1), repeats=True),
    ]


def ordered_item_actions(
    *,
    change: Callable[[], Awaitable[None]],
    move: Callable[[int], Awaitable[None]],
    delete: Callable[[], Awaitable[None]],
) -> list[DialogAction]:
    """What is done with a thing that people make, change, put in order and delete."""
    return [
        DialogAction(key="enter", label="change", run=change),
        *move_actions(move),
        DialogAction(key="d", label="delete", run=delete),
    ]


class Page(ABC):
    """A page while it is open. Keys mean the same on all: n is a new one, e edits, d takes away."""

    title: str
    nothing: str
    """What the page says where there is nothing to show."""
    asked: str = ""
    """The part of `Changes` after which the server has to be asked anew; "" if none."""

    def __init__(self, context: AccountContext) -> None:
        self.context = context

    @property
    def store(self) -> Store:
        """What is known."""
        return self.context.session.store

    @property
    def sync(self) -> Sync:
        """What commands are given."""
        return self.context.session.sync

    @abstractmethod
    def rows(self) -> Sequence[ListingRow]:
        """What there is, from what is known now."""

    @abstractmethod
    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        """What the person may do with the line of that key, or with none; a TuiError is shown on the page."""

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
        listing = ListDialog(
            self.title,
            rows=self.rows,
            actions=self.actions,
            load=self.load,
            nothing=self.nothing,
        )

        def follow(changes: Changes) -> None:
            if self.asks_after(changes):
                listing.load()
            elif self.follows(changes):
                listing.show_rows()

        self.context.followers.append(follow)
        try:
            await self.context.ask(listing)
        finally:
            self.context.followers.remove(follow)

    async def confirms(self, title: str, text: str, *, yes: str) -> bool:
        """Ask before something is taken away; whether the person wants that."""
        answer: bool | None = await self.context.ask(Question(title, text, yes=yes))
        return bool(answer)
