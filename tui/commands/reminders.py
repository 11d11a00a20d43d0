"""Reminders of messages. Raises ApiError; no Textual."""

from tui.api.features import REMINDER_NOTES
from tui.api.model import Message, MessageId, Reminder, ReminderId
from tui.api.routes import messages as message_routes
from tui.api.routes import reminders as routes
from tui.commands.idempotency import Attempts
from tui.errors import ApiRefused
from tui.sync.machine import Sync


async def create(
    sync: Sync, attempts: Attempts, message_id: MessageId, *, at: float, note: str
) -> ReminderId:
    """Create a reminder of a message at a time, UNIX seconds; `note` "" for none. Return its ID."""
    with attempts.key((message_id, int(at), note)) as key:
        return await routes.create(
            sync.connection,
            message_id=message_id,
            remind_at=int(at),
            note=note or None,
            idempotency_key=key,
        )


async def reschedule(sync: Sync, attempts: Attempts, reminder: Reminder, at: float) -> None:
    """Change the time of a reminder, UNIX seconds.

    Servers cannot, so another one takes its place: created first, so that there is one whatever fails.
    """
    is_noted = REMINDER_NOTES.is_in(sync.store.realm.feature_level)
    with attempts.key((reminder.reminder_id, int(at))) as key:
        await routes.create(
            sync.connection,
            message_id=reminder.reminder_target_message_id,
            remind_at=int(at),
            note=(reminder.content or None) if is_noted else None,
            idempotency_key=key,
        )
        try:
            await routes.delete(sync.connection, reminder_id=reminder.reminder_id)
        except ApiRefused as error:
            if error.status != 404:  # delivered meanwhile, or deleted elsewhere
                raise


async def delete(sync: Sync, reminder_id: ReminderId) -> None:
    """Delete a reminder."""
    await routes.delete(sync.connection, reminder_id=reminder_id)


async def target(sync: Sync, message_id: MessageId) -> Message:
    """Return the message of a reminder, also after a move."""
    message = sync.store.message(message_id)
    if message is not None:
        return message
    return await message_routes.get(sync.connection, message_id=message_id, apply_markdown=True)
