"""Deletes messages of any sender. Checks no permissions: callers did."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from server_lite.access.messages import audiences_of
from server_lite.actions.messages import update_first_message
from server_lite.actions.uploads import emit_links
from server_lite.events.messages import MessagesDeleted
from server_lite.ids import MessageId, UserId
from server_lite.store import channels, conversations, flags, messages, topics, uploads
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow

SLICE: Final = 100
"""Maximum of messages that one transaction deletes."""


ATTACHED: Final = 5_000
"""Maximum of reactions, and of submessages, that one transaction deletes."""


def first_to_delete(tx: Tx, ids: list[MessageId]) -> list[MessageId]:
    """Return the first ones of these messages that one transaction may delete; at least one.

    Empty if that one has so many reactions or submessages that some of them were deleted instead: call it again.
    """
    part = flags.first_of(
        tx, ids, other_rows=partial(messages.count_attached, tx, most=2 * ATTACHED)
    )
    if len(part) == 1 and messages.count_attached(tx, part[0], most=2 * ATTACHED) > ATTACHED:
        messages.delete_some_attached(tx, part[0], ATTACHED)
        return []
    return part


def delete_messages(tx: Tx, rows: Sequence[MessageRow], *, by: UserId | None = None) -> None:
    """Delete messages and everything attached. `by` gets the event even without access to the messages."""
    places: defaultdict[tuple[int | None, int | None], list[MessageRow]] = defaultdict(list)
    for row in rows:
        places[row.topic_id, row.conversation_id].append(row)
    for together in places.values():
        _delete_from_one_place(tx, together, by)
    for channel_id in sorted({row.channel_id for row in rows if row.channel_id is not None}):
        channel = channels.by_id(tx, channel_id)
        assert channel is not None
        update_first_message(tx, channel)


def _delete_from_one_place(tx: Tx, rows: Sequence[MessageRow], by: UserId | None) -> None:
    first = rows[0]
    ids = [row.id for row in rows]
    ids_by_audience = audiences_of(tx, rows)
    if by is not None and by not in frozenset[UserId]().union(*ids_by_audience):
        _tell(tx, first, ids, [by])
    for people, theirs in ids_by_audience.items():
        _tell(tx, first, theirs, people)
    linked = uploads.linked_in(tx, ids)
    messages.delete(tx, ids)
    emit_links(tx, linked)
    if first.topic_id is not None:
        topics.recount(tx, first.topic_id)
    if first.conversation_id is not None:
        conversations.recount(tx, first.conversation_id)


def _tell(tx: Tx, first: MessageRow, ids: Sequence[MessageId], people: Iterable[UserId]) -> None:
    tx.emit(
        MessagesDeleted(
            message_ids=sorted(ids),
            message_type="private" if first.channel_id is None else "stream",
            channel_id=first.channel_id,
            topic=first.topic,
        ),
        to=frozenset(people),
    )
