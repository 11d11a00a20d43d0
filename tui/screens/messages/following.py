"""Updates the open conversation: moved, new, edited and read messages. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable

from tui.screens.context import ChatContext
from tui.screens.navigation import following_moves
from tui.screens.news import StoreChanged


def follow(context: ChatContext, event: StoreChanged) -> bool:
    """Show the changes of an event; messages that appear are marked as read with the same frame.

    False if none of the changes can be seen in the open conversation.
    """
    changes, opened = event.changes, context.open_narrow
    opened.note(changes)
    for move in changes.moves:
        following_moves.follow(context, move)
    if changes.replaced or opened.narrow in changes.windows:
        following_moves.look_for(context)
    if not opened.needs_refresh(changes):
        return False
    looks = context.home.looks(context)
    if changes.arrived and not looks:
        opened.note_arrival_unseen(changes)
    opened.refresh(changes.echoes)
    messages = context.panes.messages
    if changes.arrived and looks and messages.screen.is_current:
        see(context, messages.take_viewed())
        if event.changes is not changes:  # changes made by reading are included
            opened.note(event.changes)
            opened.refresh()
    return True


def see(context: ChatContext, keys: tuple[Hashable, ...]) -> None:
    """Mark the visible messages as read, and keep the position for a new snapshot."""
    narrow = context.open_narrow.narrow
    if context.open_overview is None and narrow and context.open_narrow.is_shown(narrow):
        context.seen.see(narrow, keys)
        context.open_narrow.remember_position()
