"""Rows for exports, and rows imported with the IDs of their origin. SQL only."""

from collections.abc import Collection, Sequence

import orjson

from server_lite.ids import ChannelId, MessageId, UserId
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.rows import insert_row
from server_lite.store.shared_flags import ANY_FLAG


def flags_on(db: Db, ids: Collection[int]) -> list[tuple[int, str, int]]:
    """Return (message ID, flag, user ID) of all stored flags on these messages."""
    sorted_ids = sorted(ids)
    return [
        (message_id, flag, user_id)
        for message_id, flag, user_id in db.rows(
            f"SELECT message_id, flag, user_id FROM {ANY_FLAG} AS any_flag WHERE message_id IN ({placeholders(sorted_ids)})"
            " ORDER BY message_id, flag, user_id",
            *sorted_ids,
        )
    ]


def unread_on(db: Db, ids: Collection[int]) -> list[tuple[int, int]]:
    """Return (message ID, user ID) for every unread message of these."""
    sorted_ids = sorted(ids)
    return [
        (message_id, user_id)
        for message_id, user_id in db.rows(
            f"SELECT message_id, user_id FROM unread WHERE message_id IN ({placeholders(sorted_ids)})"
            " ORDER BY message_id, user_id",
            *sorted_ids,
        )
    ]


def add_people_to_group(
    db: Db, group_id: int, people: Sequence[UserId], groups: Sequence[int]
) -> None:
    """Add members and subgroups to a new group; the subgroups may be inserted later."""
    for user_id in people:
        insert_row(db, "user_group_member", group_id=group_id, user_id=user_id)
    for subgroup_id in groups:
        insert_row(db, "user_group_subgroup", group_id=group_id, subgroup_id=subgroup_id)


def as_json(value: object) -> str:
    """Return a structure as stored in a column."""
    return orjson.dumps(value).decode()


def first_message(db: Db, channel_id: ChannelId, message_id: MessageId) -> None:
    """Store a channel's first message, if it has none: messages are imported in order of ID."""
    db.run(
        "UPDATE channel SET first_message_id = ? WHERE id = ? AND first_message_id IS NULL",
        message_id,
        channel_id,
    )


def put_off_references(db: Db) -> None:
    """Allow rows to refer to others that are inserted later in the same transaction."""
    db.run("PRAGMA defer_foreign_keys = ON")


def people_in(db: Db, condition: str, values: Sequence[SqlValue]) -> set[UserId]:
    """Return who sent, reacted to, voted in or received messages that match a condition over `message`."""
    people = set[UserId]()
    for sql in (
        "SELECT DISTINCT sender_id FROM message WHERE {}",
        "SELECT DISTINCT reaction.user_id FROM reaction JOIN message"
        " ON message.id = reaction.message_id WHERE {}",
        "SELECT DISTINCT submessage.sender_id FROM submessage JOIN message"
        " ON message.id = submessage.message_id WHERE {}",
        "SELECT DISTINCT conversation_member.user_id FROM conversation_member JOIN message"
        " USING (conversation_id) WHERE {}",
    ):
        people.update(db.column(sql.format(condition), *values))
    return people


def channels_of(db: Db, condition: str, values: Sequence[SqlValue]) -> list[int]:
    """Return IDs of the channels that contain matching messages."""
    return db.column(
        f"SELECT DISTINCT channel_id FROM message WHERE channel_id IS NOT NULL AND {condition}",
        *values,
    )
