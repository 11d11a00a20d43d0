"""Topics of messages each of which calls 5,000 people, to be moved or deleted: for `pauses.py`. Measures nothing."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from benchmarks.large_history import CLOSED, EVERYBODY, GROUPS
from server_lite.access.recipients import address
from server_lite.actions.messages import send_message
from server_lite.ids import MessageId, UserId
from server_lite.store import unread_messages, users
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx

OWNER: Final = "p0"
CALLS: Final = 50
"""Messages of each topic."""
TEXT: Final = f"@**all** @*group {GROUPS - 1}* tea"
"""Three flags for each person: by a wildcard, by a group, and by a word that all watch for."""
TOPICS: Final = {"renamed": False, "unread, closed": True, "closed": False, "deleted": False}
"""Name of a topic -> whether its messages are unread."""


async def make_calls(
    database: Database, everyone: Sequence[UserId], count: int = CALLS
) -> Mapping[str, MessageId]:
    """Send the messages; returns the newest one of each topic."""

    def send(tx: Tx, topic: str, is_unread: bool) -> MessageId:
        owner = users.by_id(tx, everyone[0])
        assert owner is not None
        to = address(tx, owner, "channel", EVERYBODY, topic)
        sent = send_message(tx, owner, to, TEXT, client="benchmark").id
        if not is_unread:
            unread_messages.remove(tx, everyone, [sent])
        return sent

    newest: dict[str, MessageId] = {}
    for topic, is_unread in TOPICS.items():
        for _ in range(count):  # each is sent, and told, on its own
            newest[topic] = await database.write(partial(send, topic=topic, is_unread=is_unread))
    return newest


def calls(
    db: Db, newest: Mapping[str, MessageId], public: int, count: int = CALLS
) -> list[tuple[str, str, str, str, dict[str, Any]]]:
    """Return requests of the owner: user, name, request. `public` is a channel with a tenth of all users."""
    channel, closed = (
        db.value("SELECT id FROM channel WHERE name = ?", name) for name in (EVERYBODY, CLOSED)
    )

    def moved(called: str, where: str, **to: Any) -> tuple[str, str, str, str, dict[str, Any]]:
        form = {"propagate_mode": "change_all", **to}
        return OWNER, f"{count} calls, {where}", "PATCH", f"messages/{newest[called]}", form

    deletion = {"topic_name": "deleted"}
    return [
        moved("renamed", "renamed", topic="calls"),
        moved("renamed", "to a public channel", stream_id=public),
        moved("unread, closed", "to a private channel", stream_id=closed),
        moved("closed", "that are read, to it", stream_id=closed),
        (OWNER, f"{count} calls, deleted", "POST", f"streams/{channel}/delete_topic", deletion),
    ]
