"""The edit history of a message, stored as a JSON list in its row, newest first. SQL only.

An entry has `user_id` and `timestamp`, and for what changed: `prev_content` and
`prev_rendered_content`; `prev_stream` and `stream`; `prev_topic` and `topic`.
"""

from collections.abc import Sequence
from typing import NotRequired

import orjson
from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store.connection import Db


class Entry(TypedDict):
    """An edit of a message: user, time (UNIX seconds), and the previous values."""

    user_id: UserId | None
    timestamp: int
    prev_content: NotRequired[str]
    prev_rendered_content: NotRequired[str]
    prev_stream: NotRequired[int]
    stream: NotRequired[int]
    prev_topic: NotRequired[str]
    topic: NotRequired[str]


def add(db: Db, ids: Sequence[int], entry: Entry) -> None:
    """Add an edit, the same for all these messages."""
    text = orjson.dumps(entry).decode()
    db.many(
        "UPDATE message SET edit_history = CASE edit_history WHEN '[]' THEN '[' || ? || ']'"
        " ELSE '[' || ? || ',' || substr(edit_history, 2) END WHERE id = ?",
        [(text, text, message_id) for message_id in ids],
    )
