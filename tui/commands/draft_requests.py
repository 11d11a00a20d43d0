"""Requests about one draft, with what their answers mean. Raises ApiError; keeps no state, no Textual."""

from tui.api.connection import Connection
from tui.api.model import DraftId
from tui.api.routes import drafts as routes
from tui.commands.draft_identity import same_text
from tui.errors import ApiRefused
from tui.store.drafts import LocalDraft


async def has_arrived(connection: Connection, draft: LocalDraft) -> bool:
    """Whether the server has the draft's text, and the events that arrived are older."""
    return any(
        each.id == draft.draft_id and same_text(each.content, draft.content)
        for each in await routes.fetch(connection)
    )


async def delete(connection: Connection, draft_id: DraftId) -> None:
    """Delete the server's draft, if it is still there."""
    try:
        await routes.delete(connection, draft_id=draft_id)
    except ApiRefused as error:
        if error.status != 404:
            raise
