"""Channels for those who administer them: visibility, permissions, lines of a list. Pure."""

import enum
from typing import Final

from tui.api.model import Channel, UserId
from tui.content.sanitize import sanitize_line
from tui.store import Store
from tui.view import names
from tui.view.counts import counted
from tui.view.permissions import is_administrator, is_in, is_member
from tui.view.purpose import purpose
from tui.view.settings import ChoiceSetting, PermissionSetting, SettingsSection, days, parse_days


class Privacy(enum.Enum):
    """A channel's visibility."""

    OPEN = "open"
    PRIVATE = "private"
    PROTECTED = "protected"
    WEB = "web"


PRIVACIES: Final = {
    Privacy.OPEN: "public to the organization",
    Privacy.PRIVATE: "private, shared history",
    Privacy.PROTECTED: "private, no earlier history",
    Privacy.WEB: "public on the web",
}
"""The labels, which say how much new members can read."""

FOREVER: Final = -1

TOPICS_POLICY: Final = ChoiceSetting(
    name="topics_policy",
    label="Topics",
    values=(
        ("inherit", "organization default"),
        ("allow_empty_topic", "unnamed topics allowed"),
        ("disable_empty_topic", "name required"),
        ("empty_topic_only", "no topics: one conversation"),
    ),
)

POLICIES: Final = SettingsSection(
    name="policies",
    label="Policies",
    help="topics, message retention",
    settings=(
        TOPICS_POLICY,
        ChoiceSetting(
            name="message_retention_days",
            label="Message retention",
            values=(
                (None, "organization default"),
                (FOREVER, "forever"),
                (30, "30 days"),
                (90, "90 days"),
            ),
            parse=parse_days,
            says=days,
            owner_only=True,
        ),
    ),
)

PERMISSIONS: Final = SettingsSection(
    name="permissions",
    label="Permissions",
    help="administer, post, add and remove people, move, delete",
    text="In addition to the organization's permissions.",
    settings=(
        PermissionSetting(name="can_administer_channel_group", label="Administer the channel"),
        PermissionSetting(name="can_send_message_group", label="Post messages"),
        PermissionSetting(name="can_create_topic_group", label="Create topics"),
        PermissionSetting(name="can_subscribe_group", label="Join without invitation"),
        PermissionSetting(name="can_add_subscribers_group", label="Add people"),
        PermissionSetting(name="can_remove_subscribers_group", label="Remove people"),
        PermissionSetting(
            name="can_move_messages_within_channel_group", label="Move within the channel"
        ),
        PermissionSetting(
            name="can_move_messages_out_of_channel_group", label="Move out of the channel"
        ),
        PermissionSetting(name="can_resolve_topics_group", label="Resolve topics"),
        PermissionSetting(name="can_delete_any_message_group", label="Delete any message"),
        PermissionSetting(name="can_delete_own_message_group", label="Delete own messages"),
    ),
)


def privacy(channel: Channel) -> Privacy:
    """Return the channel's visibility."""
    if channel.is_web_public:
        return Privacy.WEB
    if not channel.invite_only:
        return Privacy.OPEN
    return Privacy.PRIVATE if channel.history_public_to_subscribers else Privacy.PROTECTED


def privacies(store: Store, now: Privacy | None = None) -> list[Privacy]:
    """Return the visibilities that the user may choose, and the current one, `now`."""
    realm = store.realm.settings
    may = {
        Privacy.OPEN: is_in(store, realm.can_create_public_channel_group),
        Privacy.PRIVATE: is_in(store, realm.can_create_private_channel_group),
        Privacy.PROTECTED: is_in(store, realm.can_create_private_channel_group),
        Privacy.WEB: bool(realm.enable_spectator_access)
        and is_in(store, realm.can_create_web_public_channel_group),
    }
    return [each for each in Privacy if may[each] or each == now]


def may_administer(store: Store, channel: Channel) -> bool:
    """Whether the user may change the channel's settings."""
    return is_administrator(store) or is_in(store, channel.can_administer_channel_group)


def may_add(store: Store, channel: Channel) -> bool:
    """Whether the user may add subscribers to the channel."""
    if channel.is_archived or not is_member(store):
        return False
    return (
        is_in(store, store.realm.settings.can_add_subscribers_group)
        or may_administer(store, channel)
        or is_in(store, channel.can_add_subscribers_group)
    )


def may_remove(store: Store, channel: Channel, user_id: UserId) -> bool:
    """Whether the user may remove a subscriber from the channel; themselves, and own bots, always."""
    user = store.users.get(user_id)
    if user_id == store.self_id or (user is not None and user.bot_owner_id == store.self_id):
        return True
    return may_administer(store, channel) or is_in(store, channel.can_remove_subscribers_group)


def may_delete_topics(store: Store, channel: Channel) -> bool:
    """Whether the user may delete others' messages in the channel."""
    return is_in(store, store.realm.settings.can_delete_any_message_group) or is_in(
        store, channel.can_delete_any_message_group
    )


def in_order(store: Store) -> list[Channel]:
    """Return all channels in the store by name, archived ones last."""
    all_channels = store.channels.by_id.values()
    return sorted(all_channels, key=lambda each: (each.is_archived, each.name.casefold()))


def name(store: Store, channel: Channel) -> str:
    """Return the name with its mark: `#design`."""
    return f"{names.channel_mark(store, channel.channel_id)}{sanitize_line(channel.name)}"


def description(store: Store, channel: Channel) -> str:
    """Return the channel's members, folder, visibility and description in one line."""
    folder = store.folders.by_id.get(channel.folder_id) if channel.folder_id else None
    parts = [
        "archived" if channel.is_archived else "",
        people(channel),
        "" if channel.channel_id in store.channels.subscribed else "not joined",
        "web-public" if channel.is_web_public else "",
        "default" if channel.channel_id in store.realm.default_channel_ids else "",
        sanitize_line(folder.name) if folder is not None else "",
        purpose(channel),
    ]
    return " · ".join(part for part in parts if part)


def people(channel: Channel) -> str:
    """Return `1 person` or `12 people`; "" where the count is unknown."""
    member_ids = channel.subscribers
    count = channel.subscriber_count if member_ids is None else len(member_ids)
    if count is None:
        return ""
    return counted(count, "person", "people")
