"""Who may do something, as a field of a form: what it offers, and what becomes of the answer."""

from collections.abc import Mapping
from typing import Any

from tests import eg
from tui.api.model import AnonymousGroup, GroupSetting, UserGroup, UserGroupId, UserId
from tui.api.routes.channels import GroupChange
from tui.screens.dialogs.form import Answers
from tui.screens.fields.groups import group_changes, group_field, group_value
from tui.store import Store
from tui.view.user_groups import who

ADMINS, EVERYBODY, TESTERS, GONE = (UserGroupId(each) for each in (1, 2, 3, 4))


def _store() -> Store:
    groups = (
        eg.make(UserGroup, id=ADMINS, name="role:administrators", is_system_group=True),
        eg.make(UserGroup, id=EVERYBODY, name="role:internet", is_system_group=True),
        eg.make(UserGroup, id=TESTERS, name="testers\x1b[2J", members=frozenset({UserId(2)})),
        eg.make(UserGroup, id=GONE, name="gone", deactivated=True),
    )
    return Store.from_snapshot(eg.snapshot(users=(eg.ME, eg.MARY), user_groups=groups))


def _answers(values: Mapping[str, Any], *changed: str) -> Answers:
    return Answers(values, frozenset(changed))


def _listed(people: set[int], groups: set[int]) -> AnonymousGroup:
    return AnonymousGroup(
        direct_members=frozenset(UserId(each) for each in people),
        direct_subgroups=frozenset(UserGroupId(each) for each in groups),
    )


def test_a_permission_is_a_group_by_its_plain_name() -> None:
    """The groups of the roles come first, those of people next; never the internet or a closed one."""
    field = group_field(_store(), "may", "May", ADMINS)
    assert [choice.label for choice in field.choices][:1] == ["administrators"]
    assert [choice.value for choice in field.choices] == [ADMINS, TESTERS]
    assert "\x1b" not in field.choices[1].label
    assert group_value(_answers({"may": field.value}), "may") == ADMINS
    now = group_field(_store(), "may", "May", EVERYBODY)
    assert EVERYBODY in [choice.value for choice in now.choices]


def test_people_and_groups_listed_on_the_spot_go_there_and_back() -> None:
    """What stands is ticked; a list of one group is that group."""
    mixed = _listed({2}, {3})
    for setting, back in ((mixed, mixed), (_listed(set(), {3}), TESTERS), (ADMINS, ADMINS)):
        shown = group_field(_store(), "may", "May", setting)
        assert group_value(_answers({"may": shown.value}), "may") == back
    field = group_field(_store(), "may", "May", mixed)
    assert isinstance(field.value, frozenset)
    assert field.value <= {part.value for part in field.parts}


def test_only_what_was_changed_is_sent_with_what_it_was() -> None:
    """Somebody else's change in between is refused instead of lost."""
    before: dict[str, GroupSetting | None] = {"a": ADMINS, "b": ADMINS, "old": None}
    said = _answers({"a": TESTERS, "b": ADMINS, "old": TESTERS}, "a", "old")
    assert group_changes(said, before) == {"a": GroupChange(new=TESTERS, old=ADMINS)}


def test_a_list_of_people_is_said_by_name() -> None:
    """Groups first; nobody is a word."""
    assert who(_store(), _listed({2}, {1})) == f"administrators and {eg.MARY.full_name}"
    assert who(_store(), _listed(set(), set())) == "nobody"
    assert who(_store(), None) == ""
