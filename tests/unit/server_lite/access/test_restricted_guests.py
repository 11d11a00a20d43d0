"""Guests who see only some users: whom each sees, and changes that cost the same with more of them."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.access.recipients import address
from server_lite.access.users import can_access_user, ids_who_can_access, restricted_who_see
from server_lite.actions import group_members, profile_fields
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.realm import set_settings
from server_lite.actions.subscriptions import subscribe, unsubscribe
from server_lite.actions.user_groups import create, fill
from server_lite.actions.users import create_user, deactivate, rename
from server_lite.events.users import UserAdded, UserRemoved, UserUpdated
from server_lite.ids import UserId
from server_lite.store import profile_fields as fields
from server_lite.store import users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Database, Tx
from server_lite.store.profile_fields import FieldForm, FieldRow, FieldType
from server_lite.store.user_groups import GroupRow, SystemGroup
from server_lite.store.users import Role, UserRow
from tests.call_counter import statements

People = tuple[list[UserRow], list[UserRow]]
"""Members and guests."""


class _Undone(Exception):
    """Undoes the changes of an example."""


def _people(tx: Tx, members: int, guests: int) -> People:
    roles = [Role.MEMBER] * members + [Role.GUEST] * guests
    rows = [
        create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=role, password=None)
        for n, role in enumerate(roles)
    ]
    set_settings(tx, {"can_access_all_users_group": SystemGroup.MEMBERS})
    return rows[:members], rows[members:]


def _write(tx: Tx, sender: UserRow, to: UserRow) -> None:
    send_message(
        tx, sender, address(tx, sender, "direct", f"[{to.id}]", None), "hello", client="test"
    )


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return Database(tmp_path_factory.mktemp("town") / "x.db")


pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@settings(max_examples=15, deadline=None)
@given(inside=pairs, talking=pairs)
def test_who_sees_a_user_is_asked_of_all_guests_as_of_each(
    town: Database, inside: list[tuple[int, int]], talking: list[tuple[int, int]]
) -> None:
    """The queries for many guests and for one agree, however they share channels and conversations."""

    def live(tx: Tx) -> None:
        members, guests = _people(tx, 3, 3)
        everyone = members + guests
        channels = [create_channel(tx, None, name=f"c {n}") for n in range(6)]
        here: set[tuple[int, int]] = set()
        for (
            pair
        ) in inside:  # channels of guests are kept between these changes, and after them undone
            (unsubscribe if pair in here else subscribe)(
                tx, [channels[pair[1]]], [everyone[pair[0]]]
            )
            here ^= {pair}
        for one, other in talking:
            _write(tx, everyone[one % 3], everyone[other])  # guests write only to those they know
        seen = restricted_who_see(tx, [user.id for user in everyone])
        for user in everyone:
            able = {one.id for one in everyone if can_access_user(tx, one, user)}
            assert ids_who_can_access(tx, user) & {one.id for one in everyone} == able
            assert seen[user.id] == able & {one.id for one in guests} - {user.id}
            first = frozenset({guests[0].id})
            assert restricted_who_see(tx, [user.id], first)[user.id] == seen[user.id] & first
        raise _Undone

    with suppress(_Undone):
        town.write_now(live)


def test_guests_are_told_of_deactivated_users_in_a_channel(town: Database) -> None:
    """Who joins sees who wrote what is there, and who leaves sees them no more, though their accounts are closed."""

    def live(tx: Tx) -> None:
        (gone,), (guest,) = _people(tx, 1, 1)
        channel = create_channel(tx, None, name="c")
        subscribe(tx, [channel], [gone])
        deactivate(tx, gone)
        tx.ended_queues.clear()  # those that the setting ended
        for change, event in ((subscribe, UserAdded), (unsubscribe, UserRemoved)):
            before = len(tx.entries)
            change(tx, [channel], [guest])
            told = [one for one in tx.entries[before:] if isinstance(one.event, event)]
            assert [one.audience for one in told] == [{guest.id}]
        raise _Undone

    with suppress(_Undone):
        town.write_now(live)


def _subscribing(tx: Tx, people: People, channel: ChannelRow, _: GroupRow) -> None:
    subscribe(tx, [channel], people[0][-1:])


def _unsubscribing(tx: Tx, people: People, channel: ChannelRow, _: GroupRow) -> None:
    unsubscribe(tx, [channel], people[0][:1])


def _writing(tx: Tx, people: People, _: ChannelRow, __: GroupRow) -> None:
    members, guests = people
    _write(tx, members[-1], guests[0])


def _naming(tx: Tx, people: People, _: ChannelRow, __: GroupRow) -> None:
    rename(tx, people[0][0], "Other")


def _grouping(tx: Tx, people: People, _: ChannelRow, group: GroupRow) -> None:
    ids = [one.id for one in people[0]]
    fill(tx, group, add=ids, remove=[], add_groups=[], remove_groups=[])


def _restricting(tx: Tx, _: People, __: ChannelRow, ___: GroupRow) -> None:
    set_settings(tx, {"can_access_all_users_group": SystemGroup.EVERYONE})


@pytest.mark.parametrize(
    "change", [_subscribing, _unsubscribing, _writing, _naming, _grouping, _restricting]
)
def test_more_guests_take_no_more_statements(
    tmp_path: Path, change: Callable[[Tx, People, ChannelRow, GroupRow], None]
) -> None:
    """With 300 guests, ten people who joined a channel held all others for minutes."""

    def count(guests: int) -> int:
        database = Database(tmp_path / f"{guests}.db")

        def found(tx: Tx) -> tuple[People, ChannelRow, GroupRow]:
            people = _people(tx, 3, guests)
            channel = create_channel(tx, None, name="all")
            subscribe(tx, [channel], [*people[0][:2], *people[1]])
            creator = people[0][0]
            group = create(
                tx, creator, name="g", description="", members=[], subgroups=[], group_settings={}
            )
            return people, channel, group

        people, channel, group = database.write_now(found)
        with statements(database._writer) as sql:
            database.write_now(lambda tx: change(tx, people, channel, group))
        database.close()
        return len(sql)

    assert count(3) == count(12)


def test_guests_who_meet_the_same_person_get_one_event(tmp_path: Path) -> None:
    """An event for each guest and each person would be thousands."""
    database = Database(tmp_path / "x.db")

    def found(tx: Tx) -> tuple[UserRow, list[UserRow], ChannelRow]:
        (first, second), guests = _people(tx, 2, 4)
        channel = create_channel(tx, None, name="all")
        subscribe(tx, [channel], [first, *guests])
        return second, guests, channel

    def join(tx: Tx) -> None:
        subscribe(tx, [channel], [newcomer])
        told = [one.audience for one in tx.entries if isinstance(one.event, UserAdded)]
        assert told == [frozenset(one.id for one in guests)]

    newcomer, guests, channel = database.write_now(found)
    database.write_now(join)
    database.close()


@pytest.mark.parametrize(("most", "ended"), [(500, 0), (1, 2)])
def test_guests_who_meet_different_people_at_once_register_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, ended: int
) -> None:
    """Where 500 guests each saw others of 1,000 people who joined a channel, events about groups took 25 seconds."""
    monkeypatch.setattr(group_members, "EVENTS", most)
    database = Database(tmp_path / "x.db")

    def found(tx: Tx) -> tuple[ChannelRow, list[UserRow]]:
        members, guests = _people(tx, 4, 3)
        together, *apart = [create_channel(tx, None, name=f"c {n}") for n in range(3)]
        subscribe(tx, [together], guests)
        for channel, guest, member in zip(apart, guests, members, strict=False):
            subscribe(tx, [channel], [guest, member])
        return together, members

    def join(tx: Tx) -> int:
        subscribe(tx, [channel], members)
        return len(tx.ended_queues)

    channel, members = database.write_now(found)
    assert database.write_now(join) == ended
    database.close()


def test_values_that_are_no_choice_now_are_deleted_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """5,000 of them held all others for seconds. Who sees a user gets one event about each."""
    monkeypatch.setattr(profile_fields, "SLICE", 2)
    database = Database(tmp_path / "x.db")
    old, new = (
        FieldForm(name="Team", hint="", field_data=data)
        for data in ('{"a": 1, "b": 2}', '{"b": 2}')
    )

    def found(tx: Tx) -> tuple[list[UserRow], FieldRow]:
        members, guests = _people(tx, 3, 2)
        subscribe(tx, [create_channel(tx, None, name="c")], [members[0], guests[0]])
        field = fields.by_id(tx, profile_fields.create(tx, FieldType.SELECT, old))
        assert field is not None
        people = [*members, *guests]
        for person, value in zip(people, "aabab", strict=True):
            profile_fields.set_value(tx, person, field, value)
        return people, field

    def clear(tx: Tx) -> bool:
        more = profile_fields.clear_other_choices(tx, field, new)
        for entry in tx.entries:
            assert isinstance(entry.event, UserUpdated)
            told.setdefault(entry.event.person["user_id"], []).append(entry.audience)
        for user_id, parts in told.items():
            person = users.by_id(tx, UserId(user_id))
            assert person is not None
            assert frozenset().union(*parts) == ids_who_can_access(tx, person)
            assert sum(map(len, parts)) == len(ids_who_can_access(tx, person))
        return more

    told: dict[int, list[frozenset[UserId]]] = {}
    people, field = database.write_now(found)
    assert [database.write_now(clear) for _ in range(2)] == [True, False]
    database.close()
    assert told.keys() == {people[at].id for at in (0, 1, 3)}
