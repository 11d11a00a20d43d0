"""The page of alert words: the person is told of a message that has one, as of a mention."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.commands import alert_words as commands
from tui.content.sanitize import sanitize_line
from tui.screens.dialogs.actions import Act
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

    def acts(self, key: Hashable | None) -> Sequence[Act]:
        new = Act(key="n", label="new", act="add")
        return [Act(key="d", label="remove", act="remove"), new] if key else [new]

    async def do(self, act: str, key: Hashable | None) -> None:
        sync = self.sync
        if act == "remove":
            await commands.remove(sync, str(key))
            return

        async def submit(answers: Answers) -> None:
            await commands.add(sync, answers.text("word"))

        field = TextField(name="word", label="Alert words", longest=LONGEST)
        await self.screen.app.push_screen_wait(
            Form("New alert words", [field], submit=submit, yes="Add")
        )
