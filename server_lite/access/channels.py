"""Which channels are visible to a user, and which of their messages the user may read. Reads only.

Three kinds of access, each implying the one before:

- *metadata*: the channel exists, its name and settings. All users except guests for public channels,
  subscribers, administrators, and users with one of its permissions to administer or join.
- *content*: its messages. All users except guests for public channels, subscribers, and non-guests with
  the permission to join or to add subscribers. All of them read the whole history, unless the
  history is protected: then only what was sent while they were subscribed.
- *posting*: `access_channel_for_posting`.

The notification bot sees all channels, so that it can link them, and reads no more of them.
Web-public channels may be read by all, signed in or not. Archived channels stay readable to the same
users. Absent and forbidden give the same error. `visible_channels_sql` and `readable_messages_sql`
are equivalent to the functions, for lists.
"""

from typing import Final, Literal

from server_lite.access.channel_permissions import has_permission
from server_lite.access.user_groups import groups_of
from server_lite.errors import ApiError, NoSuchChannel
from server_lite.ids import ChannelId, UserId
from server_lite.store import channels, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db, SqlValue
from server_lite.store.users import UserRow

Wants = Literal["metadata", "content"]
Condition = tuple[str, list[SqlValue]]
"""SQL and its bound values."""

CONTENT_PERMISSIONS: Final = ("can_add_subscribers_group", "can_subscribe_group")
METADATA_PERMISSIONS: Final = (*CONTENT_PERMISSIONS, "can_administer_channel_group")


def may_see(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the user may know that the channel exists."""
    if user.is_admin or user.is_system_bot or may_read(db, user, channel):
        return True
    return not user.is_guest and has_permission(db, user, channel, "can_administer_channel_group")


def may_read(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the user may read messages of the channel; `readable_messages_sql` says which."""
    if channel.is_web_public or (channel.is_public and not user.is_guest):
        return True
    if subscriptions.is_subscribed(db, user.id, channel.id):
        return True
    return not user.is_guest and any(
        has_permission(db, user, channel, permission) for permission in CONTENT_PERMISSIONS
    )


def reads_whole_history(channel: ChannelRow) -> bool:
    """Whether users who may read the channel may read all of its history."""
    return channel.history_public_to_subscribers or channel.is_web_public


def access_channel_by_id(
    db: Db,
    user: UserRow,
    channel_id: ChannelId,
    *,
    wants: Wants = "metadata",
    active: bool = False,
) -> ChannelRow:
    """Return the channel; `active` refuses archived ones. Raises `Invalid channel ID`."""
    channel = _allowed(db, user, channels.by_id(db, channel_id), wants, active=active)
    if channel is None:
        raise ApiError("Invalid channel ID")
    return channel


def access_channel_by_name(
    db: Db, user: UserRow, name: str, *, wants: Wants = "metadata"
) -> ChannelRow:
    """Return the channel by name, ignoring case. Raises `Invalid channel name '…'`."""
    channel = _allowed(db, user, channels.by_name(db, name), wants, active=False)
    if channel is None:
        raise ApiError(f"Invalid channel name '{name}'")
    return channel


def _allowed(
    db: Db, user: UserRow, channel: ChannelRow | None, wants: Wants, *, active: bool
) -> ChannelRow | None:
    if channel is None or (active and channel.is_archived):
        return None
    allowed = may_read(db, user, channel) if wants == "content" else may_see(db, user, channel)
    return channel if allowed else None


def access_channel_for_posting(db: Db, user: UserRow, to: int | str) -> ChannelRow:
    """Return the channel to send to, by ID or name.

    Raises NoSuchChannel when it is absent or invisible to the user, ApiError when they may not
    post: not subscribed to a private one, archived, or without the permission to send.
    """
    return db.cached(_channel_for_posting, user.id, to)


def _channel_for_posting(db: Db, user_id: UserId, to: int | str) -> ChannelRow:
    user = users.by_id(db, user_id)
    channel = channels.by_id(db, ChannelId(to)) if isinstance(to, int) else channels.by_name(db, to)
    if user is None or channel is None or not may_see(db, user, channel):
        raise NoSuchChannel.numbered(to) if isinstance(to, int) else NoSuchChannel.named(to)
    check_posting(db, user, channel)
    return channel


def check_posting(db: Db, user: UserRow, channel: ChannelRow) -> None:
    """Raise ApiError unless the user may post in a visible channel."""
    if channel.is_archived:
        raise _not_authorized(channel)
    if not has_permission(db, user, channel, "can_send_message_group"):
        raise ApiError("You do not have permission to post in this channel.")
    if subscriptions.is_subscribed(db, user.id, channel.id):
        return
    # Users with read-only access (a guest in a web-public channel) may not post.
    if user.is_guest or not may_read(db, user, channel):
        raise _not_authorized(channel)


def _not_authorized(channel: ChannelRow) -> ApiError:
    return ApiError(f"Not authorized to send to channel '{channel.name}'")


def visible_channels_sql(db: Db, user: UserRow, *, wants: Wants = "metadata") -> Condition:
    """Return a condition over the table `channel`: channels whose metadata or content the user may access."""
    if wants == "metadata" and (user.is_admin or user.is_system_bot):
        return "1", []
    subscribed = "channel.id IN (SELECT channel_id FROM subscription WHERE user_id = ? AND active)"
    if user.is_guest:
        return f"(channel.is_web_public OR {subscribed})", [user.id]
    named = METADATA_PERMISSIONS if wants == "metadata" else CONTENT_PERMISSIONS
    granted = db.cached(_granted, user.id, named)
    numbers = ", ".join(map(str, granted))
    return (
        f"(NOT channel.invite_only OR channel.is_web_public OR {subscribed}"
        f" OR channel.id IN ({numbers}))",
        [user.id],
    )


def _granted(db: Db, user_id: UserId, permissions: tuple[str, ...]) -> list[int]:
    """Return private channels where the user has one of the permissions, which default to nobody."""
    user = users.by_id(db, user_id)
    assert user is not None
    groups = groups_of(db, user)
    granted: list[int] = []
    for channel, ids in channels.private_by_settings(db):
        if any(has_permission(db, user, channel, one, groups) for one in permissions):
            granted += ids
    return granted


def readable_messages_sql(db: Db, user: UserRow) -> Condition:
    """Return a condition over the table `message`: channel messages that the user may read.

    No direct message matches; add those with OR.
    """
    visible, values = visible_channels_sql(db, user, wants="content")
    return (
        "(message.channel_id IN (SELECT channel.id FROM channel WHERE"
        " (channel.history_public_to_subscribers OR channel.is_web_public)"
        f" AND {visible})"
        " OR (message.channel_id IN (SELECT channel.id FROM channel WHERE"
        " NOT channel.history_public_to_subscribers AND NOT channel.is_web_public"
        f" AND {visible})"
        " AND EXISTS (SELECT 1 FROM membership WHERE membership.user_id = ?"
        " AND membership.channel_id = message.channel_id AND membership.after_id < message.id"
        " AND (membership.until_id IS NULL OR membership.until_id >= message.id))))",
        [*values, *values, user.id],
    )


def visible_channel_ids(db: Db, user: UserRow) -> list[int]:
    """Return IDs of the channels visible to the user."""
    condition, values = visible_channels_sql(db, user)
    return db.column(f"SELECT id FROM channel WHERE {condition}", *values)


def visible_subscriptions(db: Db, user: UserRow, person_id: UserId) -> list[int]:
    """Return IDs of a person's subscribed, active channels that are visible to `user`; ascending."""
    condition, values = visible_channels_sql(db, user)
    return db.column(
        "SELECT channel.id FROM channel JOIN subscription ON channel_id = channel.id"
        f" WHERE user_id = ? AND active AND NOT is_archived AND {condition}"
        " ORDER BY channel.id",
        person_id,
        *values,
    )
