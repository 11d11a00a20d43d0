"""Channels as administrators see them: who may read, and who may change what."""

from dataclasses import replace

import pytest

from tests import eg
from tui.api.model import Role, UserGroup, UserGroupId
from tui.store import Store
from tui.view import channels, subscriptions
from tui.view.channels import Privacy

MAKERS = UserGroupId(5)


def _store(role: Role, *, makes: bool = False) -> Store:
    me = replace(eg.ME, role=role)
    members = frozenset({me.user_id} if makes else ())
    group = eg.make(UserGroup, id=MAKERS, name="makers", members=members)
    snapshot = eg.snapshot(users=(me, eg.MARY), user_groups=(group,))
    realm = replace(
        snapshot.realm,
        can_create_public_channel_group=MAKERS,
        can_create_private_channel_group=MAKERS,
        can_create_web_public_channel_group=MAKERS,
    )
    return Store.from_snapshot(replace(snapshot, realm=realm))


@pytest.mark.parametrize(
    ("private", "history", "web", "kind"),
    [
        (False, True, False, Privacy.OPEN),
        (True, True, False, Privacy.PRIVATE),
        (True, False, False, Privacy.PROTECTED),
        (False, True, True, Privacy.WEB),
    ],
)
def test_who_can_read_a_channel(*, private: bool, history: bool, web: bool, kind: Privacy) -> None:
    """Three flags of the wire are one of four kinds."""
    channel = replace(
        eg.channel(9, "plans"),
        invite_only=private,
        history_public_to_subscribers=history,
        is_web_public=web,
    )
    assert channels.privacy(channel) == kind


def test_only_kinds_that_one_may_make_are_offered() -> None:
    """What a channel is already stays on the list; the internet needs the owners' leave."""
    assert channels.privacies(_store(Role.MEMBER)) == []
    assert channels.privacies(_store(Role.MEMBER), Privacy.WEB) == [Privacy.WEB]
    offered = channels.privacies(_store(Role.MEMBER, makes=True))
    assert offered == [Privacy.OPEN, Privacy.PRIVATE, Privacy.PROTECTED]


def test_a_channel_is_administered_by_those_it_names() -> None:
    """Administrators of the organization may always; a member, if the channel says so."""
    channel = replace(eg.channel(9, "plans"), can_administer_channel_group=MAKERS)
    assert channels.may_administer(_store(Role.ADMINISTRATOR), channel)
    assert channels.may_administer(_store(Role.MEMBER, makes=True), channel)
    assert not channels.may_administer(_store(Role.MEMBER), channel)
    assert not channels.may_remove(_store(Role.MEMBER), channel, eg.MARY.user_id)
    assert channels.may_remove(_store(Role.MEMBER), channel, eg.ME.user_id)


def test_a_guest_adds_nobody_whatever_a_group_says() -> None:
    """Guests are in groups, too."""
    channel = replace(eg.channel(9, "plans"), can_add_subscribers_group=MAKERS)
    assert channels.may_add(_store(Role.MEMBER, makes=True), channel)
    assert not channels.may_add(_store(Role.GUEST, makes=True), channel)
    archived = replace(channel, is_archived=True)
    assert not channels.may_add(_store(Role.MEMBER, makes=True), archived)


@pytest.mark.parametrize(
    ("typed", "color"),
    [("#4A90D9", "#4a90d9"), ("1ac", "#11aacc"), ("blue", None), ("#12345", None), ("", None)],
)
def test_a_color_is_typed(typed: str, color: str | None) -> None:
    """Three or six digits, with or without the sign."""
    assert subscriptions.parse_color(typed) == color
