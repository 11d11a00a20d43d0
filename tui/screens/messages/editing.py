"""Editing a message in the composer. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Callable

from tui.api.model import MessageId
from tui.commands import messages
from tui.screens.context import AccountContext


async def edit_message(
    context: AccountContext, message_id: MessageId, *, back: Callable[[], object] | None = None
) -> None:
    """Edit a message, from its current text or the user's unfinished edit.

    `back` is called once the edit is saved, to return the focus to where it began.
    """
    with context.hold_type_ahead("fetching the message"):
        markdown = await messages.source(context.session.sync, message_id)
    context.composing.begin_edit(message_id, markdown, back=back)
    context.composing.focus()
