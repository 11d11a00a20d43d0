"""The page of alert words: the person is told of a message that has one, as of a mention."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tui.commands import alert_words as commands
from tui.content.sanitize import sanitize_line
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

LONGEST = 100
"""Characters of a word, on every server."""


async def show(screen: AccountScreen) -> None:
    """All of them; one more, one less."""
    await AlertWords(screen).show()


class AlertWords(Page):
    """What the server said last."""

    title = "Alert words"
    nothing = "No alert words. Messages that contain one notify you like mentions."
    asked = "alert_words"

    def __init__(self, screen: AccountScreen) -> None:
        super().__init__(screen)
        self._words: tuple[str, ...] = screen.session.store.alert_words

    async def load(self) -> None:
        self._words = await commands.fetch(self.sync)

    def rows(self) -> Sequence[ListingRow]:
        words = sorted(self._words, key=str.casefold)
        return [ListingRow(key=word, label=sanitize_line(word)) for word in words]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        new = DialogAction(key="n", label="new", run=self._add)
        if not isinstance(key, str):
            return [new]
        remove = partial(commands.remove, self.sync, key)
        return [DialogAction(key="d", label="remove", run=remove), new]

    async def _add(self) -> None:
        sync = self.sync

        async def submit(answers: Answers) -> None:
            await commands.add(sync, answers.text("word"))

        field = TextField(name="word", label="Alert words", longest=LONGEST)
        await self.screen.app.push_screen_wait(
            Form("New alert words", [field], submit=submit, yes="Add")
        )
