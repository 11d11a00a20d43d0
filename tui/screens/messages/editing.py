"""Changing a message in the composer. Draws nothing itself."""

from __future__ import annotations

from tui.api.model import MessageId
from tui.commands import messages
from tui.screens.context import AccountContext


async def edit_message(context: AccountContext, message_id: MessageId) -> None:
    """Change a message, from what it says now, or from where one left off."""
    with context.hold_type_ahead("fetching the message"):
        markdown = await messages.source(context.session.sync, message_id)
    context.composing.begin_edit(message_id, markdown)
    context.composing.focus()
