"""Drafts that the user's clients share. No state, no retries."""

from collections.abc import Sequence

from tui.api.connection import Connection
from tui.api.destination import Destination, draft_fields
from tui.api.model import Draft, DraftId
from tui.dataclass import dataclass
from tui.errors import MalformedResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDraft:
    """A draft to create; `timestamp` None is the server's current time."""

    destination: Destination | None
    content: str
    timestamp: int | None


async def fetch(connection: Connection) -> tuple[Draft, ...]:
    """GET /drafts: return all drafts."""
    answer = await connection.get("/drafts", {})
    return answer.read("drafts", tuple[Draft, ...])


async def create(
    connection: Connection, *, drafts: Sequence[NewDraft], idempotency_key: str | None
) -> tuple[DraftId, ...]:
    """POST /drafts: return the new IDs, in order."""
    answer = await connection.post(
        "/drafts",
        {"drafts": [_fields(draft) for draft in drafts]},
        idempotency_key=idempotency_key,
    )
    ids = answer.read("ids", tuple[DraftId, ...])
    if len(ids) != len(drafts):
        raise MalformedResponse("POST /drafts", "ids: one for each draft is expected")
    return ids


async def edit(connection: Connection, *, draft_id: DraftId, draft: NewDraft) -> None:
    """PATCH /drafts/{id}. ApiRefused with status 404: gone."""
    await connection.patch(f"/drafts/{draft_id}", {"draft": _fields(draft)})


async def delete(connection: Connection, *, draft_id: DraftId) -> None:
    """DELETE /drafts/{id}. ApiRefused with status 404: gone already."""
    await connection.delete(f"/drafts/{draft_id}", {})


def _fields(draft: NewDraft) -> dict[str, object]:
    fields = {**draft_fields(draft.destination), "content": draft.content}
    return fields if draft.timestamp is None else {**fields, "timestamp": draft.timestamp}
