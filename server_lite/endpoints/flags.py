"""Message flags: update, mark as read in bulk. Thin."""

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Final

from typing_extensions import TypedDict

from server_lite.access.channels import access_channel_by_id
from server_lite.access.message_validation import clean_topic
from server_lite.access.messages import REFUSED, visible_among
from server_lite.actions import flags as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxItems
from server_lite.api.idempotency import Progress
from server_lite.api.params import Alias
from server_lite.context import Context
from server_lite.dataclass import dataclass
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
    progress = _FlagProgress(ids=ids)

    def step(tx: Tx) -> Changed | None:
        if not _change_some(tx, user, op, flag, progress):
            return None
        return {"messages": messages, **_ignored(op, flag, progress)}

    return await context.write_in_slices(step)


def check(op: str, flag: str) -> None:
    """Refuse unknown operations, and flags that users may not change."""
    if op not in ("add", "remove"):
        raise ApiError(f"Invalid message flag operation: '{op}'")
    if flag not in flags.KNOWN:
        raise ApiError(f"Invalid flag: '{flag}'")
    if flag not in flags.EDITABLE:
        raise ApiError(f"Flag not editable: '{flag}'")


@dataclass(slots=True, kw_only=True)
class _FlagProgress(Progress):
    """The messages that a request means, and how far it got with them."""

    ids: Sequence[int]
    found_oldest: bool = False
    found_newest: bool = False
    processed: int = 0
    updated: int = 0
    not_subscribed: list[int] = field(default_factory=list)


def _change_some(tx: Tx, user: UserRow, op: str, flag: str, progress: _FlagProgress) -> bool:
    """Set or clear a flag on the next messages, if the user may still read them; returns whether these were the last."""
    change = actions.set_flag if op == "add" else actions.clear_flag
    part = progress.ids[progress.processed : progress.processed + AT_ONCE]
    changed = change(tx, user, flag, visible_among(tx, user, part))
    progress.processed += len(part)
    progress.updated += len(changed.ids)
    progress.not_subscribed = sorted({*progress.not_subscribed, *changed.not_subscribed})
    return progress.processed == len(progress.ids)


def _ignored(op: str, flag: str, progress: _FlagProgress) -> Ignored:
    if (op, flag) != ("remove", flags.READ):
        return {}
    return {"ignored_because_not_subscribed_channels": progress.not_subscribed}


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
    progress = _FlagProgress(
        ids=part.ids, found_oldest=part.found_oldest, found_newest=part.found_newest
    )

    def step(tx: Tx) -> ChangedInNarrow | None:
        if not _change_some(tx, user, op, flag, progress):
            return None
        return {
            "processed_count": progress.processed,
            "updated_count": progress.updated,
            "first_processed_id": progress.ids[0] if progress.ids else None,
            "last_processed_id": progress.ids[-1] if progress.ids else None,
            "found_oldest": progress.found_oldest,
            "found_newest": progress.found_newest,
            **_ignored(op, flag, progress),
        }

    # Without a key, the same narrow may mean other messages by now, and asks for those.
    return await context.write_in_slices(step, progress if context.resend else None)


async def mark_all(context: Context, user: UserRow) -> Complete:
    """Mark all messages as read."""

    def step(tx: Tx) -> Complete | None:
        return None if actions.mark_some_read(tx, user) else {"complete": True}

    return await context.write_in_slices(step)


async def mark_channel(context: Context, user: UserRow, *, stream_id: ChannelId) -> Done:
    """Mark all messages in a channel as read."""
    channel = context.read(lambda db: access_channel_by_id(db, user, stream_id))
    more = actions.reading_channel(user, channel)
    return await context.write_in_slices(lambda tx: None if more(tx) else Done())


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
    more = actions.reading_topic(user, topic.id)
    return await context.write_in_slices(lambda tx: None if more(tx) else Done())
