"""Moves the server's copies of drafts along with their topics. Raises ApiError; no Textual."""

from collections.abc import Sequence

from tui.api.model import Draft
from tui.api.routes import drafts as routes
from tui.api.routes.drafts import NewDraft
from tui.errors import ApiRefused
from tui.narrow import destination_of as destination_of_narrow
from tui.store.changes import TopicMove
from tui.store.drafts import conversation_of, destination_of
from tui.sync.machine import Sync


async def readdress(sync: Sync, theirs: Draft, moves: Sequence[TopicMove]) -> None:
    """Change the destination of the server's copy of a draft whose topic moved, from any client."""
    to = destination_of(theirs)
    if to is None:
        return
    place = was = conversation_of(to, sync.store.self_id)
    for move in moves:
        place = move.target if place == move.source else place
    if place == was:
        return
    new = NewDraft(
        destination=destination_of_narrow(place),
        content=theirs.content,
        timestamp=theirs.timestamp,
    )
    try:
        await routes.edit(sync.connection, draft_id=theirs.id, draft=new)
    except ApiRefused as error:
        if error.status != 404:
            raise
