"""What the page of people says of each, and which roles one may give."""

from dataclasses import replace

from tests import eg
from tui.api.model import Presence, Role, User, UserId
from tui.store import Store
from tui.view import roles, users

GONE = eg.user(3, "Gone", is_active=False)
CLOCK = eg.user(4, "Clock", is_bot=True, bot_owner_id=eg.MARY.user_id)


def _store(role: Role = Role.MEMBER, *others: User) -> Store:
    me = replace(eg.ME, role=role)
    return Store.from_snapshot(eg.snapshot(users=(me, eg.MARY, GONE, CLOCK, *others)))


def test_everybody_by_name_and_the_deactivated_last() -> None:
    """Bots have a page of their own; closed accounts are shown on demand."""
    store = _store(Role.MEMBER, eg.user(5, "adam\x07"))
    ids = [user.user_id for user in users.everybody(store, deactivated=True)]
    assert ids == [5, 1, 2, 3]
    assert len(users.everybody(store, deactivated=False)) == 3


def test_bots_can_be_chosen_where_people_are() -> None:
    """In groups and among the muted: after the people, by name, without the server's own."""
    server = eg.user(6, "Notification Bot", is_bot=True, is_system_bot=True)
    ids = [user.user_id for user in users.with_bots(_store(Role.MEMBER, server))]
    assert ids == [1, 2, 4]


def test_a_line_says_role_address_and_when_somebody_was_here() -> None:
    """As far as is known."""
    store = _store()
    assert users.columns(store, GONE, eg.NOW) == ("member", "deactivated", "user3@example.com")
    assert users.last_seen(store, eg.MARY, eg.NOW) == "not seen lately"
    seen = eg.make(Presence, active_timestamp=eg.NOW - 7200, idle_timestamp=eg.NOW - 9000)
    store.presences.by_user[eg.MARY.user_id] = seen
    assert users.last_seen(store, eg.MARY, eg.NOW) == "seen 2 h ago"
    assert users.last_seen(store, eg.MARY, eg.NOW - 7200) == "here now"


def test_before_an_account_is_closed_its_bots_are_named() -> None:
    """They stop with it."""
    assert "bots are deactivated too: Clock." in users.deactivation(_store(), eg.MARY)
    assert "bots" not in users.deactivation(_store(), GONE)


def test_owners_are_made_and_changed_by_owners_only() -> None:
    """An administrator does everything else; a member nothing; nobody changes bots' roles."""
    owner = eg.user(UserId(9), "Owner", role=Role.OWNER)
    for role, changes, owners in (
        (Role.OWNER, True, True),
        (Role.ADMINISTRATOR, True, False),
        (Role.MODERATOR, False, False),
    ):
        store = _store(role, owner)
        assert roles.may_change(store, eg.MARY) is changes
        assert roles.may_change(store, owner) is owners
        assert (Role.OWNER in roles.to_give(store)) is owners
        assert not roles.may_change(store, CLOCK)
    assert roles.to_invite_as(_store(Role.MODERATOR)) == [Role.MEMBER, Role.GUEST]
