"""Topics that are kept for their next message are those on disk, whatever was undone."""

from functools import partial
from pathlib import Path

import pytest

from server_lite.ids import ChannelId, MessageId
from server_lite.store import topics
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.topics import KnownTopic
from tests.call_counter import statements

CHANNEL = ChannelId(1)


def say(tx: Tx, name: str, message_id: int) -> KnownTopic:
    topic = topics.get_or_create(tx, CHANNEL, name)
    topics.raise_max_id(tx, topic.id, MessageId(message_id), was_empty=topic.is_empty)
    return topic


def shown(db: Db) -> list[tuple[str, int]]:
    return [(topic.name, topic.max_id) for topic in topics.of_channel(db, CHANNEL)]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = Database(tmp_path / "x.db")
    database._writer.execute("PRAGMA foreign_keys = OFF")  # there is no channel
    return database


def test_a_topic_that_is_kept_follows_its_name_and_its_messages(database: Database) -> None:
    """Once it is empty, the next message gives it a new spelling; a new name is another topic."""

    def talk(tx: Tx) -> None:
        first = say(tx, "tea", 1)
        assert first.is_empty
        assert say(tx, "TEA", 2) == say(tx, "tea", 3) == KnownTopic(first.id, "tea", is_empty=False)
        topics.rename(tx, first.id, "coffee")
        assert say(tx, "tea", 4).id != first.id
        assert say(tx, "Coffee", 5).name == "coffee"
        topics.recount(tx, first.id)  # no message is stored here
        assert say(tx, "Coffee", 6) == KnownTopic(first.id, "Coffee", is_empty=True)

    database.write_now(talk)
    assert shown(database.reader) == [("Coffee", 6), ("tea", 4)]
    database.close()


def test_a_topic_is_not_kept_of_a_change_that_failed(database: Database) -> None:
    """Neither a new one, nor that an empty one had messages; counts of others are as they were."""
    empty = database.write_now(lambda tx: topics.get_or_create(tx, CHANNEL, "empty"))
    database.write_now(lambda tx: say(tx, "tea", 1))

    def fail(tx: Tx, names: list[str]) -> None:
        for message_id in (2, 3):
            for name in names:
                say(tx, name, message_id)
        raise LookupError

    for names in (["tea", "new"], ["empty"]):
        with pytest.raises(LookupError):
            database.write_now(partial(fail, names=names))
    assert shown(database.reader) == [("tea", 1)]
    again = database.write_now(lambda tx: [say(tx, name, 4) for name in ("Empty", "tea", "new")])
    assert [topic.is_empty for topic in again] == [True, False, True]
    assert again[0] == KnownTopic(empty.id, "Empty", is_empty=True)
    assert sorted(shown(database.reader)) == [("Empty", 4), ("new", 4), ("tea", 4)]
    database.close()


def test_names_are_read_once_and_follow_a_renaming(database: Database) -> None:
    """Clients that start in the same hour have unread messages in the same topics."""
    ids = database.write_now(lambda tx: [say(tx, name, 1).id for name in ("tea", "cake")])
    expected = [(CHANNEL, "cake", ids[1]), (CHANNEL, "tea", ids[0])]
    assert topics.names(database.reader, ids[:1]) == expected[1:]
    assert topics.names(database.reader, ids) == expected
    with statements(database.reader.connection) as sql:
        assert topics.names(database.reader, ids) == expected
    assert not sql
    database.write_now(lambda tx: topics.rename(tx, ids[0], "ale"))
    assert topics.names(database.reader, ids) == [(CHANNEL, "ale", ids[0]), expected[0]]
    database.close()


def test_names_are_in_order_however_many_are_kept(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few of many are sorted, most of them are found in order, and some may not be kept at all."""
    monkeypatch.setattr(topics, "KNOWN_NAMES", 20)
    ids = database.write_now(lambda tx: [say(tx, f"{9 * n % 31:02}", 1).id for n in range(31)])
    in_order = sorted(ids, key=lambda one: 9 * (one - ids[0]) % 31)
    for wanted in (ids[:18], ids[3:4], ids[16:19], ids, ids[10:]):
        for _ in range(2):
            got = [topic_id for _, _, topic_id in topics.names(database.reader, wanted)]
            assert got == [one for one in in_order if one in wanted]
    database.close()
