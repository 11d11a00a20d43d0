"""Access to drafts, and validation of their contents. Reads only."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from server_lite.access.channels import access_channel_by_id
from server_lite.access.message_validation import cut_topic
from server_lite.access.users import inaccessible_user_ids
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


def checked_drafts(db: Db, user: UserRow, rows: Sequence[DraftRow]) -> list[DraftRow]:
    """Return drafts as stored: fields that their type ignores are emptied. Raises ApiError if one is invalid."""
    ids = {UserId(one) for row in rows if row.type == "private" for one in row.to}
    known = (users.all_ids(db) & ids) - inaccessible_user_ids(db, user, ids)
    return [_checked(db, user, row, known) for row in rows]


def _checked(db: Db, user: UserRow, draft: DraftRow, known: AbstractSet[UserId]) -> DraftRow:
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
    to = _recipient(db, user, draft, known)
    return DraftRow(draft.id, user.id, draft.type, to, topic, content, draft.timestamp)


def _recipient(db: Db, user: UserRow, draft: DraftRow, known: AbstractSet[UserId]) -> list[int]:
    if draft.type == "stream":
        if len(draft.to) != 1:
            raise ApiError("Must specify exactly 1 channel ID for channel messages")
        return [access_channel_by_id(db, user, ChannelId(draft.to[0])).id]
    if draft.type == "private":
        for user_id in draft.to:
            if user_id not in known:
                raise ApiError(f"Invalid user ID {user_id}")
        return list(dict.fromkeys(draft.to))
    return []
