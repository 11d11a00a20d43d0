"""Following a moved topic: view, history and composer move along. Draws nothing itself.

Moves without an event, made while the program was offline or not running, are found by a message that was in
the topic: on screen, in the cache on disk, or in a saved view.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from tui.api.model import MessageId
from tui.errors import NO_VERDICT, ApiRefused
from tui.narrow import TopicNarrow
from tui.screens.context import ChatContext
from tui.store.changes import TopicMove
from tui.view.navigation_views import kept_views
from tui.view.rows import MessageRow

MOST_ASKED: Final = 3
"""Messages to ask for; the newest may have been deleted, or moved alone."""
NEVER: Final = 2**62
"""Above the ID of every message."""


def follow(context: ChatContext, move: TopicMove) -> None:
    """Follow moved messages: a user who reads or writes in their topic moves along."""
    if move.source == move.target:
        if move.is_whole and context.current_narrow == move.target:
            _respell(context, move.target)
        return
    is_left = context.open_narrow.is_left_by(move)
    if move.is_whole:
        context.history.replace(move.source, move.target)
        context.open_narrow.renamed(move.source, move.target)
    elif is_left:
        context.history.go(move.target)
    if is_left:
        context.run(partial(context.open_narrow.go_along, move.target), group="open")
    if move.is_whole or is_left:
        context.composing.go_along(move.source, move.target)
    if is_left and context.open_overview is None:
        context.session.opened(move.target)
        context.panes.panels.open(move.target)
        context.topic_lists.follow(move.target)


def _respell(context: ChatContext, topic: TopicNarrow) -> None:
    """Show the name of the open topic as it is written now: in other letters, it is the same topic."""
    context.history.replace(topic, topic)
    context.open_narrow.narrow = topic
    context.composing.go_along(topic, topic)
    context.session.opened(topic)
    if context.open_overview is None:
        context.panes.panels.open(topic)


def look_for(context: ChatContext) -> None:
    """Look for the messages of the open topic elsewhere if it turns out to be empty."""
    here = context.current_narrow
    if not isinstance(here, TopicNarrow) or not context.session.store.messages.is_known_empty(here):
        return
    visible_ids = [
        row.message_id for row in context.panes.messages.items if isinstance(row, MessageRow)
    ]
    if ids := visible_ids[:1] or _remembered(context, here):
        context.run(partial(_find, context, here, ids), group="moved")


def _remembered(context: ChatContext, here: TopicNarrow) -> list[MessageId]:
    """Return messages that were in a topic when it was last seen, newest first."""
    archive, store = context.session.sync.history.archive, context.session.store
    kept = [each.with_id for each in kept_views(store) if each.narrow == here and each.with_id]
    seen = archive.before(here, NEVER, MOST_ASKED) if archive is not None else []
    return list(dict.fromkeys([*(each.id for each in reversed(seen)), *kept]))


async def _find(context: ChatContext, here: TopicNarrow, ids: Sequence[MessageId]) -> None:
    """Find the conversation of the first message that still exists, and open it."""
    from tui.commands import messages

    for message_id in ids:
        try:
            place = await messages.place(context.session.sync, message_id)
        except ApiRefused:
            continue
        except NO_VERDICT:
            return
        if place != here and isinstance(place, TopicNarrow):
            break
    else:
        return
    if context.current_narrow != here or not context.session.store.messages.is_known_empty(here):
        return
    was_read = any(isinstance(row, MessageRow) for row in context.panes.messages.items)
    message_ids = frozenset({message_id})
    follow(
        context,
        TopicMove(source=here, target=place, message_ids=message_ids, is_whole=True, goes_on=True),
    )
    if not was_read:  # nothing that could stay where it is on screen
        context.go(place)
