"""The page of alert words, which notify the user of messages like a mention. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.routes import alert_words as routes
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page

LONGEST = 100
"""Longest word on every server, in characters."""


async def show(context: AccountContext) -> None:
    """Show the alert words, to add and remove."""
    await AlertWords(context).show()


class AlertWords(Page):
    """The alert words, as fetched last."""

    title = "Alert words"
    nothing = "No alert words. Messages that contain one notify you like mentions."
    asked = "alert_words"

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._words: tuple[str, ...] = context.session.store.alert_words

    async def load(self) -> None:
        self._words = await routes.fetch(self.sync.connection)

    def rows(self) -> Sequence[ListingRow]:
        words = sorted(self._words, key=str.casefold)
        return [ListingRow(key=word, label=sanitize_line(word)) for word in words]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        new = DialogAction(key="n", label="new", run=self._add)
        if not isinstance(key, str):
            return [new]
        return [DialogAction(key="d", label="remove", run=partial(self._remove, key)), new]

    async def _remove(self, word: str) -> None:
        await routes.remove(self.sync.connection, words=[word])

    async def _add(self) -> None:
        connection = self.sync.connection

        async def submit(answers: Answers) -> None:
            word = answers.text("word").strip()
            known = {each.casefold(): each for each in self._words}
            if word.casefold() in known:  # the server would add nothing, and say nothing
                raise ConfigError(f"“{known[word.casefold()]}” is an alert word already.")
            await routes.add(connection, words=[word])

        field = TextField(name="word", label="Alert word", longest=LONGEST)
        await self.context.ask(Form("New alert word", [field], submit=submit, yes="Add"))
