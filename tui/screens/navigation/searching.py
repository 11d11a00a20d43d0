"""Searches: asked for, remembered for the session, opened. Draws nothing itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tui.api.model import MessageId
from tui.narrow import AllMessages, Narrow, narrow_of, parse, resolve
from tui.screens.dialogs.search import SearchPrompt
from tui.view import names, searches

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

MOST: Final = 5
"""Earlier searches offered."""


class Searching:
    """What was searched for, and the way to it."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen
        self._earlier: list[str] = []

    async def ask(self) -> None:
        """Ask what to search for, and show what is found."""
        store = self._screen.session.store
        prompt = SearchPrompt(
            partial(searches.proposals, store),
            partial(searches.trouble, store),
            earlier=[*self._earlier[:MOST], *self._here()],
        )
        words = await self._screen.app.push_screen_wait(prompt)
        if words and words.strip():
            self._earlier = [words, *(each for each in self._earlier if each != words)]
            self._screen.go(*self.place_of(words))

    def place_of(self, words: str) -> tuple[Narrow, MessageId | None]:
        """What the search language means, and the message to begin at. Raises BadNarrow."""
        store = self._screen.session.store
        terms = resolve(parse(words), store)
        near = next((t.operand for t in terms if t.operator == "near"), None)
        others = [term for term in terms if term.operator != "near"]
        narrow = narrow_of(others, store.self_id) if others else AllMessages()
        return narrow, MessageId(near) if isinstance(near, int) else None

    def _here(self) -> list[str]:
        """The terms of what is open, to search within it."""
        narrow = self._screen.open_narrow.narrow
        if narrow is None or isinstance(narrow, AllMessages):
            return []
        store = self._screen.session.store
        return [f"{names.search(store, narrow.terms())} "]
