"""Editing a message in the composer. Draws nothing itself."""

from __future__ import annotations

from tui.api.model import MessageId
from tui.commands import messages
from tui.screens.context import AccountContext


async def edit_message(context: AccountContext, message_id: MessageId) -> None:
    """Edit a message, from its current text or the user's unfinished edit."""
    with context.hold_type_ahead("fetching the message"):
        markdown = await messages.source(context.session.sync, message_id)
    context.composing.begin_edit(message_id, markdown)
    context.composing.focus()
