"""Searches: the prompt, the session's history of searches, opening results. Draws nothing itself."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Final

from tui.api.model import MessageId
from tui.keys import keyboard_of
from tui.narrow import AllMessages, Narrow, narrow_of, parse, resolve, without_near
from tui.screens.context import AccountContext
from tui.screens.dialogs.search import SearchPrompt
from tui.view import names, searches

MOST: Final = 5
"""Earlier searches offered."""


class SearchController:
    """The search prompt and the earlier searches of the session."""

    def __init__(self, context: AccountContext) -> None:
        self._context = context
        self._earlier: list[str] = []

    async def ask(self) -> None:
        """Ask for a search, and show its results."""
        store = self._context.session.store
        prompt = SearchPrompt(
            partial(searches.proposals, store),
            partial(searches.trouble, store, key=keyboard_of(self._context.app).key),
            earlier=self._suggested(),
        )
        query = await self._context.ask(prompt)
        if query and query.strip():
            self._earlier = [query, *(each for each in self._earlier if each != query)]
            self._context.go(*self.place_of(query))

    def place_of(self, query: str) -> tuple[Narrow, MessageId | None]:
        """Return the narrow of a search, and the message to begin at. Raises BadNarrow."""
        store = self._context.session.store
        terms, near = without_near(resolve(parse(query), store))
        return narrow_of(terms, store.self_id), near

    def _suggested(self) -> list[str]:
        """Return the search of the open narrow, and the earlier ones."""
        here = self._here()
        earlier = (each for each in self._earlier if f"{each.strip()} " not in here)
        return [*here, *islice(earlier, MOST)]

    def _here(self) -> list[str]:
        """Return the search of the open narrow, to search within it; empty for all messages."""
        narrow = self._context.current_narrow
        if narrow is None or isinstance(narrow, AllMessages):
            return []
        store = self._context.session.store
        return [f"{names.search(store, narrow.terms())} "]
