"""Updates the open conversation: moved, new, edited and read messages. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable

from tui.api.model import MessageId
from tui.screens.context import ChatContext
from tui.screens.navigation import following_moves
from tui.screens.news import StoreChanged
from tui.store import Changes


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
    messages = context.panes.messages
    sees = bool(changes.arrived) and looks and messages.screen.is_current
    # At the end of the list what comes gets on screen, so it is drawn as read, and not once more.
    marks = sees and messages.at_tail and _is_open(context) and context.seen.marks(opened.narrow)
    expected = opened.unread_of(changes.arrived) if marks else frozenset()
    opened.refresh(changes.echoes, read_with_this=expected)
    if sees and (wrong := see(context, messages.take_viewed()) ^ expected):
        opened.note(Changes(messages=wrong))  # so many came that some are above the screen already
        opened.refresh()
    return True


def see(context: ChatContext, keys: tuple[Hashable, ...]) -> frozenset[MessageId]:
    """Mark the visible messages as read, and keep the position for a new snapshot. Returns those that were
    unread.
    """
    if not _is_open(context):
        return frozenset()
    marked = context.seen.see(context.open_narrow.narrow, keys)
    context.open_narrow.remember_position()
    return marked


def _is_open(context: ChatContext) -> bool:
    """Whether messages are shown, and no overview in their place."""
    opened = context.open_narrow
    is_shown = opened.narrow is not None and opened.is_shown(opened.narrow)
    return is_shown and context.open_overview is None
