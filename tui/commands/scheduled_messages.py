"""Scheduled messages. Raises ApiError, ConfigError; no Textual."""

from tui.api.destination import Destination, DirectDestination, TopicDestination
from tui.api.model import ChannelId, ScheduledMessage, ScheduledMessageId, UserId
from tui.api.routes import scheduled_messages as routes
from tui.commands.drafts import DraftSync
from tui.commands.idempotency import Attempts
from tui.commands.outbox import SendQueue
from tui.errors import ApiError
from tui.sync.machine import Sync


async def create(
    sync: Sync, attempts: Attempts, *, destination: Destination, content: str, at: float
) -> ScheduledMessageId:
    """Schedule a message for a time, UNIX seconds; return its ID."""
    with attempts.key((destination, content, int(at))) as key:
        return await routes.create(
            sync.connection,
            destination=destination,
            content=content,
            deliver_at=int(at),
            idempotency_key=key,
        )


async def edit(sync: Sync, scheduled: ScheduledMessage, content: str) -> None:
    """Change the text of a scheduled message."""
    await routes.edit(
        sync.connection,
        scheduled_message_id=scheduled.scheduled_message_id,
        destination=None,
        content=content,
        deliver_at=None,
    )


async def put_off(sync: Sync, scheduled: ScheduledMessage, at: float) -> None:
    """Change the time of a scheduled message; one that failed is tried again then."""
    await routes.edit(
        sync.connection,
        scheduled_message_id=scheduled.scheduled_message_id,
        destination=None,
        content=None,
        deliver_at=int(at),
    )


async def delete(sync: Sync, scheduled: ScheduledMessage) -> None:
    """Delete a scheduled message."""
    await routes.delete(sync.connection, scheduled_message_id=scheduled.scheduled_message_id)


async def send_now(
    sync: Sync, scheduled: ScheduledMessage, drafts: DraftSync, sending: SendQueue
) -> None:
    """Send a scheduled message from here instead: once, and not lost whatever fails in between.

    The server deletes it first, so that it cannot send it as well; meanwhile it is a draft.
    """
    destination = destination_of(scheduled)
    draft = drafts.write(None, destination, scheduled.content)
    try:
        await delete(sync, scheduled)
    except ApiError as error:
        if draft is not None and not error.may_have_arrived:
            drafts.discard(draft)
        raise
    sending.send(destination, scheduled.content)
    if draft is not None:
        drafts.discard(draft)


def destination_of(scheduled: ScheduledMessage) -> Destination:
    """Return the destination of a scheduled message."""
    if isinstance(scheduled.to, int):
        return TopicDestination(channel_id=ChannelId(scheduled.to), topic=scheduled.topic or "")
    return DirectDestination(user_ids=frozenset(map(UserId, scheduled.to)))
