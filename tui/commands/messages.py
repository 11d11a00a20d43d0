"""Changing messages: edit, delete, move, resolve, report. Raises ApiError; shown at once."""

from tui.api.model import ChannelId, MessageId
from tui.api.routes import messages as routes
from tui.api.routes.messages import PropagateMode
from tui.commands.optimistic import shown_at_once
from tui.digests import sha256_of
from tui.errors import ApiRefused
from tui.narrow import Conversation, conversation_of
from tui.store.edits import RESOLVED_PREFIX
from tui.store.optimistic import ContentEdit, Deletion, Move
from tui.sync.machine import Sync


async def source(sync: Sync, message_id: MessageId) -> str:
    """Return the Markdown of a message, to be edited or quoted."""
    message = await routes.get(sync.connection, message_id=message_id, apply_markdown=False)
    return message.content


async def place(sync: Sync, message_id: MessageId) -> Conversation:
    """Return the conversation that a message is in now. Raises ApiRefused if it is gone, or not visible."""
    message = sync.store.message(message_id)
    if message is None:
        message = await routes.get(sync.connection, message_id=message_id, apply_markdown=True)
    return conversation_of(message)


async def edit(sync: Sync, message_id: MessageId, content: str, *, was: str | None) -> None:
    """Change a message's Markdown; `was` is the text when the user began to edit.

    Raises ApiRefused with EXPECTATION_MISMATCH if someone else changed it meanwhile. If it has the new text
    already, that is no error: an earlier request arrived and its answer did not.
    """
    digest = None if was is None else sha256_of(was)
    async with shown_at_once(
        sync, ContentEdit(message_ids=frozenset({message_id}), content=content)
    ):
        try:
            await routes.edit(
                sync.connection, message_id=message_id, content=content, prev_content_sha256=digest
            )
        except ApiRefused as error:
            if error.code != "EXPECTATION_MISMATCH":
                raise
            if (await source(sync, message_id)).strip() != content.strip():
                raise


async def delete(sync: Sync, message_id: MessageId) -> None:
    """Delete a message for everybody."""
    async with shown_at_once(sync, Deletion(message_ids=frozenset({message_id}))):
        await routes.delete(sync.connection, message_id=message_id)


async def move(
    sync: Sync,
    message_id: MessageId,
    *,
    topic: str | None,
    channel_id: ChannelId | None,
    propagate_mode: PropagateMode,
    notify_old_topic: bool = False,
    notify_new_topic: bool = True,
) -> None:
    """Move a message, it and those after it, or its whole topic; None keeps topic or channel."""
    moved = movable(sync, message_id, propagate_mode)
    async with shown_at_once(sync, Move(message_ids=moved, channel_id=channel_id, topic=topic)):
        await routes.move(
            sync.connection,
            message_id=message_id,
            topic=topic,
            channel_id=channel_id,
            propagate_mode=propagate_mode,
            notify_old_topic=notify_old_topic,
            notify_new_topic=notify_new_topic,
        )


async def resolve(sync: Sync, message_id: MessageId, *, resolved: bool) -> None:
    """Resolve or unresolve the topic of a message."""
    message = sync.store.message(message_id)
    topic = message.topic if message is not None else ""
    bare = topic.removeprefix(RESOLVED_PREFIX)
    await move(
        sync,
        message_id,
        topic=RESOLVED_PREFIX + bare if resolved else bare,
        channel_id=None,
        propagate_mode="change_all",
        notify_new_topic=False,
    )


async def report(sync: Sync, message_id: MessageId, reason: str, comment: str) -> None:
    """Report a message to the moderators; `reason` is one of the server's, `comment` may be empty."""
    await routes.report(
        sync.connection, message_id=message_id, report_type=reason, description=comment or None
    )


def movable(
    sync: Sync, message_id: MessageId, propagate_mode: PropagateMode
) -> frozenset[MessageId]:
    """Return the messages that a move takes along, as far as they are loaded here."""
    messages = sync.store.messages.by_id
    message = messages.get(message_id)
    if message is None or propagate_mode == "change_one":
        return frozenset({message_id})
    topic = message.topic.casefold()
    return frozenset(
        other.id
        for other in messages.values()
        if other.channel_id == message.channel_id
        and other.topic.casefold() == topic
        and (propagate_mode == "change_all" or other.id >= message_id)
    )
