"""Flags that many get at once: the same answers wherever their rows lie, and few pages for each message."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Final

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.access.messages import readers
from server_lite.access.recipients import address
from server_lite.actions import alert_words
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.message_edits import edit_message
from server_lite.actions.message_moves import next_part, planned
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe, unsubscribe
from server_lite.actions.users import create_user
from server_lite.ids import MessageId, UserId
from server_lite.narrow.query import query
from server_lite.narrow.terms import parse_narrow
from server_lite.store import (
    channels,
    export_import,
    flags,
    messages,
    outdated_rows,
    shared_flags,
    unread_messages,
)
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow
from tests.call_counter import calls, statements, virtual_steps

PEOPLE: Final = 120
Marks = set[tuple[int, str, UserId]]
"""(message ID, flag, user ID) of each flag."""


class Town:
    """People who are all in one channel and watch for the word "tea"."""

    def __init__(self, path: Path, people: int = PEOPLE, marks: int = 0) -> None:
        """Create the people and so many flags of each."""
        self.database = Database(path)
        self.database._writer.execute("PRAGMA synchronous = OFF")

        def found(tx: Tx) -> list[UserRow]:
            rows = [
                create_user(
                    tx, email=f"p{n}@x.de", full_name=f"P {n}", role=Role.OWNER, password=None
                )
                for n in range(people)
            ]
            channel = create_channel(tx, None, name="all")
            subscribe(tx, [channel], rows)
            for row in rows:
                alert_words.add(tx, row, ["tea"])
            tx.many(
                "INSERT INTO flag (user_id, flag, message_id) VALUES (?, 'mentioned', ?)",
                [(row.id, -number) for row in rows for number in range(1, marks + 1)],
            )
            return rows

        self.people = self.database.write_now(found)
        self.ids = [one.id for one in self.people]

    def send(self, content: str) -> MessageId:
        """Send a message to all of them."""
        ann = self.people[0]

        def change(tx: Tx) -> MessageId:
            to = address(tx, ann, "stream", "all", "topic")
            return send_message(tx, ann, to, content, client="test").id

        return self.database.write_now(change)

    def send_read(self, count: int) -> list[MessageId]:
        """Send messages to all of them, each with two flags, that all have read."""
        sent = [self.send("@**all** tea") for _ in range(count)]
        self.database.write_now(lambda tx: unread_messages.remove(tx, self.ids, sent))
        return sent

    def move(self, sent: Sequence[MessageId], **to: str) -> Sequence[MessageId]:
        """Move the next part of the topic of a message to another topic or channel; returns its messages."""
        ann = self.people[0]

        def change(tx: Tx) -> Sequence[MessageId]:
            row = messages.by_id(tx, sent[0])
            assert row is not None
            channel = channels.by_name(tx, to.get("channel", "all"))
            assert channel is not None
            topic = to.get("topic", row.topic)
            move, _ = next_part(tx, ann, planned(tx, row, channel, topic, "change_all"), 0)
            edit_message(tx, ann, row, content=None, move=move)
            return move.ids

        return self.database.write_now(change)

    def pages(self) -> int:
        """Return the number of pages that were written so far."""
        writer = self.database._writer
        return writer.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]

    def waiting(self) -> int:
        """Return the number of shared rows."""
        count: int = self.database.reader.value("SELECT count(*) FROM shared_flag_user")
        return count


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """Provide people with flags on pages of their own."""
    town = Town(tmp_path / "x.db", marks=300)
    yield town
    town.database.close()


def test_a_message_that_calls_all_writes_few_pages(town: Town) -> None:
    """A page for each of 5,000 people held all others for 70 milliseconds."""
    town.send("hello")
    before = town.pages()
    town.send("@**all** tea")
    assert town.waiting() == 2 * PEOPLE
    assert town.pages() - before < PEOPLE / 2


def test_moving_writes_the_pages_of_each_person_once_for_all_messages(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was saved with each message is not paid later: a batch costs about as much as one message did."""
    monkeypatch.setattr(shared_flags, "SLICE", 20)
    for _ in range(shared_flags.BATCH // 2):
        town.send("@**all** tea")
    town.send("@**all**")
    before, steps = town.pages(), 0
    while town.database.write_now(shared_flags.move_some):
        steps += 1
    assert town.waiting() == PEOPLE, "less than a batch was moved"
    assert steps == PEOPLE / 20 + 1
    # Each has 64 rows in the table, on a page or two, and in its index, where a message has pages of its own.
    assert town.pages() - before < 10 * PEOPLE
    for user in town.ids[:: PEOPLE // 3]:
        marked = flags.of_messages(town.database.reader, user, [1, 2])
        assert all("stream_wildcard_mentioned" in names for names in marked.values())


def test_deleting_a_message_that_called_all_writes_few_pages(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows on the pages of each person do not count, and are deleted later, some people at a time."""
    monkeypatch.setattr(shared_flags, "BATCH", 1)
    sent, others = town.send("@**all** tea"), town.send("@**all**")
    while town.database.write_now(shared_flags.move_some):
        pass
    town.database.write_now(unread_messages.rebuild_by_user)
    before = town.pages()
    town.database.write_now(lambda tx: messages.delete(tx, [sent]))
    assert town.pages() - before < PEOPLE / 2
    db, user = town.database.reader, town.ids[-1]
    assert unread_messages.oldest(db, user, 9) == [others]
    assert flags.of_message(db, sent) == {}

    def left() -> list[int]:
        tables = ("flag", "unread_by_user", "outdated_flag", "outdated_unread")
        return [
            db.value(f"SELECT count(*) FROM {name} WHERE message_id = ?", sent) for name in tables
        ]

    assert left() == [2 * PEOPLE, PEOPLE, 2, 1]
    monkeypatch.setattr(outdated_rows, "BATCH", 1)
    steps = 0
    while town.database.write_now(outdated_rows.delete_some):
        steps += 1
    assert left() == [0, 0, 0, 0]
    assert steps == 2 + 3 + 3
    assert flags.of_message(db, others).keys() == {flags.CHANNEL_WILDCARD}


def test_calling_all_costs_the_same_calls_however_many_they_are(tmp_path: Path) -> None:
    """Nothing is done in Python for each of them."""

    def costs(people: int) -> tuple[int, int]:
        town = Town(tmp_path / f"{people}.db", people)
        town.send("@**all** tea")
        with statements(town.database._writer) as sql:
            counted = calls(lambda: town.send("@**all** tea"))
        town.database.close()
        return counted, len(sql)

    (few, few_statements), (many, many_statements) = costs(60), costs(160)
    assert many_statements == few_statements
    assert many < few + 60


def test_a_page_of_alerts_costs_the_same_however_many_there_are(tmp_path: Path) -> None:
    """The newest ones of both tables are merged; whoever watches for a common word has thousands."""
    town = Town(tmp_path / "x.db", 3)
    db, (ann, *_) = town.database.reader, town.people
    page = query(db, ann, parse_narrow([["is", "alerted"]]))
    costs = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outdated_rows, "FEW", 1)
        patch.setattr(shared_flags, "BATCH", 5)
        for count in (9, 45):
            sent = [town.send("tea") for _ in range(count)]
            while town.database.write_now(shared_flags.move_some):
                pass
            assert town.waiting() > 0
            assert page.ids(db, limit=8, newest=True) == sent[: -8 - 1 : -1]
            costs.append(virtual_steps(db.connection, lambda: page.ids(db, limit=8, newest=True)))
    assert costs[1] < costs[0] + 20
    town.database.close()


def test_an_edit_that_calls_all_or_no_longer_does_tells_each_once(tmp_path: Path) -> None:
    """Flags come and go with the text, wherever their rows are."""
    town = Town(tmp_path / "x.db")
    ann = town.people[0]
    sent = town.send("hello")

    def edit(content: str) -> set[str]:
        def change(tx: Tx) -> None:
            row = messages.by_id(tx, sent)
            assert row is not None
            edit_message(tx, ann, row, content=content, move=None)

        town.database.write_now(change)
        return {
            flag
            for flag, having in flags.of_message(town.database.reader, sent).items()
            if having == set(town.ids)
        }

    assert edit("@**all**") == {flags.CHANNEL_WILDCARD}
    assert edit("@**all** tea") == {flags.CHANNEL_WILDCARD, flags.ALERT}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_flags, "BATCH", 1)
        for _ in range(3):  # some people's, so that both tables have rows
            assert town.database.write_now(shared_flags.move_some)
    assert 0 < town.waiting() < PEOPLE * 2
    assert edit("tea") == {flags.ALERT}
    assert edit("x") == set()
    assert flags.of_message(town.database.reader, sent) == {}
    town.database.close()


def test_a_move_away_from_many_whom_it_called_writes_no_row_for_each(town: Town) -> None:
    """100 messages that called 5,000 people, who had read them, held all others for more than two seconds."""
    sent = town.send_read(3)
    closed = NewChannel(invite_only=True, history_public_to_subscribers=True)

    def close(tx: Tx) -> None:
        subscribe(tx, [create_channel(tx, None, name="few", options=closed)], town.people[:2])

    town.database.write_now(close)
    before = town.database._writer.total_changes()
    assert town.move(sent, channel="few") == sent
    assert town.database._writer.total_changes() - before < PEOPLE
    few = set(town.ids[:2])
    for one in sent:
        marked = flags.of_message(town.database.reader, one)
        assert marked == {flags.CHANNEL_WILDCARD: few, flags.ALERT: few}


def test_what_is_moved_or_deleted_is_bounded_by_shared_flags_too(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were not counted: all messages of a slice changed at once, if everybody had read them."""
    sent = town.send_read(5)
    monkeypatch.setattr(flags, "ROWS_AT_ONCE", 4 * PEOPLE)
    assert town.database.read(lambda db: flags.first_of(db, sent)) == sent[:2]


def test_a_topic_is_renamed_by_as_many_steps_whoever_was_called(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose flags these are was read of each message: 0.1 seconds for 50 that called 5,000 people."""
    monkeypatch.setattr(flags, "MANY", PEOPLE)
    writer = town.database._writer

    def cost(count: int, topic: str) -> int:
        sent = town.send_read(count)
        return virtual_steps(writer, lambda: town.move(sent, topic=topic))

    few, many = cost(2, "second"), cost(6, "third")
    assert many - few < 4 * 2 * PEOPLE, "less than a step for each flag"


def test_who_may_read_messages_with_many_flags_hears_of_a_move(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever left the channel, and was called in it before, has the messages on their screen."""
    sent = town.send_read(1)
    there = town.database.read(lambda db: channels.by_name(db, "all"))
    assert there is not None
    left = town.people[5]
    town.database.write_now(lambda tx: unsubscribe(tx, [there], [left]))
    for many, topic in ((flags.MANY, "second"), (1, "third")):
        monkeypatch.setattr(flags, "MANY", many)
        shares = town.database.read(lambda db: readers(db, there, sent))
        assert [(people >= set(town.ids), ids) for people, ids in shares.items()] == [(True, sent)]
        town.move(sent, topic=topic)


def test_rows_that_do_not_count_are_deleted_later_some_at_a_time(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flag that is given meanwhile is not mixed up with them."""
    monkeypatch.setattr(shared_flags, "DELETED", PEOPLE // 2)
    sent, others = town.send("@**all** tea"), town.send("hello")
    town.database.write_now(lambda tx: messages.delete(tx, [sent]))
    assert town.waiting() == 2 * PEOPLE
    town.database.write_now(
        lambda tx: flags.add_to_people(tx, others, {flags.ALERT: set(town.ids)})
    )
    steps = 0
    while town.database.write_now(shared_flags.delete_some):
        steps += 1
    assert steps == 4
    assert town.waiting() == PEOPLE
    assert flags.of_message(town.database.reader, others) == {flags.ALERT: set(town.ids)}


STEPS: Final = (
    *("give",) * 3,
    *("move",) * 3,
    *("clear",) * 2,
    *("tidy",) * 2,
    "forget",
    "delete",
    "star",
)


class Model:
    """Flags on messages in the tables, and the same as a set."""

    def __init__(self, town: Town) -> None:
        """Send messages without flags."""
        self.town = town
        self.ids = [town.send("hello") for _ in range(4)]
        self.marks = Marks()

    def take(self, step: str, number: int, flag: str) -> None:
        """Do something to the tables and to the set."""
        write, message_id = self.town.database.write_now, self.ids[number % len(self.ids)]
        some = {one for at, one in enumerate(self.town.ids) if number >> at & 1}
        match step:
            case "give":
                new = {one for one in some if (message_id, flag, one) not in self.marks}
                write(lambda tx: flags.add_to_people(tx, message_id, {flag: new}))
                self.marks |= {(message_id, flag, one) for one in new}
            case "move":
                write(shared_flags.move_some)
            case "tidy":
                write(outdated_rows.delete_some)
                write(shared_flags.delete_some)
            case "clear":
                write(lambda tx: flags.remove_from_people(tx, message_id, {flag: some}))
                self.marks -= {(message_id, flag, one) for one in some}
            case "forget":
                lost = self.ids[:2]
                write(lambda tx: flags.forget(tx, some, lost))
                self.marks = {
                    mark for mark in self.marks if mark[2] not in some or mark[0] not in lost
                }
            case "star":
                user = self.town.ids[number % len(self.town.ids)]
                write(lambda tx: flags.add(tx, user, "starred", [message_id]))
                self.marks.add((message_id, "starred", user))
            case "delete" if len(self.ids) > 2:
                self.ids.remove(message_id)
                write(lambda tx: messages.delete(tx, [message_id]))
                self.marks = {mark for mark in self.marks if mark[0] != message_id}

    def check(self) -> None:
        """Every way to ask gives the set."""
        db = self.town.database.reader
        assert sorted(export_import.flags_on(db, self.ids)) == sorted(self.marks)
        by_message = {
            (message_id, flag, one)
            for message_id in self.ids
            for flag, having in flags.of_message(db, message_id).items()
            for one in having
        }
        assert by_message == self.marks
        left = f"SELECT message_id FROM {shared_flags.ANY_FLAG} EXCEPT SELECT id FROM message"
        assert db.column(left) == [], "flags of deleted messages"
        for row in self.town.people:
            mine = {(message, flag) for message, flag, user in self.marks if user == row.id}
            shown = flags.of_messages(db, row.id, self.ids)
            assert {
                (message_id, flag)
                for message_id, names in shown.items()
                for flag in names
                if flag in flags.STORED
            } == mine
            assert shown.keys() == set(self.ids)
            narrow = query(db, row, parse_narrow([["is", "mentioned"]]))
            mentions = sorted({message_id for message_id, flag in mine if flag in flags.MENTIONS})
            assert narrow.among(db, self.ids) == mentions
            narrow = query(db, row, parse_narrow([["is", "alerted"]]))
            alerts = sorted({message_id for message_id, flag in mine if flag == flags.ALERT})
            assert narrow.among(db, self.ids) == alerts
            newest = narrow.ids(db, limit=2, above=self.ids[0] - 1, newest=True)
            assert newest == alerts[::-1][:2]


@settings(max_examples=15)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(STEPS),
            st.integers(0, 2**16 - 1),
            st.sampled_from(sorted(flags.FROM_TEXT)),
        ),
        min_size=12,
        max_size=25,
    )
)
def test_every_question_has_the_same_answer_wherever_the_rows_are(
    small: Town, steps: list[tuple[str, int, str]]
) -> None:
    """Nobody misses a mention, or finds one that is gone, while rows are moved."""
    model = Model(small)
    for step, number, flag in steps:
        model.take(step, number, flag)
        model.check()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """Provide five people; rows of more than one are shared, and moved two flags and users at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outdated_rows, "FEW", 1)
        for module, name in product((shared_flags, outdated_rows), ("BATCH", "SLICE")):
            patch.setattr(module, name, 2)
        town = Town(tmp_path_factory.mktemp("small") / "x.db", 5)
        yield town
        town.database.close()


@given(
    st.dictionaries(
        st.sampled_from([*flags.STORED, flags.READ]),
        st.frozensets(st.integers(1, 6).map(UserId)),
    )
)
def test_flags_by_user_are_those_by_flag(users_by_flag: dict[str, frozenset[UserId]]) -> None:
    """Everyone is shown their own flags, and who has none is left out."""
    expected = {
        user: flags.shown(flag for flag, having in users_by_flag.items() if user in having)
        for having in users_by_flag.values()
        for user in having
    }
    assert flags.shown_by_user(users_by_flag) == expected
