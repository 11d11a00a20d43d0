"""Messages to be sent later. Raises ApiError, ConfigError; no Textual."""

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
    """Have the server send a message at a time, UNIX seconds."""
    with attempts.key((destination, content, int(at))) as key:
        return await routes.create(
            sync.connection,
            destination=destination,
            content=content,
            deliver_at=int(at),
            idempotency_key=key,
        )


async def edit(sync: Sync, scheduled: ScheduledMessage, content: str) -> None:
    """Other words, at the same time."""
    await routes.edit(
        sync.connection,
        scheduled_message_id=scheduled.scheduled_message_id,
        destination=None,
        content=content,
        deliver_at=None,
    )


async def put_off(sync: Sync, scheduled: ScheduledMessage, at: float) -> None:
    """Another time; what could not be sent is tried again then."""
    await routes.edit(
        sync.connection,
        scheduled_message_id=scheduled.scheduled_message_id,
        destination=None,
        content=None,
        deliver_at=int(at),
    )


async def delete(sync: Sync, scheduled: ScheduledMessage) -> None:
    """It is not to be sent."""
    await routes.delete(sync.connection, scheduled_message_id=scheduled.scheduled_message_id)


async def send_now(
    sync: Sync, scheduled: ScheduledMessage, drafts: DraftSync, sending: SendQueue
) -> None:
    """Send it from here instead: once, and not lost whatever breaks in between.

    The server lets go of it first, so that it cannot send it as well; meanwhile it is a draft.
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
    """Where it goes."""
    if isinstance(scheduled.to, int):
        return TopicDestination(channel_id=ChannelId(scheduled.to), topic=scheduled.topic or "")
    return DirectDestination(user_ids=frozenset(map(UserId, scheduled.to)))
