"""What the page of groups says of each, and which groups can be in which."""

from dataclasses import replace

from tests import eg
from tui.api.model import Role, UserGroup, UserGroupId
from tui.store import Store
from tui.view import permissions, user_groups

ROLES, TESTERS, BOARD = (UserGroupId(each) for each in (1, 2, 3))
ME, MARY = eg.ME.user_id, eg.MARY.user_id


def _group(group_id: UserGroupId, name: str, **fields: object) -> UserGroup:
    return eg.make(UserGroup, id=group_id, name=name, **fields)


def _store(testers: UserGroup, role: Role = Role.MEMBER) -> Store:
    groups = (
        _group(ROLES, "role:members", is_system_group=True, members=frozenset({ME, MARY})),
        testers,
        _group(BOARD, "board", members=frozenset({MARY})),
    )
    me = replace(eg.ME, role=role)
    return Store.from_snapshot(eg.snapshot(users=(me, eg.MARY), user_groups=groups))


def test_a_line_says_who_is_in_a_group() -> None:
    """People are counted, groups named, what somebody else wrote made harmless."""
    testers = _group(
        TESTERS,
        "testers",
        description="they\x1b[2J test",
        members=frozenset({ME}),
        direct_subgroup_ids=frozenset({BOARD}),
    )
    store = _store(testers)
    said = user_groups.detail(store, testers)
    assert said.startswith("1 person and board · you are a member · they")
    assert "\x1b" not in said
    roles = store.groups.by_id[ROLES]
    assert user_groups.detail(store, roles) == "2 people · by role"


def test_no_group_comes_to_contain_itself() -> None:
    """Neither directly nor through another."""
    testers = _group(TESTERS, "testers", direct_subgroup_ids=frozenset({BOARD}))
    store = _store(testers)
    board = store.groups.by_id[BOARD]
    assert [each.id for each in user_groups.possible_parts(store, board)] == [ROLES]
    assert [each.id for each in user_groups.possible_parts(store, testers)] == [BOARD, ROLES]


def test_each_permission_of_a_group_allows_what_it_says() -> None:
    """Joining is for oneself; managing allows everything; guests and roles' groups are left out."""
    plain = _group(TESTERS, "testers", can_join_group=ROLES)
    store = _store(plain)
    assert permissions.may_join_group(store, plain)
    assert not permissions.may_add_members(store, plain)
    assert not permissions.may_leave_group(store, plain)
    managed = replace(plain, can_manage_group=ROLES)
    assert permissions.may_leave_group(store, managed)
    assert not permissions.may_manage_group(_store(managed, Role.GUEST), managed)
    assert not permissions.may_manage_group(store, store.groups.by_id[ROLES])
