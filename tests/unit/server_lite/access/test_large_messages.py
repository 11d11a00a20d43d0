"""Messages with very much attached: deleted in parts, and read in a thread."""

from pathlib import Path

import pytest

from server_lite.access.recipients import ChannelRecipient
from server_lite.actions import message_deletion
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.users import create_user
from server_lite.ids import MessageId
from server_lite.store import flags, history, messages
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role


def _found(tx: Tx) -> list[MessageId]:
    """Return messages with 5, 0 and 1 reactions."""
    person = create_user(tx, email="p@x.de", full_name="P", role=Role.MEMBER, password=None)
    channel = create_channel(tx, None, name="c")
    ids = [
        send_message(tx, person, ChannelRecipient(channel, "t"), "x", client="test").id
        for _ in range(3)
    ]
    for message_id, count in zip(ids, (5, 0, 1), strict=True):
        tx.many(
            "INSERT INTO reaction (message_id, user_id, reaction_type, emoji_code, emoji_name)"
            " VALUES (?, ?, 'unicode_emoji', ?, 'x')",
            [(message_id, person.id, str(n)) for n in range(count)],
        )
    return ids


def test_reactions_of_a_message_are_deleted_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message with 150,000 reactions held all others for 340 ms, a topic of such messages for seconds."""
    monkeypatch.setattr(message_deletion, "ATTACHED", 2)
    monkeypatch.setattr(flags, "ROWS_AT_ONCE", 2)
    database = Database(tmp_path / "x.db")
    ids = database.write_now(_found)
    deleted: list[int] = []
    left: list[int] = []

    def step(tx: Tx) -> None:
        part = message_deletion.first_to_delete(tx, [one for one in ids if one not in deleted])
        message_deletion.delete_messages(tx, messages.by_ids(tx, part))
        deleted.extend(part)
        left.append(tx.value("SELECT count(*) FROM reaction"))

    while len(deleted) < len(ids):
        database.write_now(step)
    database.close()
    assert left[:2] == [4, 2]
    assert left[-1] == 0


async def test_a_page_of_long_edit_histories_is_read_in_a_thread(tmp_path: Path) -> None:
    """100 messages with long histories held all others for 240 ms: few steps for SQLite, but much to decode."""
    database = Database(tmp_path / "x.db")
    ids = database.write_now(_found)

    async def readers() -> int:
        used: list[Db] = []

        def read(db: Db) -> None:
            used.append(db)
            messages.fetched(db, ids, rendered=True)

        await database.read_or_delegate(read)
        return len(used)

    assert await readers() == 1
    history = f'[{{"prev_content": "{"x" * 500_000}"}}]'
    database.write_now(lambda tx: tx.run("UPDATE message SET edit_history = ?", history))
    assert await readers() == 2
    database.close()


def test_messages_with_long_edit_histories_move_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renaming a topic of 100 such messages held all others for 130 ms: each history is written anew."""
    monkeypatch.setattr(history, "AT_ONCE", 250)
    database = Database(tmp_path / "x.db")
    ids = database.write_now(_found)
    assert history.first_of(database.reader, ids) == ids
    long = f'["{"x" * 100}"]'
    database.write_now(lambda tx: tx.run("UPDATE message SET edit_history = ?", long))
    assert history.first_of(database.reader, ids) == ids[:2]
    database.write_now(lambda tx: tx.run("UPDATE message SET edit_history = ?", long * 9))
    assert history.first_of(database.reader, ids) == ids[:1]
    database.close()
