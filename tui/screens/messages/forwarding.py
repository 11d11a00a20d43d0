"""Passing a message on: quoted, with who said it and a link, in what one writes elsewhere.

Imported when a session is opened: the commands bring httpx with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands import messages
from tui.screens.compose.controller import quote
from tui.view import permalinks
from tui.view.rows import MessageRow

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def forward(screen: AccountScreen, row: MessageRow) -> None:
    """Ask where to, and begin to write there with the message as a quotation."""
    store = screen.session.store
    message = store.message(row.message_id)
    if message is None:
        return
    with screen.leading_on("fetching the message"):
        markdown = await messages.source(screen.session.sync, row.message_id)
    link = permalinks.in_text(store, message)
    place = await screen.ways.destination()
    if place is None:
        return
    screen.go(place)
    screen.composing.write_to(place)
    screen.composing.insert(quote(row, markdown, link))
    screen.composer.focus()
