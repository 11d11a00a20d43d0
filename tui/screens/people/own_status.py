"""The user's own status. Asks, and tells the server; draws nothing.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from tui.commands import users
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.status import OwnStatus, StatusDialog
from tui.view.emoji import Emoji


async def set_own_status(context: AccountContext) -> None:
    """Ask for a new status, beginning with the current one, and set it."""
    emoji = await context.emoji.all()
    new_status = await context.ask(StatusDialog(_now(context, emoji), emoji))
    if new_status is None:
        return
    chosen = new_status.emoji
    await users.set_own_status(
        context.session.sync,
        text=new_status.text,
        emoji_name=chosen.name if chosen else "",
        emoji_code=chosen.code if chosen else "",
        reaction_type=chosen.type if chosen else None,
    )


def _now(context: AccountContext, emoji: list[Emoji]) -> OwnStatus:
    store = context.session.store
    status = store.statuses.by_user.get(store.self_id)
    if status is None:
        return OwnStatus(text="", emoji=None)
    same = (each for each in emoji if each.name == status.emoji_name)
    return OwnStatus(text=sanitize_line(status.status_text or ""), emoji=next(same, None))
