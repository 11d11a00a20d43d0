"""Message flags: update, mark as read in bulk. Thin."""

from collections.abc import Sequence
from typing import Annotated, Final

from typing_extensions import TypedDict

from server_lite.access.channels import access_channel_by_id
from server_lite.access.message_validation import clean_topic
from server_lite.access.messages import REFUSED, visible_among
from server_lite.actions import flags as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxItems
from server_lite.api.params import Alias
from server_lite.context import Context
from server_lite.endpoints.messages import Narrow
from server_lite.errors import ApiError
from server_lite.ids import ChannelId
from server_lite.narrow.query import query
from server_lite.narrow.terms import parse_narrow
from server_lite.narrow.window import (
    Window,
    anchor_of,
    check_counts,
    check_excluded_anchor,
    reduced,
    window,
)
from server_lite.store import flags, topics
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.topics import TopicRow
from server_lite.store.users import UserRow

AT_ONCE: Final = 500
"""Maximum of messages whose flag one transaction changes."""


class Ignored(TypedDict, total=False):
    """Channels that were skipped when marking as unread, because only subscribers have unread messages."""

    ignored_because_not_subscribed_channels: list[int]


class Changed(Ignored):
    """The requested message IDs; deleted or already flagged messages are no error."""

    messages: list[int]


class ChangedInNarrow(Ignored):
    """How far the change got, so that a client can continue there."""

    processed_count: int
    updated_count: int
    first_processed_id: int | None
    last_processed_id: int | None
    found_oldest: bool
    found_newest: bool


class Complete(TypedDict):
    """Whether the work is complete."""

    complete: bool


async def update(
    context: Context,
    user: UserRow,
    *,
    messages: Annotated[list[int], MaxItems(5000)],
    op: str,
    flag: str,
) -> Changed:
    """Set or clear a flag on some messages."""
    check(op, flag)
    ids = context.read(lambda db: visible_among(db, user, messages))
    # Clients mark messages as read that may have been deleted since they were shown.
    if flag != flags.READ and len(ids) != len(set(messages)):
        raise ApiError(REFUSED)
    changed = await _change(context, user, op, flag, ids)
    return {"messages": messages, **_ignored(op, flag, changed)}


def check(op: str, flag: str) -> None:
    """Refuse unknown operations, and flags that users may not change."""
    if op not in ("add", "remove"):
        raise ApiError(f"Invalid message flag operation: '{op}'")
    if flag not in flags.KNOWN:
        raise ApiError(f"Invalid flag: '{flag}'")
    if flag not in flags.EDITABLE:
        raise ApiError(f"Flag not editable: '{flag}'")


async def _change(
    context: Context, user: UserRow, op: str, flag: str, ids: Sequence[int]
) -> actions.Changed:
    """Set or clear a flag in slices, on the messages that the user may still read by then."""
    change = actions.set_flag if op == "add" else actions.clear_flag
    slices = [ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE)]
    done: list[actions.Changed] = []

    def step(tx: Tx) -> bool:
        part = visible_among(tx, user, slices[len(done)])
        done.append(change(tx, user, flag, part))
        return len(done) < len(slices)

    if slices:
        await context.write_in_slices(step)
    return actions.Changed(
        ids=[message_id for one in done for message_id in one.ids],
        not_subscribed=sorted({channel_id for one in done for channel_id in one.not_subscribed}),
    )


def _ignored(op: str, flag: str, changed: actions.Changed) -> Ignored:
    if (op, flag) != ("remove", flags.READ):
        return {}
    return {"ignored_because_not_subscribed_channels": list(changed.not_subscribed)}


async def update_narrow(
    context: Context,
    user: UserRow,
    *,
    anchor: str,
    include_anchor: bool = True,
    num_before: int,
    num_after: int,
    narrow: Narrow | None = None,
    op: str,
    flag: str,
) -> ChangedInNarrow:
    """Set or clear a flag on a range of messages in a narrow."""
    check(op, flag)
    before, after = check_counts(*reduced(num_before, num_after))
    check_excluded_anchor(include_anchor, before, after)
    terms = parse_narrow(narrow or [])

    def meant(db: Db) -> Window:
        search = query(db, user, terms)
        at = anchor_of(db, user, terms, search, anchor, None)
        return window(db, search, at, before=before, after=after, include_anchor=include_anchor)

    # Searching a million messages does not belong in a write transaction, which blocks all others.
    part = await context.database.read_long(meant, asker=user.id)
    changed = await _change(context, user, op, flag, part.ids)
    return {
        "processed_count": len(part.ids),
        "updated_count": len(changed.ids),
        "first_processed_id": part.ids[0] if part.ids else None,
        "last_processed_id": part.ids[-1] if part.ids else None,
        "found_oldest": part.found_oldest,
        "found_newest": part.found_newest,
        **_ignored(op, flag, changed),
    }


async def mark_all(context: Context, user: UserRow) -> Complete:
    """Mark all messages as read."""
    await context.write_in_slices(lambda tx: actions.mark_some_read(tx, user))
    return {"complete": True}


async def mark_channel(context: Context, user: UserRow, *, stream_id: ChannelId) -> Done:
    """Mark all messages in a channel as read."""
    channel = context.read(lambda db: access_channel_by_id(db, user, stream_id))
    await context.write_in_slices(actions.reading_channel(user, channel))
    return {}


async def mark_topic(
    context: Context,
    user: UserRow,
    *,
    stream_id: ChannelId,
    topic_name: Annotated[str, Alias("topic")],
) -> Done:
    """Mark all messages in a topic as read."""

    def meant(db: Db) -> TopicRow | None:
        channel = access_channel_by_id(db, user, stream_id, wants="content")
        return topics.by_name(db, channel.id, clean_topic(topic_name))

    topic = context.read(meant)
    if topic is None or topic.max_id == 0:
        raise ApiError(f"No such topic '{topic_name}'")
    await context.write_in_slices(actions.reading_topic(user, topic.id))
    return {}
