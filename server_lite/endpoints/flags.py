"""Flags of messages, and marking much as read. Thin."""

from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access.channels import access_channel_by_id
from server_lite.access.composition import clean_topic
from server_lite.access.messages import REFUSED, visible_among
from server_lite.actions import flags as actions
from server_lite.answers import Done
from server_lite.endpoints.messages import Narrow
from server_lite.errors import ApiError
from server_lite.narrow.query import query
from server_lite.narrow.terms import parse_narrow
from server_lite.narrow.window import anchor_of, check_counts, window
from server_lite.params import Alias, ChannelId
from server_lite.store import flags, topics
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


class Ignored(TypedDict, total=False):
    """Told when messages became unread: channels left out, as only subscribers have unread messages."""

    ignored_because_not_subscribed_channels: list[int]


class Changed(Ignored):
    """Ids of those that could be changed, also where they had been so already."""

    messages: list[int]


class ChangedInNarrow(Ignored):
    """How far the change went, so that a client can go on from there."""

    processed_count: int
    updated_count: int
    first_processed_id: int | None
    last_processed_id: int | None
    found_oldest: bool
    found_newest: bool


class Complete(TypedDict):
    """Whether nothing is left to do."""

    complete: bool


def update(tx: Tx, user: UserRow, *, messages: list[int], op: str, flag: str) -> Changed:
    """Set or clear a flag on some messages."""
    check(op, flag)
    ids = visible_among(tx, user, [one for one in messages if 0 < one < 2**63])
    # Clients mark as read what they saw, and some of that may have gone since.
    if flag != flags.READ and len(ids) != len(set(messages)):
        raise ApiError(REFUSED)
    changed = change(tx, user, op, flag, ids)
    return {"messages": ids, **_ignored(op, flag, changed)}


def check(op: str, flag: str) -> None:
    """Refuse unknown operations, and flags that are not the person's to change."""
    if op not in ("add", "remove"):
        raise ApiError(f"Invalid message flag operation: '{op}'")
    if flag not in flags.KNOWN:
        raise ApiError(f"Invalid flag: '{flag}'")
    if flag not in flags.EDITABLE:
        raise ApiError(f"Flag not editable: '{flag}'")


def change(tx: Tx, user: UserRow, op: str, flag: str, ids: list[int]) -> actions.Changed:
    """Set or clear."""
    return (actions.set_flag if op == "add" else actions.clear_flag)(tx, user, flag, ids)


def _ignored(op: str, flag: str, changed: actions.Changed) -> Ignored:
    if (op, flag) != ("remove", flags.READ):
        return {}
    return {"ignored_because_not_subscribed_channels": changed.not_subscribed}


def update_narrow(
    tx: Tx,
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
    """Set or clear a flag on a part of a narrow."""
    check(op, flag)
    before, after = check_counts(num_before, num_after)
    terms = parse_narrow(narrow or [])
    asked = query(tx, user, terms)
    at = anchor_of(tx, user, terms, asked, anchor, None)
    part = window(tx, asked, at, before=before, after=after, include_anchor=include_anchor)
    changed = change(tx, user, op, flag, part.ids)
    return {
        "processed_count": len(part.ids),
        "updated_count": len(changed.ids),
        "first_processed_id": part.ids[0] if part.ids else None,
        "last_processed_id": part.ids[-1] if part.ids else None,
        "found_oldest": part.found_oldest,
        "found_newest": part.found_newest,
        **_ignored(op, flag, changed),
    }


def mark_all(tx: Tx, user: UserRow) -> Complete:
    """Everything was read."""
    actions.mark_all_read(tx, user)
    return {"complete": True}


def mark_channel(tx: Tx, user: UserRow, *, stream_id: ChannelId) -> Done:
    """Everything in a channel was read."""
    actions.mark_channel_read(tx, user, access_channel_by_id(tx, user, stream_id))
    return {}


def mark_topic(
    tx: Tx,
    user: UserRow,
    *,
    stream_id: ChannelId,
    topic_name: Annotated[str, Alias("topic")],
) -> Done:
    """Everything in a topic was read."""
    channel = access_channel_by_id(tx, user, stream_id, wants="content")
    topic = topics.by_name(tx, channel.id, clean_topic(topic_name))
    if topic is None or topic.max_id == 0:
        raise ApiError(f"No such topic '{topic_name}'")
    actions.mark_topic_read(tx, user, topic.id)
    return {}
