"""Unread messages: the same by message and by user, whenever rows are copied; few pages are written and read."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Final
from unittest.mock import patch

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.actions.channels import create_channel
from server_lite.ids import ChannelId, MessageId, TopicId, UserId
from server_lite.narrow.query import query
from server_lite.narrow.terms import parse_narrow
from server_lite.store import (
    flags,
    messages,
    outdated_rows,
    shared_flags,
    topics,
    unread_in_channels,
    unread_messages,
    unread_places,
    users,
)
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.call_counter import virtual_steps

STEPS: Final = (
    *("send",) * 6,
    *("read",) * 3,
    *("send to some", "import", "mark as unread", "forget", "read until", "delete"),
    *("join", "leave", "fail", "restart", "move flags", "move away", "change topic"),
    *("delete outdated rows",) * 3,
)


class Town:
    """A database with a channel of two topics, and what should be unread in it, as pairs."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.users: list[UserId] = []
        self.subscribed: set[UserId] = set()
        self.messages: dict[int, int] = {}
        """Message ID -> topic ID."""
        self.unread: set[tuple[UserId, int]] = set()
        self.mentions: set[tuple[UserId, int]] = set()
        self._names = count()
        self.channel_id, self.topic_ids = self.database.write_now(self._found)
        self.join(4)

    def _found(self, tx: Tx) -> tuple[ChannelId, list[TopicId]]:
        channel = create_channel(tx, None, name="all")
        return channel.id, [topics.get_or_create(tx, channel.id, name).id for name in ("a", "b")]

    def join(self, people: int) -> None:
        """Add people to the channel."""

        def change(tx: Tx) -> None:
            joined = [
                users.insert(
                    tx,
                    email=f"p{next(self._names)}@example.com",
                    full_name="Person",
                    role=Role.MEMBER,
                    now=1,
                    password=None,
                )
                for _ in range(people)
            ]
            tx.many(
                "INSERT INTO subscription (user_id, channel_id, color) VALUES (?, ?, '')",
                [(user, self.channel_id) for user in joined],
            )
            tx.many(
                "INSERT INTO membership (user_id, channel_id, after_id) VALUES (?, ?, 0)",
                [(user, self.channel_id) for user in joined],
            )
            self.users += joined
            self.subscribed.update(joined)

        self.database.write_now(change)

    def some_users(self, number: int) -> set[UserId]:
        """Return some of them, chosen by the bits of a number."""
        return {one for at, one in enumerate(self.users) if number >> at & 1}

    def some_messages(self, number: int) -> list[int]:
        """Return some of the messages, chosen by the bits of a number."""
        return [one for at, one in enumerate(sorted(self.messages)) if number >> at % 12 & 1]

    def insert(self, tx: Tx, number: int) -> MessageId:
        """Store a message without readers."""
        topic_id = self.topic_ids[number % 2]
        return MessageId(
            tx.insert(
                "INSERT INTO message (sender_id, channel_id, topic_id, content, rendered, plain,"
                " timestamp, client, has_link, has_image, has_attachment)"
                " VALUES (1, ?, ?, 'x', 'x', 'x', 1, 'x', 0, 0, 0)",
                self.channel_id,
                topic_id,
            )
        )

    def send(self, number: int, readers: set[UserId], *, slices: int = 1) -> MessageId:
        """Send a message to all subscribers who have not read it yet."""

        def change(tx: Tx) -> MessageId:
            message_id = self.insert(tx, number)
            unread_messages.add_to_subscribers(tx, message_id, self.channel_id, but=readers)
            unread_messages.copy_some(tx, message_id, count=slices)
            flags.add_to_people(tx, message_id, {"mentioned": readers})
            return message_id

        message_id = self.database.write_now(change)
        self.messages[message_id] = self.topic_ids[number % 2]
        self.unread |= {(one, message_id) for one in self.subscribed - readers}
        self.mentions |= {(one, message_id) for one in readers}
        return message_id

    def take(self, step: str, number: int) -> None:
        """Do something to the tables and to the pairs."""
        user = self.users[number % len(self.users)]
        some, ids = self.some_users(number >> 4), self.some_messages(number >> 8)
        write = self.database.write_now
        match step:
            case "send":
                self.send(number, some, slices=number % 3 + 1)
            case "send to some":
                message_id = self.send(number, set(self.users))
                write(lambda tx: unread_messages.add(tx, message_id, some))
                self.unread |= {(one, message_id) for one in some}
            case "import":  # in any order
                for message_id in map(MessageId, reversed(ids)):
                    write(partial(unread_messages.add, message_id=message_id, user_ids=some))
                self.unread |= {(one, message_id) for one in some for message_id in ids}
            case "read":
                write(lambda tx: flags.add(tx, user, flags.READ, ids))
                self.unread -= {(user, message_id) for message_id in ids}
            case "mark as unread":
                write(lambda tx: flags.remove(tx, user, flags.READ, ids))
                self.unread |= {(user, message_id) for message_id in ids}
            case "forget":
                write(lambda tx: unread_messages.remove(tx, some, ids))
                self.unread -= {(one, message_id) for one in some for message_id in ids}
            case "read until":
                until = max(ids, default=0)
                write(lambda tx: unread_messages.remove_until(tx, user, until))
                self.unread = {pair for pair in self.unread if pair[0] != user or pair[1] > until}
            case "delete":
                write(lambda tx: self._delete(tx, ids[:2]))
                self.messages = {k: v for k, v in self.messages.items() if k not in ids[:2]}
                self.unread = {pair for pair in self.unread if pair[1] not in ids[:2]}
            case "join":
                self.join(1 + number % 2)
            case "leave":
                self._toggle(user)
            case "fail":
                with suppress(LookupError):
                    write(self._fail)
            case "move flags":
                write(shared_flags.move_some)
            case "move away":
                write(lambda tx: unread_messages.remove_outside(tx, ids, self.channel_id))
                self.unread = {
                    pair for pair in self.unread if pair[0] in self.subscribed or pair[1] not in ids
                }
            case "change topic":
                topic_id = self.topic_ids[number % 2]
                write(lambda tx: messages.set_place(tx, ids, self.channel_id, topic_id, None))
                self.messages |= dict.fromkeys(ids, topic_id)
            case "delete outdated rows":
                write(outdated_rows.delete_some)
            case "restart":
                self.database.close()
                self.database = quick(self.database.path)

    def _delete(self, tx: Tx, ids: list[int]) -> None:
        unread_messages.remove_messages(tx, ids)
        flags.remove_messages(tx, ids)
        tx.many("DELETE FROM message WHERE id = ?", [(one,) for one in ids])

    def _toggle(self, user: UserId) -> None:
        self.subscribed ^= {user}
        self.database.write_now(
            lambda tx: tx.run(
                "UPDATE subscription SET active = ? WHERE user_id = ?",
                int(user in self.subscribed),
                user,
            )
        )

    def _fail(self, tx: Tx) -> None:
        for number in range(5):
            message_id = self.insert(tx, number)
            unread_messages.add_to_subscribers(tx, message_id, self.channel_id, but=())
            unread_messages.copy_some(tx, message_id)
        raise LookupError

    def check(self, user: UserId, number: int) -> None:
        """Every way to ask about a user gives the pairs."""
        db = self.database.reader
        mine = sorted(message_id for one, message_id in self.unread if one == user)
        by_topic = {
            topic: [one for one in mine if self.messages[one] == topic] for topic in self.topic_ids
        }
        above, most = (mine or [0])[number % max(len(mine), 1)], number % 4 + 1
        later = [one for one in mine if one > above]
        topic, in_topic = list(by_topic.items())[number % 2]

        assert unread_messages.count_wrong(db) == 0
        assert unread_messages.among(db, user, self.messages) == set(mine)
        with patch.object(unread_messages, "DENSE", 0):  # each is looked up
            assert unread_messages.among(db, user, self.messages) == set(mine)
        shown = flags.of_messages(db, user, self.messages)
        assert [one for one, names in sorted(shown.items()) if flags.READ not in names] == mine
        asked = {user: above, self.users[number % len(self.users)]: 0}
        in_channel = {
            one: sorted(there for who, there in self.unread if who == one and there > least)
            for one, least in asked.items()
        }
        assert unread_in_channels.of_users(db, asked, [self.channel_id]) == {
            one: ids for one, ids in in_channel.items() if ids
        }
        examined = unread_in_channels.count_examined(db, [user], [self.channel_id], most=most)
        assert min(most, len(mine)) <= examined[user] <= most
        assert unread_messages.oldest(db, user, most) == mine[:most]
        assert unread_messages.newest_beyond(db, user, most) == next(iter(mine[::-1][most:]), None)
        assert unread_messages.next_where(
            db, user, "topic_id = ?", topic, above=above, limit=most
        ) == (
            [one for one in later[:most] if one in in_topic],
            later[most - 1] if len(later) >= most else None,
        )
        assert unread_places.places(db, user, above=0) == (
            mine,
            {topic: ids for topic, ids in by_topic.items() if ids},
            {},
        )
        mentions, _ = flags.mentions(db, user, since=above)
        assert mentions == {
            one for of, one in self.mentions if of == user and one >= above and one in self.messages
        }

        row = users.by_id(db, user)
        assert row is not None
        narrow = query(db, row, parse_narrow([["is", "unread"]]))
        assert narrow.among(db, list(self.messages)) == mine
        assert narrow.ids(db, limit=most) == mine[:most]
        assert narrow.ids(db, limit=most, above=above) == later[:most]
        assert narrow.ids(db, limit=most, newest=True) == mine[::-1][:most]
        earlier = [one for one in mine if one < above]
        assert narrow.ids(db, limit=most, below=above, newest=True) == earlier[::-1][:most]


def quick(path: Path) -> Database:
    """Open a database that survives no power cut."""
    database = Database(path)
    database._writer.execute("PRAGMA synchronous = OFF")
    return database


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a new file, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "x.db"
    Database(path).close()
    return path


@settings(max_examples=8)
@given(
    limits=st.tuples(*(st.integers(1, most) for most in (4, 4, 6, 9))),
    steps=st.lists(
        st.tuples(st.sampled_from(STEPS), st.integers(0, 2**24 - 1)), min_size=25, max_size=40
    ),
)
def test_every_question_has_the_same_answer_whenever_rows_are_copied(
    empty: Path,
    limits: tuple[int, ...],
    steps: list[tuple[str, int]],
) -> None:
    """Nobody sees a message twice, misses one, or finds one unread again, at any point of a pass."""
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in zip(("BATCH", "PASS", "SLICE", "MOST"), limits, strict=True):
            patch.setattr(unread_messages, name, limit)
        for module, name in product((shared_flags, outdated_rows), ("BATCH", "SLICE")):
            patch.setattr(module, name, limits[0])
        patch.setattr(outdated_rows, "FEW", limits[0] % 3)
        town = Town(quick(Path(shutil.copy(empty, empty.with_name("copy.db")))))
        for step, number in steps:
            town.take(step, number)
            town.check(town.users[number % len(town.users)], number)
        for at, user in enumerate(town.users):
            town.check(user, at)
        by_message = {message_id: set[UserId]() for message_id in town.messages}
        for user, message_id in town.unread:
            by_message[message_id].add(user)
        for message_id, readers in by_message.items():
            assert unread_messages.users_of(town.database.reader, MessageId(message_id)) == readers
        town.database.close()


PEOPLE: Final = 200


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """People with so many unread messages that each has pages of their own."""
    town = Town(quick(tmp_path_factory.mktemp("large") / "x.db"))
    town.join(PEOPLE - len(town.users))

    def fill(tx: Tx) -> None:
        ids = [town.insert(tx, number) for number in range(400)]
        rows = [(message_id, one) for message_id in ids for one in town.users]
        tx.many("INSERT INTO unread (message_id, user_id) VALUES (?, ?)", rows)
        unread_messages.rebuild_by_user(tx)

    town.database.write_now(fill)
    yield town
    town.database.close()


def test_a_message_to_many_people_writes_few_pages(large: Town) -> None:
    """A page for each of 300 people was 1.4 MB for each message, on a memory card as well."""
    connection = large.database.write_now(lambda tx: tx.connection)

    def pages() -> int:
        return connection.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]

    written, rows = [], []
    for number in range(2 * unread_messages.BATCH):
        before, changes = pages(), connection.total_changes()
        large.send(number, set())
        written.append(pages() - before)
        rows.append(connection.total_changes() - changes)
    assert sum(written) / len(written) < PEOPLE / 10
    assert max(rows) < 2 * PEOPLE + unread_messages.SLICE + 100
    assert sum(rows) / len(rows) < 2.5 * PEOPLE


def test_messages_that_come_together_copy_few_rows_together(
    large: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty messages in a transaction may copy fifty slices: 77,000 rows, for which all others would wait."""
    monkeypatch.setattr(unread_messages, "MOST", 3_000)
    connection = large.database.write_now(lambda tx: tx.connection)
    large.database.write_now(unread_messages.rebuild_by_user)
    rows = []
    for number in range(3 * unread_messages.BATCH):
        changes = connection.total_changes()
        large.send(number, set(), slices=50)
        rows.append(connection.total_changes() - changes)
    assert max(rows) < 2 * PEOPLE + 2 * unread_messages.MOST
    assert sum(rows) > 3 * PEOPLE * unread_messages.BATCH, "and all are copied in time"
    assert large.database.read(unread_messages.count_wrong) == 0


def test_messages_that_wait_cost_readers_little(large: Town) -> None:
    """Most messages of a page may wait to be listed by user; each costs a few steps."""
    db, user = large.database.reader, large.users[0]
    row = users.by_id(db, user)
    assert row is not None
    questions: list[Callable[[], object]] = [
        lambda: unread_places.places(db, user, above=0),
        lambda: unread_in_channels.of_users(db, {user: 0}, [large.channel_id]),
        lambda: unread_messages.newest_beyond(db, user, 300),
        lambda: unread_messages.next_where(db, user, "sender_id = ?", 1, above=0, limit=450),
        lambda: flags.of_messages(db, user, list(large.messages)),
        lambda: query(db, row, parse_narrow([["is", "unread"]])).ids(db, limit=100, newest=True),
        lambda: query(db, row, parse_narrow([["is", "unread"]])).ids(db, limit=1),
    ]
    large.database.write_now(unread_messages.rebuild_by_user)
    waiting = unread_messages.BATCH - 1
    for number in range(waiting):
        large.send(number, set())
    before = [virtual_steps(db.connection, question) for question in questions]
    large.database.write_now(unread_messages.rebuild_by_user)
    after = [virtual_steps(db.connection, question) for question in questions]
    assert all(one - other < 30 * waiting for one, other in zip(before, after, strict=True))


def test_a_start_reads_few_pages_for_its_unread_messages(large: Town) -> None:
    """Each of thousands lies on a page of its own in the table of messages; a commit lets all be read again."""
    db, user = large.database.reader, large.users[0]
    large.database.write_now(unread_messages.rebuild_by_user)
    large.database.write_now(lambda tx: tx.run("UPDATE message SET plain = hex(zeroblob(1500))"))
    before = db.connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)[0]
    assert len(unread_places.places(db, user, above=0).ids) >= 400
    assert db.connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)[0] - before < 40


def test_places_are_read_in_one_row_each_for_what_is_listed_and_what_waits(large: Town) -> None:
    """A row for each of a start's thousands of unread messages takes as long as all the rest of it."""
    db, user = large.database.reader, large.users[0]
    rows: list[object] = []

    def note(_cursor: object, row: tuple[object, ...]) -> tuple[object, ...]:
        rows.append(row)
        return row

    large.database.write_now(unread_messages.rebuild_by_user)  # the tests before it end amid a copy
    for number in range(20):
        large.send(number, set())
    unread_messages.oldest(db, user, 1)  # reads that no message is noted, which is then known
    db.connection.row_trace = note
    places = unread_places.places(db, user, above=0)
    assert len(places.ids) >= 20
    assert len(rows) == 2
    large.database.write_now(unread_messages.rebuild_by_user)
    rows.clear()
    flags_by_message = flags.of_messages(db, user, places.ids, [])
    db.connection.row_trace = None
    assert all(flags.READ not in shown for shown in flags_by_message.values())
    assert len(rows) <= 3  # of progress, and of one array
