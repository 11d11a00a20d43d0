"""Reminders of messages. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import MessageId, Reminder, ReminderId


async def fetch(connection: Connection) -> tuple[Reminder, ...]:
    """GET /reminders (since level 399)."""
    answer = await connection.get("/reminders", {})
    return answer.read("reminders", tuple[Reminder, ...])


async def create(
    connection: Connection,
    *,
    message_id: MessageId,
    remind_at: int,
    note: str | None,
    idempotency_key: str | None,
) -> ReminderId:
    """POST /reminders (since level 381; `note` since 415)."""
    answer = await connection.post(
        "/reminders",
        {"message_id": message_id, "scheduled_delivery_timestamp": remind_at, "note": note},
        idempotency_key=idempotency_key,
    )
    return answer.read("reminder_id", ReminderId)


async def delete(connection: Connection, *, reminder_id: ReminderId) -> None:
    """DELETE /reminders/{id}. Status 404: deleted already."""
    await connection.delete(f"/reminders/{reminder_id}", {})
