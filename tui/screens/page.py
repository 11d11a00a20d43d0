"""A page: a list of items that follows the store, with actions on each.

Contents and actions are in each page's own module. Draws nothing itself.
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
    """Return the actions that move an item in its order; `move` is given how many lines down."""
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
    """Return the actions on an item that people create, change, order and delete."""
    return [
        DialogAction(key="enter", label="change", run=change),
        *move_actions(move),
        DialogAction(key="d", label="delete", run=delete),
    ]


class Page(ABC):
    """A page while it is open. Keys mean the same on all: n creates, e edits, d deletes or removes."""

    title: str
    nothing: str
    """Shown while the page is empty."""
    asked: str = ""
    """The part of `Changes` after which the server has to be asked again; "" if none."""

    def __init__(self, context: AccountContext) -> None:
        self.context = context

    @property
    def store(self) -> Store:
        """The account's store."""
        return self.context.session.store

    @property
    def sync(self) -> Sync:
        """The sync machine, for commands."""
        return self.context.session.sync

    @abstractmethod
    def rows(self) -> Sequence[ListingRow]:
        """Return the rows from the current state of the store."""

    @abstractmethod
    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        """Return the user's actions on the row of that key, or on none; a TuiError is shown on the page."""

    async def load(self) -> None:
        """Fetch the data of `rows` that has no events. Raises ApiError."""
        return

    def asks_after(self, changes: Changes) -> bool:
        """Whether the server has to be asked again."""
        return self.asked in changes.parts

    def follows(self, changes: Changes) -> bool:
        """Whether the rows may have changed; messages arrive all the time, and are on few pages."""
        about = changes.users, changes.people, changes.groups, changes.channels, changes.parts
        return changes.replaced or any(about)

    async def show(self) -> bool:
        """Show the page until Esc, or until an action leads to another place; return whether one did."""
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
            is_left: bool | None = await self.context.ask(listing)
            return bool(is_left)
        finally:
            self.context.followers.remove(follow)

    async def confirms(self, title: str, text: str, *, yes: str) -> bool:
        """Ask before something is deleted; return whether the user agreed."""
        answer: bool | None = await self.context.ask(Question(title, text, yes=yes))
        return bool(answer)
