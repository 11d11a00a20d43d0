"""Going along with a topic that others, or oneself, moved: view, way back, composer. Draws nothing itself.

Moves that nobody told of, while there was no connection, are found by a message that was on screen.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tui.api.model import MessageId
from tui.errors import ApiRefused
from tui.narrow import TopicNarrow
from tui.store.changes import TopicMove
from tui.view.rows import MessageRow

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


def follow(screen: AccountScreen, move: TopicMove) -> None:
    """Messages went to another topic: who reads or writes among them goes along."""
    if move.source == move.target:
        return
    is_left = screen.open_narrow.is_left_by(move)
    if move.is_whole:
        screen.trail.replace(move.source, move.target)
        screen.open_narrow.renamed(move.source, move.target)
    elif is_left:
        screen.trail.go(move.target)
    if is_left:
        screen.begin(partial(screen.open_narrow.go_along, move.target), group="open")
    if move.is_whole or is_left:
        screen.composing.go_along(move.source, move.target)
    if is_left and screen.overviews.opened is None:
        screen.session.opened(move.target)
        screen.display_parts.open(move.target)
        screen.list_topics(move.target)


def look_for(screen: AccountScreen) -> None:
    """Everything is known anew: if the open topic is empty by now, look where its messages are."""
    here = screen.open_narrow.narrow
    if not isinstance(here, TopicNarrow) or not screen.session.store.messages.is_known_empty(here):
        return
    row = next((row for row in screen.messages.items if isinstance(row, MessageRow)), None)
    if row is not None:
        screen.begin(partial(_find, screen, here, row.message_id), group="moved")


async def _find(screen: AccountScreen, here: TopicNarrow, message_id: MessageId) -> None:
    from tui.commands import messages

    try:
        place = await messages.place(screen.session.sync, message_id)
    except ApiRefused:
        return  # deleted
    if isinstance(place, TopicNarrow) and screen.open_narrow.narrow == here:
        ids = frozenset({message_id})
        move = TopicMove(source=here, target=place, message_ids=ids, is_whole=True, goes_on=True)
        follow(screen, move)
