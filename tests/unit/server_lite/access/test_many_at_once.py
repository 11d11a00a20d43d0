"""Changes for many people, channels or groups at once: what they share is one statement, whatever their number."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server_lite.access.user_groups import members_of
from server_lite.actions import channel_notification_messages as notices
from server_lite.actions import retention
from server_lite.actions import subscriptions as actions
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.newcomers import welcome
from server_lite.actions.notification_messages import send
from server_lite.actions.users import create_user
from server_lite.events.base import ClientCapabilities
from server_lite.events.channels import PeersAdded
from server_lite.ids import MessageId, UserId
from server_lite.store import group_members, messages, settings, user_groups, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow
from tests.call_counter import statements, virtual_steps


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty organization."""
    opened = Database(tmp_path / "x.db")
    yield opened
    opened.close()


def _people(tx: Tx, count: int, role: Role = Role.MEMBER) -> list[UserRow]:
    return [
        create_user(tx, email=f"{role}{n}@x.de", full_name="P", role=role, password=None)
        for n in range(count)
    ]


def _channels(tx: Tx, count: int) -> list[ChannelRow]:
    return [create_channel(tx, None, name=f"c {n}") for n in range(count)]


def test_more_people_join_and_leave_by_as_many_statements(database: Database) -> None:
    """1,000 of them held all others for 50 ms at a time."""

    def joined_and_left(tx: Tx, people: list[UserRow], rows: list[ChannelRow]) -> int:
        with statements(tx.connection) as sql:
            actions.subscribe(tx, rows, people)
            actions.unsubscribe(tx, rows, people)
        return len(
            {one for one in sql if not one.startswith(("INSERT INTO m", "UPDATE", "DELETE"))}
        )

    def run(tx: Tx) -> list[int]:
        people, rows = _people(tx, 12), _channels(tx, 2)
        return [joined_and_left(tx, people[:4], rows), joined_and_left(tx, people, rows)]

    few, many = database.write_now(run)
    assert many <= few


def test_who_returns_to_a_channel_has_its_color_in_no_other(database: Database) -> None:
    """Colors of all that somebody joins at once are chosen together."""

    def joined(tx: Tx) -> list[str]:
        people, rows = _people(tx, 1), _channels(tx, 2)
        actions.subscribe(tx, rows[:1], people, colors={rows[0].id: actions.COLORS[1]})
        actions.unsubscribe(tx, rows[:1], people)
        actions.subscribe(tx, rows, people)
        return tx.column("SELECT color FROM subscription ORDER BY channel_id")

    assert database.write_now(joined) == [actions.COLORS[1], actions.COLORS[0]]


def test_members_that_the_upkeep_read_are_not_read_again(database: Database) -> None:
    """After a rollback, the first message to thousands of groups would read all of them."""

    def made(tx: Tx) -> list[int]:
        owner, *people = _people(tx, 4)
        groups = [
            user_groups.insert(
                tx, name=f"g{n}", description="", creator_id=owner.id, now=1, group_settings={}
            )
            for n in range(3)
        ]
        for group_id, person in zip(groups, people, strict=True):
            user_groups.add_members(tx, group_id, [person.id])
        user_groups.add_subgroups(tx, groups[2], groups[:2])
        return groups

    groups = database.write_now(made)
    with pytest.raises(LookupError):
        database.write_now(_rolled_back)
    while database.write_now(group_members.keep_some):
        pass

    def called(tx: Tx) -> tuple[frozenset[UserId], list[str]]:
        with statements(tx.connection) as sql:
            return members_of(tx, groups[2]), [one for one in sql if "user_group_member" in one]

    members, read = database.write_now(called)
    assert (len(members), read) == (3, [])


def _rolled_back(tx: Tx) -> None:
    _people(tx, 1, Role.ADMINISTRATOR)
    raise LookupError


def test_guests_hear_of_a_newcomer_where_they_are(database: Database) -> None:
    """One event for all: a guest in one of the default channels learns nothing of the others."""

    def joined(tx: Tx) -> list[object]:
        (member,), (guest,) = _people(tx, 1), _people(tx, 1, Role.GUEST)
        rows = [
            create_channel(tx, None, name=f"d {n}", options=NewChannel(is_default=True))
            for n in range(2)
        ]
        actions.subscribe(tx, rows[1:], [guest])
        before = len(tx.entries)
        (newcomer,) = _people(tx, 1, Role.MODERATOR)
        welcome(tx, newcomer)
        (entry,) = [one for one in tx.entries[before:] if isinstance(one.event, PeersAdded)]
        assert {member.id, guest.id, newcomer.id} - entry.audience == {newcomer.id}
        assert [row.id for row in rows] == [1, 2]
        payloads = [
            entry.event.payload(ClientCapabilities(), entry.personal.get(user.id))
            for user in (member, guest)
        ]
        return [one["stream_ids"] for one in payloads if isinstance(one, dict)]

    assert database.write_now(joined) == [[1, 2], [2]]


def test_audiences_that_are_nearly_the_same_share_an_event() -> None:
    """480 channels that nested groups open had as many events, each for thousands."""
    some, more = frozenset(map(UserId, range(8))), frozenset(map(UserId, range(10)))
    ((audience, ids, personal),) = actions._joined_audiences({some: [1], more: [2, 3]})
    assert (audience, ids) == (more, [1, 2, 3])
    assert personal == {8: [2, 3], 9: [2, 3]}


def test_a_notice_names_a_hundred_channels(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rendering 480 names held all others."""
    monkeypatch.setattr(notices, "MOST_NAMED", 2)

    def told(tx: Tx) -> str:
        ann, ben = _people(tx, 2)
        notices.announce_added(tx, ann, ben, _channels(tx, 3))
        return str(tx.value("SELECT content FROM message ORDER BY id DESC LIMIT 1"))

    assert "#**c 0**, #**c 1** and 1 more." in database.write_now(told)


def test_history_that_stays_is_not_examined_for_what_expired(database: Database) -> None:
    """A million messages younger than their retention period took a tenth of a second, each half minute."""

    def said(tx: Tx) -> None:
        settings.store(tx, "message_retention_days", 30)
        send(tx, _channels(tx, 1)[0], "tea", "x", read_by=set())

    def doubled(tx: Tx) -> None:
        names = (
            "sender_id, channel_id, topic_id, content, rendered, plain, timestamp, client,"
            " has_link, has_image, has_attachment"
        )
        tx.run(f"INSERT INTO message ({names}) SELECT {names} FROM message")

    def steps(tx: Tx) -> int:
        return virtual_steps(tx.connection, lambda: retention.forget_old_messages(tx))

    database.write_now(said)
    few = database.write_now(steps)
    for _ in range(10):
        database.write_now(doubled)
    assert database.write_now(steps) < few + 1_500  # by bisection; a step for each would be 2,000


def test_recent_history_is_the_same_however_far_it_is_looked_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest of the wanted channels, among many of others."""

    def asked(tx: Tx) -> list[list[MessageId]]:
        quiet, busy = _channels(tx, 2)
        for number in range(12):
            send(tx, quiet if number < 3 else busy, "tea", "x", read_by=set())
        answers: list[list[MessageId]] = []
        for near in (1, 100):
            monkeypatch.setattr(messages, "NEWEST", near)
            answers += [
                messages.newest_in_channels(tx, ids, 0, 4)
                for ids in ([quiet.id], [busy.id], [quiet.id, busy.id])
            ]
        return answers

    answers = database.write_now(asked)
    assert answers[:3] == answers[3:]
    assert list(map(len, answers[:3])) == [3, 4, 4]


def test_users_are_found_by_their_addresses_in_any_case(database: Database) -> None:
    """Of many, by one statement."""
    people = database.write_now(lambda tx: _people(tx, 2))
    address = people[1].email.upper()
    known = users.by_emails(database.reader, [address, "nobody@x.de"])
    assert {email: user.id for email, user in known.items()} == {address: people[1].id}
