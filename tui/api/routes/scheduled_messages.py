"""Scheduled messages. No state, no retries."""

from tui.api.connection import Connection
from tui.api.destination import Destination, to_parameters
from tui.api.model import ScheduledMessage, ScheduledMessageId


async def fetch(connection: Connection) -> tuple[ScheduledMessage, ...]:
    """GET /scheduled_messages: return those not sent yet, and those that failed."""
    answer = await connection.get("/scheduled_messages", {})
    return answer.read("scheduled_messages", tuple[ScheduledMessage, ...])


async def create(
    connection: Connection,
    *,
    destination: Destination,
    content: str,
    deliver_at: int,
    idempotency_key: str | None,
) -> ScheduledMessageId:
    """POST /scheduled_messages. ApiRefused code: STREAM_DOES_NOT_EXIST."""
    answer = await connection.post(
        "/scheduled_messages",
        {
            **to_parameters(destination),
            "content": content,
            "scheduled_delivery_timestamp": deliver_at,
            "read_by_sender": True,
        },
        idempotency_key=idempotency_key,
    )
    return answer.read("scheduled_message_id", ScheduledMessageId)


async def edit(
    connection: Connection,
    *,
    scheduled_message_id: ScheduledMessageId,
    destination: Destination | None,
    content: str | None,
    deliver_at: int | None,
) -> None:
    """PATCH /scheduled_messages/{id}: None keeps a value. Status 404: deleted."""
    await connection.patch(
        f"/scheduled_messages/{scheduled_message_id}",
        {
            **({} if destination is None else to_parameters(destination)),
            "content": content,
            "scheduled_delivery_timestamp": deliver_at,
        },
    )


async def delete(connection: Connection, *, scheduled_message_id: ScheduledMessageId) -> None:
    """DELETE /scheduled_messages/{id}. Status 404: deleted already."""
    await connection.delete(f"/scheduled_messages/{scheduled_message_id}", {})
