"""Permissions to edit, move and delete messages, with their time limits. Reads only.

Limits are in seconds since the message was sent; None is unlimited. Moderators move without limit.
"""

from typing import Final

from server_lite.access.channel_permissions import has_permission
from server_lite.access.messages import visible_among
from server_lite.access.user_groups import is_in_group_setting
from server_lite.errors import ApiError, MoveLimit
from server_lite.events.messages import RESOLVED_PREFIX
from server_lite.ids import TopicId, UserId
from server_lite.store import channels, messages, realm, submessages
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

GRACE: Final = 20
"""Seconds of tolerance: the edit was started within the limit."""


def permitted(db: Db, user: UserRow, name: str) -> bool:
    """Whether the user holds a permission of the organization."""
    return is_in_group_setting(db, user, realm.permission(db, name))


def may_here(db: Db, user: UserRow, channel: ChannelRow | None, everywhere: str, here: str) -> bool:
    """Whether the user holds a permission in the organization, or in this channel."""
    if permitted(db, user, everywhere):
        return True
    return channel is not None and has_permission(db, user, channel, here)


def check_content_edit(db: Db, user: UserRow, row: MessageRow, now: float) -> None:
    """Refuse an edit of the content."""
    if not realm.setting(db, "allow_message_editing"):
        raise ApiError("Your organization has turned off message editing")
    if row.sender_id != user.id:
        raise ApiError("You don't have permission to edit this message")
    if submessages.of_messages(db, [row.id]):
        raise ApiError("Widgets cannot be edited.")
    if _is_late(row, realm.setting(db, "message_content_edit_limit_seconds"), now):
        raise ApiError("The time limit for editing this message has passed")


def check_topic_edit(
    db: Db, user: UserRow, row: MessageRow, channel: ChannelRow, topic: str, now: float
) -> None:
    """Refuse moving a message to another topic of its channel."""
    if is_resolving(row.topic, topic):
        if not may_here(db, user, channel, "can_resolve_topics_group", "can_resolve_topics_group"):
            raise ApiError("You don't have permission to resolve topics.")
        return
    if not may_here(
        db,
        user,
        channel,
        "can_move_messages_between_topics_group",
        "can_move_messages_within_channel_group",
    ):
        raise ApiError("You don't have permission to edit this message")
    # Giving a topic to messages without one is tidying up, and misleads nobody.
    limit = realm.setting(db, "move_messages_within_stream_limit_seconds")
    if row.topic and not user.is_moderator and _is_late(row, limit, now):
        raise ApiError("The time limit for editing this message's topic has passed.")


def check_channel_edit(
    db: Db, user: UserRow, row: MessageRow, channel: ChannelRow, now: float
) -> None:
    """Refuse moving a message out of its channel."""
    if not may_here(
        db,
        user,
        channel,
        "can_move_messages_between_channels_group",
        "can_move_messages_out_of_channel_group",
    ):
        raise ApiError("You don't have permission to move this message")
    limit = realm.setting(db, "move_messages_between_streams_limit_seconds")
    if not user.is_moderator and _is_late(row, limit, now):
        raise ApiError("The time limit for editing this message's channel has passed")


def check_whole_move(
    db: Db, user: UserRow, topic_id: TopicId, *, to_other_channel: bool, now: float
) -> None:
    """Refuse moving a whole topic if some messages are too old; the error says how many could be moved.

    Slow for a long topic.
    """
    name = "between_streams" if to_other_channel else "within_stream"
    limit: int | None = realm.setting(db, f"move_messages_{name}_limit_seconds")
    if limit is None or user.is_moderator:
        return
    ids = visible_among(db, user, messages.ids_in_topic(db, topic_id))
    allowed = messages.sent_since(db, ids, now - limit - GRACE)
    if len(allowed) < len(ids):
        raise MoveLimit(
            first_message_id=allowed[0] if allowed else None,
            allowed=len(allowed),
            total=len(ids),
        )


def is_resolving(old: str, new: str) -> bool:
    """Whether the topics differ only by the prefix of resolved topics."""
    return old != new and old.removeprefix(RESOLVED_PREFIX) == new.removeprefix(RESOLVED_PREFIX)


def check_deletion(db: Db, user: UserRow, row: MessageRow, now: float) -> None:
    """Refuse deleting a message."""
    channel = None if row.channel_id is None else channels.by_id(db, row.channel_id)
    if may_delete_any(db, user, channel):
        return
    own = row.sender_id == user.id or _owns(db, user, row.sender_id)
    if not own or not may_here(
        db, user, channel, "can_delete_own_message_group", "can_delete_own_message_group"
    ):
        raise ApiError("You don't have permission to delete this message")
    if _is_late(row, realm.setting(db, "message_content_delete_limit_seconds"), now):
        raise ApiError("The time limit for deleting this message has passed")


def may_delete_any(db: Db, user: UserRow, channel: ChannelRow | None) -> bool:
    """Whether the user may delete other users' messages in the channel."""
    return may_here(
        db, user, channel, "can_delete_any_message_group", "can_delete_any_message_group"
    )


def _owns(db: Db, user: UserRow, sender_id: UserId) -> bool:
    """Whether the sender is a bot owned by this user."""
    owner: int | None = db.value("SELECT bot_owner_id FROM user WHERE id = ?", sender_id)
    return owner == user.id


def _is_late(row: MessageRow, limit: int | None, now: float) -> bool:
    return limit is not None and now - row.timestamp > limit + GRACE
