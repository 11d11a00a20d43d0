"""Forwarding a message: a quotation with its sender and a link, in a new draft.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tui.commands import messages
from tui.narrow import Conversation
from tui.screens.context import AccountContext
from tui.view import permalinks
from tui.view.quotations import quote
from tui.view.rows import MessageRow


async def forward(
    context: AccountContext,
    row: MessageRow,
    destination: Callable[[], Awaitable[Conversation | None]],
) -> None:
    """Ask for a conversation by `destination`, and begin a draft there that quotes the message."""
    store = context.session.store
    message = store.message(row.message_id)
    if message is None:
        return
    with context.hold_type_ahead("fetching the message"):
        markdown = await messages.source(context.session.sync, row.message_id)
    link = permalinks.in_text(store, message)
    place = await destination()
    if place is None:
        return
    context.go(place)
    context.composing.write_to(place)
    context.composing.insert(quote(row, markdown, link))
    context.composing.focus()
