"""Laws of group settings: who is named, one by one and all at once, and what guests never hold."""

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server_lite.access.channel_permissions import has_permission
from server_lite.access.user_groups import groups_of, is_in_group_setting, members_of
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.users import create_user, deactivate
from server_lite.store import user_groups, users
from server_lite.store.channels import GroupSetting
from server_lite.store.database import Database, Tx
from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import Role, UserRow
from tests.contract.rolled_back import Undone

ROLES: Final = (
    Role.OWNER,
    Role.ADMINISTRATOR,
    Role.MODERATOR,
    Role.MEMBER,
    Role.GUEST,
    Role.MEMBER,
)
CLOSED: Final = 5
"""The person whose account is deactivated."""
LOWEST: Final = {
    SystemGroup.OWNERS: Role.OWNER,
    SystemGroup.ADMINISTRATORS: Role.ADMINISTRATOR,
    SystemGroup.MODERATORS: Role.MODERATOR,
    SystemGroup.FULL_MEMBERS: Role.MEMBER,
    SystemGroup.MEMBERS: Role.MEMBER,
    SystemGroup.EVERYONE: Role.GUEST,
    SystemGroup.INTERNET: Role.GUEST,
}
NOT_FOR_GUESTS: Final = frozenset(
    (
        "can_add_subscribers_group",
        "can_administer_channel_group",
        "can_remove_subscribers_group",
        "can_subscribe_group",
    )
)
OTHERS: Final = frozenset(
    (
        "can_create_topic_group",
        "can_delete_any_message_group",
        "can_delete_own_message_group",
        "can_move_messages_out_of_channel_group",
        "can_move_messages_within_channel_group",
        "can_resolve_topics_group",
        "can_send_message_group",
    )
)

people = st.frozensets(st.integers(0, len(ROLES) - 1), max_size=2)
system = st.sampled_from([*LOWEST, SystemGroup.NOBODY])
groups = st.lists(  # each lists people, system groups and groups before it
    st.tuples(
        people, st.frozensets(system, max_size=1), st.frozensets(st.integers(0, 2), max_size=1)
    ),
    max_size=3,
)
settings = st.one_of(
    system.map(lambda one: ("system", one)),
    st.integers(0, 2).map(lambda one: ("group", one)),
    st.tuples(st.just("several"), people, st.frozensets(system, max_size=1), st.integers(0, 3)),
)


def build(tx: Tx) -> list[UserRow]:
    """One person of each role, and one whose account is closed."""
    users_made = [
        create_user(tx, email=f"p{n}@example.com", full_name=f"P{n}", role=role, password=None)
        for n, role in enumerate(ROLES)
    ]
    deactivate(tx, users_made[CLOSED])
    return [user for one in users_made if (user := users.by_id(tx, one.id)) is not None]


def of_role(group: SystemGroup) -> set[int]:
    """Who is in a group that every organization has."""
    lowest = LOWEST.get(group)
    if lowest is None:
        return set()
    return {n for n, role in enumerate(ROLES) if role <= lowest and n != CLOSED}


@given(groups, settings)
@example([(frozenset({3}), frozenset(), frozenset())], ("group", 0))
@example(
    [(frozenset({4}), frozenset(), frozenset()), (frozenset(), frozenset(), frozenset({0}))],
    ("several", frozenset({3, 5}), frozenset(), 1),
)
def test_a_setting_names_the_same_people_one_by_one_and_all_at_once(
    database: Database,
    made: list[tuple[frozenset[int], frozenset[SystemGroup], frozenset[int]]],
    chosen: tuple[object, ...],
) -> None:
    """Groups in groups, roles and people named alone give a permission to whom they list, and to nobody else."""

    def run(tx: Tx) -> None:
        persons = build(tx)
        ids: list[int] = []
        inside: list[set[int]] = []
        for number, (listed, roles, others) in enumerate(made):
            group_id = user_groups.insert(
                tx,
                name=f"g{number}",
                description="",
                creator_id=persons[0].id,
                now=tx.now,
                group_settings={},
            )
            before = [one for one in others if one < number]
            user_groups.add_members(tx, group_id, [persons[one].id for one in listed])
            user_groups.add_subgroups(tx, group_id, [*roles, *(ids[one] for one in before)])
            ids.append(group_id)
            below = [of_role(one) for one in roles] + [inside[one] for one in before]
            inside.append((set(listed) - {CLOSED}).union(*below))
        value, expected = _value(chosen, persons, ids, inside)
        asked = {n for n, user in enumerate(persons) if is_in_group_setting(tx, user, value)}
        assert asked == expected
        assert members_of(tx, value) == {persons[one].id for one in expected}
        for n, user in enumerate(persons):
            assert {ids.index(one) for one in groups_of(tx, user) if one in ids} == {
                number for number, members in enumerate(inside) if n in members
            }
        raise Undone

    with pytest.raises(Undone):
        database.write_now(run)


def _value(
    chosen: tuple[object, ...], persons: list[UserRow], ids: list[int], inside: list[set[int]]
) -> tuple[GroupSetting, set[int]]:
    """A setting, and whom it names."""
    match chosen:
        case ("system", SystemGroup() as one):
            return int(one), of_role(one)
        case ("group", int(number)):
            if number >= len(ids):
                return int(SystemGroup.NOBODY), set()
            return ids[number], inside[number]
        case ("several", frozenset() as alone, frozenset() as roles, int(number)):
            named = [number] if number < len(ids) else []
            value = {
                "direct_members": [int(persons[one].id) for one in alone],
                "direct_subgroups": [*map(int, roles), *(ids[one] for one in named)],
            }
            below = [of_role(one) for one in roles] + [inside[one] for one in named]
            return value, (set(alone) - {CLOSED}).union(*below)
    raise AssertionError(chosen)


def test_guests_hold_only_what_guests_may_hold(database: Database) -> None:
    """A guest in a group may write where it may; they never administer a channel or bring people in."""

    def run(tx: Tx) -> None:
        persons = build(tx)
        named: GroupSetting = {
            "direct_members": [int(user.id) for user in persons],
            "direct_subgroups": [],
        }
        chosen = dict.fromkeys(NOT_FOR_GUESTS | OTHERS, named)
        options = NewChannel(group_settings=chosen)
        channel = create_channel(tx, persons[0], name="tea", options=options)
        for n, user in enumerate(persons):
            held = {name for name in chosen if has_permission(tx, user, channel, name)}
            if n == CLOSED:
                assert held == set()
            else:
                assert held == (OTHERS if user.is_guest else NOT_FOR_GUESTS | OTHERS)
        raise Undone

    with pytest.raises(Undone):
        database.write_now(run)
