"""Older servers say by a number who may do what: it is a group of the system, as newer ones say."""

from tui.api.features import FIELDS, knows
from tui.api.policies import POLICIES, groups_of_policies

GROUPS = [{"id": 10, "name": "role:members"}, {"id": 11, "name": "role:administrators"}]


def test_a_number_is_a_group() -> None:
    """What the server says itself stays, and a number or a group that is not known says nothing."""
    realm = {
        "add_custom_emoji_policy": 1,
        "invite_to_realm_policy": 2,
        "create_public_stream_policy": 1,
        "can_create_public_channel_group": 11,
        "edit_topic_policy": 5,
        "delete_own_message_policy": "1",
    }
    settings = groups_of_policies(realm, GROUPS)
    assert settings == {"can_add_custom_emoji_group": 10, "can_invite_users_group": 11}
    assert groups_of_policies(realm, None) == {}


def test_such_a_setting_is_not_offered_to_be_changed() -> None:
    """The server would pass over the group in silence."""
    for setting, (_, since) in POLICIES.items():
        assert FIELDS[setting] == since
        assert not knows(since - 1, setting)
