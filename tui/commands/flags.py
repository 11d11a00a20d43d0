"""Stars and read marks: in batches, and shown before the server confirms. No Textual."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import field

from tui.api.model import ChannelId, MessageId
from tui.api.routes import flags as routes
from tui.commands.optimistic import shown_at_once
from tui.dataclass import dataclass
from tui.errors import ApiError, ApiRefused, RateLimited
from tui.narrow import Conversation, Narrow
from tui.store import Store
from tui.store.optimistic import FlagChange, OperationId
from tui.sync.backoff import Backoff
from tui.sync.machine import Environment, Sync

BATCH_SECONDS = 0.5
BATCH_MESSAGES = 1000


async def star(sync: Sync, message_ids: Iterable[MessageId], *, on: bool) -> None:
    """Star or unstar messages. Raises ApiError."""
    await _update(sync, frozenset(message_ids), "starred", on=on)


async def mark_unread(sync: Sync, message_ids: Iterable[MessageId]) -> None:
    """Mark messages as unread. Raises ApiError."""
    await _update(sync, frozenset(message_ids), "read", on=False)


async def mark_unread_from(
    sync: Sync, narrow: Narrow, message_id: MessageId
) -> frozenset[ChannelId]:
    """Mark a message and all after it in the narrow as unread. Raises ApiError.

    Returns channels whose messages stay read, since the user is not subscribed to them.
    """
    inside = (i for i in sync.store.messages.window(narrow).ids() if i >= message_id)
    message_ids = frozenset(i for i in inside if _may_be_unread(sync.store, i))
    ignored: frozenset[ChannelId] = frozenset()
    async with shown_at_once(sync, FlagChange(message_ids=message_ids, flag="read", on=False)):
        async for step in _steps(sync, narrow, message_id, "read", on=False):
            ignored |= frozenset(step.ignored_channel_ids)
    return ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """How many messages were changed, and those of them that are loaded here."""

    count: int
    known: frozenset[MessageId]


async def mark_results_read(sync: Sync, narrow: Narrow) -> Changed:
    """Mark all messages of a narrow as read, loaded here or not. Raises ApiError."""
    return await _flag_results(sync, narrow, "read", on=True)


async def star_results(sync: Sync, narrow: Narrow, *, on: bool) -> Changed:
    """Star or unstar all messages of a narrow. Raises ApiError."""
    return await _flag_results(sync, narrow, "starred", on=on)


async def _flag_results(sync: Sync, narrow: Narrow, flag: str, *, on: bool) -> Changed:
    store = sync.store
    window = store.messages.window(narrow).ids()
    if flag == "read":
        loaded_ids = frozenset(each for each in window if each in store.unreads)
    else:
        loaded_ids = frozenset(each for each in window if (each in store.starred) != on)
    count = 0
    async with shown_at_once(sync, FlagChange(message_ids=loaded_ids, flag=flag, on=on)):
        async for step in _steps(sync, narrow, MessageId(0), flag, on=on):
            count += step.updated_count
    return Changed(count=count, known=loaded_ids)


async def mark_conversation_read(sync: Sync, conversation: Conversation) -> frozenset[MessageId]:
    """Mark a conversation as read; return the messages that were unread, for undo."""
    unread = sync.store.unread_ids(conversation)
    await _update(sync, unread, "read", on=True)
    return unread


async def mark_channel_read(sync: Sync, channel_id: ChannelId) -> frozenset[MessageId]:
    """Mark a channel as read; return the messages that were unread, as far as known."""
    store = sync.store
    unread = frozenset(
        message_id
        for place in store.unreads.conversations()
        if getattr(place, "channel_id", None) == channel_id
        for message_id in store.unread_ids(place)
    )
    async with shown_at_once(sync, FlagChange(message_ids=unread, flag="read", on=True)):
        await routes.mark_channel_as_read(sync.connection, channel_id=channel_id)
    return unread


async def mark_all_read(sync: Sync) -> frozenset[MessageId]:
    """Mark all messages as read; return those that were unread, as far as known."""
    unread = frozenset(sync.store.unreads)
    async with shown_at_once(sync, FlagChange(message_ids=unread, flag="read", on=True)):
        while not await routes.mark_all_as_read(sync.connection):
            pass  # the server does as much as it has time for, and wants to be asked again
    return unread


async def _update(sync: Sync, ids: frozenset[MessageId], flag: str, *, on: bool) -> None:
    if not ids:
        return
    async with shown_at_once(sync, FlagChange(message_ids=ids, flag=flag, on=on)):
        for batch in _batches(ids):
            await routes.update(
                sync.connection, message_ids=batch, op="add" if on else "remove", flag=flag
            )


async def _steps(
    sync: Sync, narrow: Narrow, anchor: MessageId, flag: str, *, on: bool
) -> AsyncIterator[routes.UpdatedRange]:
    """Change a flag from a message to the end of the narrow, in batches that servers accept."""
    include_anchor = True
    while True:
        done = await routes.update_narrow(
            sync.connection,
            narrow=narrow.to_api(),
            anchor=anchor,
            include_anchor=include_anchor,
            num_before=0,
            num_after=BATCH_MESSAGES,
            op="add" if on else "remove",
            flag=flag,
        )
        yield done
        if done.found_newest or done.last_processed_id is None:
            return
        anchor, include_anchor = done.last_processed_id, False


def _may_be_unread(store: Store, message_id: MessageId) -> bool:
    """Whether the server would mark it as unread: in a subscribed channel or a direct message."""
    message = store.messages.get(message_id)
    channel_id = message.channel_id if message is not None else None
    return channel_id is None or channel_id in store.channels.subscribed


def _batches(ids: Iterable[MessageId]) -> list[list[MessageId]]:
    ordered = sorted(ids)
    return [ordered[i : i + BATCH_MESSAGES] for i in range(0, len(ordered), BATCH_MESSAGES)]


@dataclass(slots=True)
class _Batch:
    ids: set[MessageId] = field(default_factory=set)
    operations: list[OperationId] = field(default_factory=list)


class ReadMarks:
    """Messages seen on screen, marked as read in batches; kept while there is no network."""

    def __init__(self, sync: Sync, environment: Environment | None = None) -> None:
        self._sync = sync
        self._environment = environment or Environment()
        self._waiting = _Batch()
        self._work = asyncio.Event()

    def add(self, message_ids: Iterable[MessageId]) -> frozenset[MessageId]:
        """Mark messages as read: here at once, on the server with the next batch. Returns those that were unread."""
        store = self._sync.store
        unread = store.pending.read(i for i in message_ids if i in store.unreads)
        if not unread:
            return unread
        operation = FlagChange(message_ids=unread, flag="read", on=True)
        self._waiting.operations.append(self._sync.add_operation(operation))
        self._waiting.ids |= unread
        self._work.set()
        return unread

    async def run(self) -> None:
        """Send the batches until canceled."""
        backoff = Backoff()
        while True:
            await self._work.wait()
            await self._environment.sleep(BATCH_SECONDS)
            self._work.clear()
            batch, self._waiting = self._waiting, _Batch()
            try:
                await self._send(batch)
                backoff.reset()
            except ApiError as error:
                if isinstance(error, ApiRefused) and not isinstance(error, RateLimited):
                    for operation_id in batch.operations:
                        self._sync.rollback(operation_id)
                    continue
                self._waiting.ids |= batch.ids
                self._waiting.operations += batch.operations
                self._work.set()
                at_least = error.retry_after if isinstance(error, RateLimited) else 0.0
                delay = backoff.next_delay(self._environment.chance(), at_least=at_least)
                await self._environment.sleep_unless(delay, self._sync.connected)

    async def _send(self, batch: _Batch) -> None:
        for ids in _batches(batch.ids):
            await routes.update(self._sync.connection, message_ids=ids, op="add", flag="read")
        for operation_id in batch.operations:
            self._sync.acknowledge(operation_id)
