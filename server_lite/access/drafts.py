"""Access to drafts, and validation of their contents. Reads only."""

from typing import Final

from server_lite.access.channels import access_channel_by_id
from server_lite.access.message_validation import cut_topic
from server_lite.access.users import can_access_user
from server_lite.errors import ApiError, NoSuchObject
from server_lite.ids import ChannelId, UserId
from server_lite.store import drafts, users
from server_lite.store.connection import Db
from server_lite.store.drafts import DraftRow
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow

MAX_CONTENT: Final = 10_000
MAX_DRAFTS: Final = 1000


def check_synchronizing(user: UserRow) -> None:
    """Raise if the user disabled synchronizing drafts."""
    if not setting(user, "enable_drafts_synchronization"):
        raise ApiError("User has disabled synchronizing drafts.")


def access_draft(db: Db, user: UserRow, draft_id: int) -> DraftRow:
    """Return the user's own draft; raises NoSuchObject."""
    draft = drafts.by_id(db, draft_id)
    if draft is None or draft.user_id != user.id:
        raise NoSuchObject("Draft does not exist")
    return draft


def check_room(db: Db, user: UserRow, more: int) -> None:
    """Raise if the user would exceed the limit of drafts."""
    if drafts.count(db, user.id) + more > MAX_DRAFTS:
        raise ApiError(f"drafts: there can be at most {MAX_DRAFTS} of them")


def checked_draft(db: Db, user: UserRow, draft: DraftRow) -> DraftRow:
    """Return the draft as stored: fields that its type ignores are emptied. Raises ApiError if invalid."""
    content = draft.content
    topic = cut_topic(draft.topic.strip()) if draft.type == "stream" else ""
    if "\0" in content:
        raise ApiError("Content must not contain null bytes")
    if "\0" in draft.topic:
        raise ApiError("Topic must not contain null bytes")
    if len(content) > MAX_CONTENT:
        raise ApiError(f"content is too long (limit: {MAX_CONTENT} characters)")
    if draft.timestamp < 0:
        raise ApiError("Timestamp must not be negative.")
    to = _recipient(db, user, draft)
    return DraftRow(draft.id, user.id, draft.type, to, topic, content, draft.timestamp)


def _recipient(db: Db, user: UserRow, draft: DraftRow) -> list[int]:
    if draft.type == "stream":
        if len(draft.to) != 1:
            raise ApiError("Must specify exactly 1 channel ID for channel messages")
        return [access_channel_by_id(db, user, ChannelId(draft.to[0])).id]
    if draft.type == "private":
        for user_id in dict.fromkeys(draft.to):
            person = users.by_id(db, UserId(user_id))
            if person is None or not can_access_user(db, user, person):
                raise ApiError(f"Invalid user ID {user_id}")
        return list(dict.fromkeys(draft.to))
    return []
