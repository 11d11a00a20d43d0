"""Moves: who received a message keeps it, who follows a topic too, by the same steps however many they are."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.access.messages import readers
from server_lite.access.recipients import address
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.flags import set_flag
from server_lite.actions.message_edits import edit_message
from server_lite.actions.message_moves import next_part, planned
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe, unsubscribe
from server_lite.actions.user_groups import create, fill
from server_lite.actions.user_topics import set_policy_of
from server_lite.actions.users import create_user
from server_lite.events.channels import ChannelsCreated
from server_lite.events.messages import MessagesDeleted, MessageUpdated
from server_lite.export.flags import flags_on
from server_lite.ids import MessageId, UserId
from server_lite.narrow.query import query
from server_lite.store import channels, messages, user_topics
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.database import Database, Tx
from server_lite.store.user_groups import GroupRow
from server_lite.store.user_topics import Policy
from server_lite.store.users import Role, UserRow
from tests.call_counter import calls, statements

NAMES: Final = {
    "open": None,
    "second": None,
    "third": None,
    "closed": NewChannel(invite_only=True, history_public_to_subscribers=True),
    "protected": NewChannel(invite_only=True),
}
STEPS: Final = ("join", "leave", "star", *("send",) * 3, *("move",) * 4)


class _Undone(Exception):
    """Undoes the changes of an example."""


def _people(tx: Tx, count: int) -> list[UserRow]:
    return [
        create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=Role.MEMBER, password=None)
        for n in range(count)
    ]


def _move(tx: Tx, user: UserRow, message_id: MessageId, channel: ChannelRow) -> None:
    row = messages.by_id(tx, message_id)
    assert row is not None
    move, _ = next_part(tx, user, planned(tx, row, channel, row.topic, "change_one"), 0)
    edit_message(tx, user, row, content=None, move=move)


class Model:
    """Channels, and where each message was received, as a set beside the tables."""

    def __init__(self, tx: Tx, writer: UserRow, people: list[UserRow]) -> None:
        """Create three public channels and two private ones; the writer is in all, others in some."""
        self.tx, self.writer, self.people = tx, writer, people
        self.channels = [
            create_channel(tx, None, name=name, options=options) for name, options in NAMES.items()
        ]
        subscribe(tx, self.channels, [writer])
        self.subscribed: set[tuple[UserId, int]] = set()
        self.places: dict[MessageId, list[int]] = {}
        """Channels of each message, the present one last."""
        self.then: dict[MessageId, set[tuple[UserId, int]]] = {}
        """Who was subscribed where when it was sent."""
        self.starred: set[tuple[UserId, MessageId]] = set()
        for number in range(0, 40, 3):
            self.take("join", number)
        self.take("send", 0)

    def take(self, step: str, number: int) -> None:
        """Do something to the tables and to the sets."""
        person = self.people[number % len(self.people)]
        channel = self.channels[number // 8 % len(self.channels)]
        pair = (person.id, channel.id)
        match step:
            case "join" if pair not in self.subscribed:
                subscribe(self.tx, [channel], [person])
                self.subscribed.add(pair)
            case "leave" if pair in self.subscribed:
                unsubscribe(self.tx, [channel], [person])
                self.subscribed.remove(pair)
            case "send":
                to = address(self.tx, self.writer, "channel", str(channel.id), "topic")
                sent = send_message(self.tx, self.writer, to, "hello", client="test").id
                self.places[sent], self.then[sent] = [channel.id], self.subscribed.copy()
            case "move" if self.places:
                message_id = [*self.places][number // 32 % len(self.places)]
                if self.places[message_id][-1] != channel.id:
                    self._move(message_id, channel)
            case "star" if self.places:
                message_id = [*self.places][number // 32 % len(self.places)]
                if self._may_read(person.id, message_id):
                    set_flag(self.tx, person, "starred", [message_id])
                    self.starred.add((person.id, message_id))

    def _move(self, message_id: MessageId, channel: ChannelRow) -> None:
        _move(self.tx, self.writer, message_id, channel)
        could_read = [one for one in self.people if self._may_read(one.id, message_id)]
        self.places[message_id].append(channel.id)
        for one in could_read:
            if not self._may_read(one.id, message_id):
                self.starred.discard((one.id, message_id))

    def check(self) -> None:
        """Each has in their history what they received anywhere, as far as they may read it now."""
        ids = sorted(self.places)
        rows = messages.by_ids(self.tx, ids)
        historical = {
            (message_id, user_id)
            for message_id, flag, user_id in flags_on(self.tx, rows)
            if flag == "historical"
        }
        for person in self.people:
            mine = query(self.tx, person, []).among(self.tx, ids)
            kept = [one for one in ids if self._is_kept(person.id, one)]
            assert mine == kept
            elsewhere = {
                one for one in kept if (person.id, self.places[one][-1]) not in self.then[one]
            }
            starred = {one for one in ids if (person.id, one) in self.starred}
            marked = {one for one, user_id in historical if user_id == person.id}
            assert marked - starred == elsewhere - starred
            for channel in self.channels:
                there = [one for one in ids if self.places[one][-1] == channel.id]
                shares = readers(self.tx, channel, there).items()
                told = [theirs for people, theirs in shares if person.id in people]
                expected = [one for one in there if self._is_told(person.id, one)]
                assert told == ([expected] if expected else [])

    def _is_open(self, message_id: MessageId) -> bool:
        return self.places[message_id][-1] in [one.id for one in self.channels[:3]]

    def _may_read(self, user_id: UserId, message_id: MessageId) -> bool:
        pair = (user_id, self.places[message_id][-1])
        is_protected = pair[1] == self.channels[-1].id
        if self._is_open(message_id):
            return True
        return pair in self.subscribed and (not is_protected or pair in self.then[message_id])

    def _received(self, user_id: UserId, message_id: MessageId, places: list[int]) -> bool:
        return any((user_id, one) in self.then[message_id] for one in places)

    def _is_kept(self, user_id: UserId, message_id: MessageId) -> bool:
        received = self._received(user_id, message_id, self.places[message_id])
        is_mine = received or (user_id, message_id) in self.starred
        return is_mine and self._may_read(user_id, message_id)

    def _is_told(self, user_id: UserId, message_id: MessageId) -> bool:
        """Whether events of the message go to the user: who only left its channel is not among them."""
        *earlier, channel_id = self.places[message_id]
        is_concerned = (
            (user_id, channel_id) in self.subscribed
            or (user_id, message_id) in self.starred
            or self._received(user_id, message_id, earlier)
        )
        return is_concerned and self._may_read(user_id, message_id)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 2**12)), min_size=20, max_size=40))
def test_who_received_a_message_keeps_it_wherever_it_is_moved(
    town: Database, steps: list[tuple[str, int]]
) -> None:
    """Also those who left since; who joins later does not get it, and who may not read it never has it."""

    def live(tx: Tx) -> None:
        writer, *people = _people(tx, 4)
        model = Model(tx, writer, people)
        for step, number in steps:
            model.take(step, number)
        model.check()
        raise _Undone

    with suppress(_Undone):
        town.write_now(live)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Provide an organization in which nothing lasts."""
    return Database(tmp_path_factory.mktemp("town") / "x.db")


def test_who_may_read_a_moved_topic_keeps_all_of_it_on_their_screen(town: Database) -> None:
    """A subscriber who came in the middle got the later messages moved, and those before deleted."""

    def live(tx: Tx) -> None:
        writer, reader = _people(tx, 2)
        there, target = (create_channel(tx, None, name=name) for name in ("there", "target"))
        ids = []
        for person in (writer, reader):
            subscribe(tx, [there], [person])
            to = address(tx, writer, "channel", "there", "topic")
            ids.append(send_message(tx, writer, to, "hello", client="test").id)
        count = len(tx.entries)
        row = messages.by_id(tx, ids[0])
        assert row is not None
        move, _ = next_part(tx, writer, planned(tx, row, target, "topic", "change_all"), 0)
        edit_message(tx, writer, row, content=None, move=move)
        told = [one.event for one in tx.entries[count:] if reader.id in one.audience]
        assert [event.message_ids for event in told if isinstance(event, MessageUpdated)] == [ids]
        assert not any(isinstance(event, MessagesDeleted) for event in told)
        raise _Undone

    with suppress(_Undone):
        town.write_now(live)


def test_a_move_away_from_many_writes_few_pages(tmp_path: Path) -> None:
    """A row for each message and person held all others for 0.2 seconds in a channel of 5,000."""
    few, many = (_pages_of_a_move(tmp_path / f"{people}.db", people) for people in (10, 60))
    assert many < few + 10


def _pages_of_a_move(path: Path, count: int) -> int:
    """Return the number of pages written when people who all have many flags lose a message from their channel."""
    database = Database(path)
    database._writer.execute("PRAGMA synchronous = OFF")

    def found(tx: Tx) -> tuple[UserRow, MessageId, ChannelRow]:
        people = _people(tx, count)
        there, target = (create_channel(tx, None, name=name) for name in ("all", "few"))
        subscribe(tx, [there], people)
        tx.many(
            "INSERT INTO flag (user_id, flag, message_id) VALUES (?, 'mentioned', ?)",
            [(one.id, -number) for one in people for number in range(1, 300)],
        )
        to = address(tx, people[0], "channel", "all", "topic")
        return people[0], send_message(tx, people[0], to, "hello", client="test").id, target

    def pages() -> int:
        return database._writer.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]

    user, sent, target = database.write_now(found)
    before = pages()
    database.write_now(lambda tx: _move(tx, user, sent, target))
    after = pages()
    database.close()
    return after - before


def test_a_topic_that_many_follow_is_renamed_by_the_same_statements(tmp_path: Path) -> None:
    """Each follower was asked about, and told, on their own: 0.6 seconds for 5,000."""

    def costs(people: int) -> tuple[int, int]:
        database = Database(tmp_path / f"{people}.db")

        def found(tx: Tx) -> tuple[UserRow, MessageId]:
            everyone = _people(tx, people)
            subscribe(tx, [channel := create_channel(tx, None, name="all")], everyone)
            to = address(tx, everyone[0], "channel", "all", "topic")
            ids = [one.id for one in everyone]
            set_policy_of(tx, ids[::2], channel.id, "topic", Policy.FOLLOWED)
            set_policy_of(tx, ids[1::2], channel.id, "topic", Policy.MUTED)
            return everyone[0], send_message(tx, everyone[0], to, "hello", client="test").id

        def rename(tx: Tx, name: str) -> None:
            row = messages.by_id(tx, sent)
            assert row is not None
            assert row.channel_id is not None
            channel = channels.by_id(tx, row.channel_id)
            assert channel is not None
            move, _ = next_part(tx, user, planned(tx, row, channel, name, "change_all"), 0)
            edit_message(tx, user, row, content=None, move=move)
            policies = user_topics.of_topic(tx, channel.id, name)
            counts = {policy: len(those) for policy, those in policies.items()}
            assert counts == {Policy.FOLLOWED: people // 2, Policy.MUTED: people // 2}
            (mine,) = user_topics.of_user(tx, user.id)
            assert mine.name == name

        user, sent = database.write_now(found)
        with statements(database._writer) as sql:
            counted = calls(lambda: database.write_now(lambda tx: rename(tx, "news")))
        database.write_now(lambda tx: rename(tx, "NEWS"))
        database.close()
        return len(sql), counted

    (few_statements, few), (many_statements, many) = costs(4), costs(40)
    assert many_statements == few_statements
    assert many < few + 20 * 36


def test_a_group_that_opens_a_channel_grows_by_the_same_statements(tmp_path: Path) -> None:
    """What each new member may see was asked twice: 0.9 seconds for 1,000 of them, 4 for those of a group."""

    def costs(people: int) -> int:
        database = Database(tmp_path / f"{people}.db")

        def found(tx: Tx) -> tuple[GroupRow, list[UserRow]]:
            creator, *everyone = _people(tx, people)
            group = create(
                tx, creator, name="g", description="", members=[], subgroups=[], group_settings={}
            )
            opens: dict[str, GroupSetting] = {"can_subscribe_group": group.id}
            options = NewChannel(invite_only=True, group_settings=opens)
            create_channel(tx, None, name="closed", options=options)
            return group, everyone

        def grow(tx: Tx) -> None:
            ids = [one.id for one in everyone]
            fill(tx, group, add=ids, remove=[], add_groups=[], remove_groups=[])
            told = [one.audience for one in tx.entries if isinstance(one.event, ChannelsCreated)]
            assert told == [frozenset(ids)]

        group, everyone = database.write_now(found)
        with statements(database._writer) as sql:
            database.write_now(grow)
        database.close()
        return len([one for one in sql if one.startswith("SELECT")])

    assert costs(40) == costs(4)
