"""Moves the server's copies of drafts along with their topics. Raises ApiError; no Textual."""

import logging
from collections.abc import Sequence

from tui.api.model import Draft, UserId
from tui.api.routes import drafts as routes
from tui.api.routes.drafts import NewDraft
from tui.errors import ApiRefused, RateLimited
from tui.narrow import Conversation
from tui.narrow import destination_of as destination_of_narrow
from tui.store.changes import TopicMove
from tui.store.drafts import conversation_of, destination_of
from tui.sync.machine import Sync

_log = logging.getLogger(__name__)


async def readdress(sync: Sync, moves: Sequence[TopicMove]) -> None:
    """Change the destinations of the server's copies of drafts whose topics moved, from any client."""
    self_id = sync.store.self_id
    if not any(_target(theirs, moves, self_id) for theirs in sync.store.drafts.all()):
        return
    # The events of the last changes may be on their way: with the texts that are known here, an
    # earlier one would take the place of the last one.
    for theirs in await routes.fetch(sync.connection):
        target = _target(theirs, moves, self_id)
        if target is None:
            continue
        new = NewDraft(
            destination=destination_of_narrow(target),
            content=theirs.content,
            timestamp=theirs.timestamp,
        )
        try:
            await routes.edit(sync.connection, draft_id=theirs.id, draft=new)
        except RateLimited:
            raise
        except ApiRefused as error:
            _log.info("a draft was not moved along: %s", error)


def _target(theirs: Draft, moves: Sequence[TopicMove], self_id: UserId) -> Conversation | None:
    """Return where a draft goes; None if it stays."""
    to = destination_of(theirs)
    if to is None:
        return None
    place = was = conversation_of(to, self_id)
    for move in moves:
        place = move.target if place == move.source else place
    return None if place == was else place
