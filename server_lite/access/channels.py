"""Which channels a person may know of, and which messages in them they may read. Reads only.

Three kinds of access, each implying the one before:

- *metadata*: the channel exists, its name and settings. Everybody but guests for public channels,
  subscribers, administrators, and those who hold one of its permissions to administer or join.
- *content*: its messages. Everybody but guests for public channels, subscribers, and non-guests who
  hold the permission to join or to add people. All of them read the whole history, unless the
  history is protected: then only what was sent while they were subscribed.
- *posting*: `access_channel_for_posting`.

The bot in whose name the server speaks knows of all channels, to link them, and reads none more.
Web-public channels may be read by all, signed in or not. Archived channels stay readable to the same
people. Absent and forbidden give the same error. `visible_channels_sql` and `readable_messages_sql`
say the same as the functions, for lists.
"""

from typing import Final, Literal

from server_lite.access.channel_permissions import has_permission
from server_lite.errors import ApiError, NoSuchChannel
from server_lite.ids import ChannelId, MessageId, UserId
from server_lite.store import channels, subscriptions
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db, SqlValue
from server_lite.store.users import UserRow

Wants = Literal["metadata", "content"]
Condition = tuple[str, list[SqlValue]]
"""SQL and the values bound in it."""

CONTENT_PERMISSIONS: Final = ("can_add_subscribers_group", "can_subscribe_group")
METADATA_PERMISSIONS: Final = (*CONTENT_PERMISSIONS, "can_administer_channel_group")


def may_see(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the person may know that the channel exists."""
    if user.is_admin or user.is_system_bot or may_read(db, user, channel):
        return True
    return not user.is_guest and has_permission(db, user, channel, "can_administer_channel_group")


def may_read(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the person may read messages of the channel; `may_read_message` says which."""
    if channel.is_web_public or (channel.is_public and not user.is_guest):
        return True
    if subscriptions.is_subscribed(db, user.id, channel.id):
        return True
    return not user.is_guest and any(
        has_permission(db, user, channel, permission) for permission in CONTENT_PERMISSIONS
    )


def may_read_message(db: Db, user: UserRow, channel: ChannelRow, message_id: MessageId) -> bool:
    """Whether the person may read this message of the channel."""
    if not may_read(db, user, channel):
        return False
    return reads_whole_history(channel) or subscriptions.was_there(
        db, user.id, channel.id, message_id
    )


def reads_whole_history(channel: ChannelRow) -> bool:
    """Whether who may read the channel at all may read all of it."""
    return channel.history_public_to_subscribers or channel.is_web_public


def access_channel_by_id(
    db: Db,
    user: UserRow,
    channel_id: ChannelId,
    *,
    wants: Wants = "metadata",
    active: bool = False,
) -> ChannelRow:
    """The channel; `active` refuses archived ones. Raises `Invalid channel ID`."""
    channel = _allowed(db, user, channels.by_id(db, channel_id), wants, active=active)
    if channel is None:
        raise ApiError("Invalid channel ID")
    return channel


def access_channel_by_name(
    db: Db, user: UserRow, name: str, *, wants: Wants = "metadata"
) -> ChannelRow:
    """The same, by name without regard to case. Raises `Invalid channel name '…'`."""
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
    """The channel to send to, by id or name.

    Raises NoSuchChannel when it is absent or the person may not know of it, ApiError when they may
    not post: not subscribed to a private one, archived, or without the permission to send.
    """
    channel = channels.by_id(db, ChannelId(to)) if isinstance(to, int) else channels.by_name(db, to)
    if channel is None or not may_see(db, user, channel):
        raise NoSuchChannel.numbered(to) if isinstance(to, int) else NoSuchChannel.named(to)
    check_posting(db, user, channel)
    return channel


def check_posting(db: Db, user: UserRow, channel: ChannelRow) -> None:
    """Raise ApiError unless the person may send to a channel that they may know of."""
    if channel.is_archived:
        raise _not_authorized(channel)
    if not has_permission(db, user, channel, "can_send_message_group"):
        raise ApiError("You do not have permission to post in this channel.")
    if subscriptions.is_subscribed(db, user.id, channel.id):
        return
    # Who may only look (a guest in a web-public channel) does not write.
    if user.is_guest or not may_read(db, user, channel):
        raise _not_authorized(channel)


def _not_authorized(channel: ChannelRow) -> ApiError:
    return ApiError(f"Not authorized to send to channel '{channel.name}'")


def visible_channels_sql(db: Db, user: UserRow, *, wants: Wants = "metadata") -> Condition:
    """A condition over the table `channel`: those the person may know of, or read."""
    if wants == "metadata" and (user.is_admin or user.is_system_bot):
        return "1", []
    subscribed = "channel.id IN (SELECT channel_id FROM subscription WHERE user_id = ? AND active)"
    if user.is_guest:
        return f"(channel.is_web_public OR {subscribed})", [user.id]
    named = METADATA_PERMISSIONS if wants == "metadata" else CONTENT_PERMISSIONS
    granted = _granted(db, user, named)
    numbers = ", ".join(map(str, granted))
    return (
        f"(NOT channel.invite_only OR channel.is_web_public OR {subscribed}"
        f" OR channel.id IN ({numbers}))",
        [user.id],
    )


def _granted(db: Db, user: UserRow, permissions: tuple[str, ...]) -> list[int]:
    """Private channels where one of the permissions, which nobody has by default, is the person's."""
    candidates = channels.where(db, "channel.invite_only AND channel.group_settings != '{}'")
    return [
        channel.id
        for channel in candidates
        if any(has_permission(db, user, channel, permission) for permission in permissions)
    ]


def readable_messages_sql(db: Db, user: UserRow) -> Condition:
    """A condition over the table `message`: channel messages that the person may read.

    Direct messages fulfil it never; add them with OR.
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
    """Ids of the channels that the person may know of."""
    condition, values = visible_channels_sql(db, user)
    return db.column(f"SELECT id FROM channel WHERE {condition}", *values)


def visible_subscriptions(db: Db, user: UserRow, person_id: UserId) -> list[int]:
    """Ids of the unarchived channels somebody is in, as far as `user` may know of them; ascending."""
    condition, values = visible_channels_sql(db, user)
    return db.column(
        "SELECT channel.id FROM channel JOIN subscription ON channel_id = channel.id"
        f" WHERE user_id = ? AND active AND NOT is_archived AND {condition}"
        " ORDER BY channel.id",
        person_id,
        *values,
    )
