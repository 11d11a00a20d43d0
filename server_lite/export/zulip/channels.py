"""Channels with their folders, subscribers, and users' topic policies, as rows. Reads only."""

from typing import Final

from server_lite.export.zulip import layout
from server_lite.export.zulip.draft import Draft
from server_lite.store import (
    channel_folders,
    channel_permissions,
    channels,
    subscriptions,
    user_topics,
    users,
)
from server_lite.store.channels import ChannelRow
from server_lite.store.user_groups import SystemGroup

POST_POLICIES: Final = {
    SystemGroup.EVERYONE: 1,
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MODERATORS: 4,
}
"""Holders of the permission to post -> the number of the policy."""
ADMINISTRATORS_ONLY: Final = 2
"""The policy for holders without an equivalent number: nobody gains a permission by moving."""
TOPIC_POLICIES: Final = {
    "inherit": 1,
    "allow_empty_topic": 2,
    "disable_empty_topic": 3,
    "empty_topic_only": 4,
}
_NOTIFICATIONS: Final = (
    "desktop_notifications",
    "audible_notifications",
    "push_notifications",
    "email_notifications",
    "wildcard_mentions_notify",
)


def add_channels(draft: Draft) -> None:
    """Write all channels, archived ones included."""
    _folders(draft)
    for channel in channels.where(draft.db, "TRUE"):
        draft.channels[channel.id] = draft.add_recipient(layout.CHANNEL, channel.id)
        _channel(draft, channel)
        _members(draft, channel)
    for user in users.everyone(draft.db):
        for one in user_topics.of_user(draft.db, user.id):
            draft.realm.add(
                "zerver_usertopic",
                user_profile=user.id,
                stream=one.channel_id,
                recipient=draft.channels[one.channel_id],
                topic_name=topic_name(draft, one.name),
                last_updated=one.last_updated,
                visibility_policy=one.policy,
            )


def topic_name(draft: Draft, name: str) -> str:
    """Return the topic's name in this version."""
    return name if name or layout.has_empty_topics(draft.version) else layout.NO_TOPIC


def _folders(draft: Draft) -> None:
    folders = channel_folders.everything(draft.db)
    if not layout.has_folders(draft.version):
        draft.leave_out("channel folders", len(folders))
        return
    for order, folder in enumerate(folders):
        draft.realm.add(
            "zerver_channelfolder",
            id=folder.id,
            realm=layout.REALM_ID,
            name=folder.name,
            description=folder.description,
            rendered_description=folder.rendered_description,
            order=order,
            date_created=folder.date_created,
            creator=folder.creator_id,
            is_archived=folder.is_archived,
        )


def _channel(draft: Draft, channel: ChannelRow) -> None:
    row: dict[str, object] = {}
    carried = {"can_send_message_group"}
    if draft.version >= 9:
        row["creator"] = channel.creator_id
    else:
        draft.leave_out("creators of channels", int(channel.creator_id is not None))
    if layout.has_folders(draft.version):
        row["folder"] = channel.folder_id
        row["topics_policy"] = TOPIC_POLICIES[channel.topics_policy]
    else:
        draft.leave_out("policies on empty topics", int(channel.topics_policy != "inherit"))
    if layout.has_groups(draft.version):
        holders = channel_permissions.value_of(channel, "can_remove_subscribers_group")
        if draft.is_written_group(holders):
            carried.add("can_remove_subscribers_group")
        else:
            holders = int(SystemGroup.ADMINISTRATORS)
        row["can_remove_subscribers_group"] = holders
    senders = channel_permissions.value_of(channel, "can_send_message_group")
    policy = POST_POLICIES.get(SystemGroup(senders)) if senders in list(SystemGroup) else None
    if policy is None:
        carried.discard("can_send_message_group")
    draft.realm.add(
        "zerver_stream",
        id=channel.id,
        realm=layout.REALM_ID,
        name=channel.name,
        description=channel.description,
        date_created=channel.date_created,
        deactivated=channel.is_archived,
        invite_only=channel.invite_only,
        history_public_to_subscribers=channel.history_public_to_subscribers,
        is_web_public=channel.is_web_public,
        message_retention_days=channel.message_retention_days,
        stream_post_policy=ADMINISTRATORS_ONLY if policy is None else policy,
        **row,
    )
    draft.leave_out("permissions of channels", len(channel.group_settings.keys() - carried))
    if channel.is_default:
        draft.realm.add("zerver_defaultstream", realm=layout.REALM_ID, stream=channel.id)


def _members(draft: Draft, channel: ChannelRow) -> None:
    for one in subscriptions.ever_in_channel(draft.db, channel.id):
        draft.realm.add(
            "zerver_subscription",
            user_profile=one.user_id,
            recipient=draft.channels[channel.id],
            active=one.active,
            is_muted=one.is_muted,
            color=one.color,
            pin_to_top=one.pin_to_top,
            **{name: getattr(one, name) for name in _NOTIFICATIONS},
        )
