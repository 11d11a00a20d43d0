"""The page of alert words: the person is told of a message that has one, as of a mention."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.commands import alert_words as commands
from tui.content.sanitise import sanitise_line
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.organisation.administration import show_listing

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

LONGEST = 100
"""Characters of a word, on every server."""


async def show(screen: AccountScreen) -> None:
    """All of them; one more, one less."""
    await AlertWords(screen).show()


class AlertWords:
    """The page while it is open: what the server said last is its own."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen
        self._words: tuple[str, ...] = screen.session.store.alert_words

    async def show(self) -> None:
        """Until Esc."""
        listing = Listing(
            "Alert words",
            rows=self._rows,
            acts=self._acts,
            do=self._do,
            load=self._load,
            nothing="None yet. You hear of every message that has one, as if you were mentioned.",
        )
        await show_listing(self._screen, listing, asked="alert_words")

    async def _load(self) -> None:
        self._words = await commands.fetch(self._screen.session.sync)

    def _rows(self) -> Sequence[ListingRow]:
        words = sorted(self._words, key=str.casefold)
        return [ListingRow(key=word, label=sanitise_line(word)) for word in words]

    def _acts(self, key: Hashable | None) -> Sequence[Act]:
        new = Act(key="n", label="new word", act="add")
        return [new, Act(key="x", label="removes it", act="remove")] if key else [new]

    async def _do(self, act: str, key: Hashable | None) -> None:
        sync = self._screen.session.sync
        if act == "remove":
            await commands.remove(sync, str(key))
            return

        async def submit(answers: Answers) -> None:
            await commands.add(sync, answers.text("word"))

        field = TextField(name="word", label="Word or words", longest=LONGEST)
        await self._screen.app.push_screen_wait(
            Form("A new alert word", [field], submit=submit, yes="Add")
        )
