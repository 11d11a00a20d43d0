"""What one is writing as the others will see it: drawn by the server, before it is sent. Sends nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.api.routes import messages as routes
from tui.content.parse import parse
from tui.screens.dialogs.card import Card, Section
from tui.view.cards import CardPart, Said

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show_preview(screen: AccountScreen) -> None:
    """A card with the message as it would be; Esc goes on writing."""
    text = screen.composer.text
    if not text.strip():
        screen.tell("There is nothing to show yet: write something first.")
        return

    async def load() -> Sequence[CardPart]:
        html = await routes.render(screen.session.sync.connection, content=text)
        return [Said(parse(html, is_me_message=False))]

    card = Card(
        "As it will look",
        [Section(name="Preview", load=load)],
        reader=screen.messages.reader,
    )
    await screen.app.push_screen_wait(card)
    screen.composer.focus()
