"""Permissions as older servers sent them, before groups: numbers, and the groups that they mean. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

Json: TypeAlias = Mapping[str, object]

GROUPS: Final[Mapping[int, str]] = {
    1: "role:members",
    2: "role:administrators",
    3: "role:fullmembers",
    4: "role:moderators",
    5: "role:everyone",
    6: "role:nobody",
    7: "role:owners",
}
"""The system group of each number; the policies below agree on it."""

POLICIES: Final[Mapping[str, tuple[str, int]]] = {
    "can_add_custom_emoji_group": ("add_custom_emoji_policy", 307),
    "can_add_subscribers_group": ("invite_to_stream_policy", 341),
    "can_create_groups": ("user_group_edit_policy", 299),
    "can_create_private_channel_group": ("create_private_stream_policy", 266),
    "can_create_public_channel_group": ("create_public_stream_policy", 264),
    "can_create_web_public_channel_group": ("create_web_public_stream_policy", 280),
    "can_delete_own_message_group": ("delete_own_message_policy", 291),
    "can_invite_users_group": ("invite_to_realm_policy", 321),
    "can_move_messages_between_channels_group": ("move_messages_between_streams_policy", 310),
    "can_move_messages_between_topics_group": ("edit_topic_policy", 316),
}
"""The number that set a permission before groups did, and the level since which the group does."""


def groups_of_policies(realm: Json, groups: object) -> Json:
    """Return the settings that only a number sets, as the IDs of `groups`, the server's group objects."""
    if not isinstance(groups, Sequence):
        return {}
    ids = {each.get("name"): each.get("id") for each in groups if isinstance(each, Mapping)}
    group_settings = {}
    for setting, (policy, _) in POLICIES.items():
        number = realm.get(policy)
        group = ids.get(GROUPS.get(number)) if isinstance(number, int) else None
        if setting not in realm and group is not None:
            group_settings[setting] = group
    return group_settings
