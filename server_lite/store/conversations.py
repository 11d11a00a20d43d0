"""Rows of direct conversations: one per set of participants, the sender included. SQL only."""

from collections.abc import Collection
from typing import cast

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A row of `conversation`. `members` are all participants, ascending."""

    id: int
    members: tuple[UserId, ...]
    max_id: int
    """ID of the newest message; 0 without messages."""


def _conversation(row: tuple[int, str, int]) -> ConversationRow:
    conversation_id, members, max_id = row
    return ConversationRow(
        conversation_id, tuple(UserId(int(member)) for member in members.split(",")), max_id
    )


def _key(members: Collection[UserId]) -> str:
    return ",".join(map(str, sorted(set(members))))


def between(db: Db, members: Collection[UserId]) -> ConversationRow | None:
    """Return the conversation with exactly these participants."""
    row = db.row("SELECT id, members, max_id FROM conversation WHERE members = ?", _key(members))
    return _conversation((row[0], row[1], row[2])) if row else None


def ensure(db: Db, members: Collection[UserId]) -> ConversationRow:
    """Return the conversation with exactly these participants; created if missing."""
    conversation = between(db, members)
    if conversation is not None:
        return conversation
    everyone = sorted(set(members))
    conversation_id = insert_row(db, "conversation", members=_key(everyone))
    db.many(
        "INSERT INTO conversation_member (user_id, conversation_id) VALUES (?, ?)",
        [(user_id, conversation_id) for user_id in everyone],
    )
    return ConversationRow(conversation_id, tuple(everyone), 0)


def by_ids(db: Db, ids: Collection[int]) -> dict[int, ConversationRow]:
    """Return conversations by ID."""
    if not ids:
        return {}
    rows = db.rows(
        "SELECT conversation.id, members, max_id FROM json_each(?) CROSS JOIN conversation ON conversation.id = value",
        orjson.dumps(sorted(set(ids))).decode(),
    )
    return {row[0]: _conversation((row[0], row[1], row[2])) for row in rows}


def members_by_id(db: Db, ids: Collection[int]) -> list[tuple[int, str]]:
    """Return the participants of conversations, as IDs with commas, by ID of the conversation."""
    if not ids:
        return []
    rows = db.rows(
        "SELECT conversation.id, members FROM json_each(?) CROSS JOIN conversation ON conversation.id = value",
        orjson.dumps(sorted(ids)).decode(),
    )
    return cast(list[tuple[int, str]], rows)


def recent_as_json(db: Db, user_id: UserId, limit: int) -> bytes:
    """Return a user's nonempty conversations as JSON, most recent first: newest message and other participants."""
    # Two texts: a row for each conversation would take five times as long. One has a line `newest:members]` for each.
    row = db.row(
        "SELECT json_group_array(max_id), group_concat(max_id || ':' || members || ']', char(10))"
        " FROM conversation_member AS mine CROSS JOIN conversation ON conversation.id = conversation_id"
        " WHERE mine.user_id = ? AND max_id > 0",
        user_id,
    )
    if row is None or row[1] is None:
        return b"[]"
    ids, lines = row
    for with_user, without in (
        (f":{user_id},", ":"),
        (f",{user_id},", ","),
        (f",{user_id}]", "]"),
        (f":{user_id}]", ":]"),
    ):
        lines = lines.replace(with_user, without)
    by_newest = dict(zip(orjson.loads(ids), lines.split("\n"), strict=True))
    chosen = "\n".join([by_newest[newest] for newest in sorted(by_newest, reverse=True)[:limit]])
    objects = chosen.replace(":", ',"user_ids":[').replace("\n", '},{"max_message_id":')
    return f'[{{"max_message_id":{objects}}}]'.encode()


def raise_max_id(db: Db, conversation_id: int, message_id: MessageId) -> None:
    """Store the conversation's newest message."""
    db.run("UPDATE conversation SET max_id = ? WHERE id = ?", message_id, conversation_id)


def recount(db: Db, conversation_id: int) -> None:
    """Recompute the newest message after a deletion."""
    db.run(
        "UPDATE conversation SET max_id = (SELECT coalesce(max(id), 0) FROM message"
        " WHERE conversation_id = ?) WHERE id = ?",
        conversation_id,
        conversation_id,
    )
