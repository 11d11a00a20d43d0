"""Links within the chat: opens their target, also after the message was moved. Draws nothing itself."""

from __future__ import annotations

from tui.commands import messages
from tui.errors import NO_VERDICT, ApiRefused
from tui.narrow import DmNarrow, TopicNarrow
from tui.narrow.permalink import Link
from tui.screens.context import AccountContext

GONE = "That message was deleted or is not visible to you."


async def follow(context: AccountContext, link: Link) -> None:
    """Open the target of a link, in the conversation that has its message now."""
    place = link.narrow
    message_id = link.near or link.with_id
    if message_id is None or not isinstance(place, TopicNarrow | DmNarrow):
        context.go(place, link.near)
        return
    near = link.near
    try:
        place = await messages.place(context.session.sync, message_id)
    except NO_VERDICT:
        pass  # the link's own narrow is the best there is
    except ApiRefused:
        context.toast(GONE)
        near = None
    context.go(place, near)
