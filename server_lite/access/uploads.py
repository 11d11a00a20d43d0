"""Access to uploaded files, and their names. Reads only.

The uploader may read a file, and all who may read a message that links it, checked at every read. A file that
does not exist and one that is forbidden raise the same error.
"""

import re
import secrets
import unicodedata
from collections.abc import Sequence
from typing import Final

from server_lite.access.anonymous import is_open
from server_lite.access.messages import visible_among, visible_messages_sql
from server_lite.access.users import anonymous_user
from server_lite.errors import ApiError, NoSuchObject
from server_lite.ids import MessageId, UserId
from server_lite.store import uploads, users
from server_lite.store.connection import Db
from server_lite.store.uploads import UploadRow
from server_lite.store.users import UserRow

REALM: Final = "1"
"""First part of every path: a server has one organization."""

PLAIN_TYPE: Final = "application/octet-stream"
_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,63}/[a-z0-9][a-z0-9.+-]{0,63}")
_LONGEST_NAME: Final = 120


def access_upload(db: Db, user: UserRow | None, path_id: str) -> UploadRow:
    """Return the file; raises NoSuchObject, for visitors too if the organization does not admit them."""
    upload = uploads.by_path(db, path_id)
    is_shut = user is None and not is_open(db)
    if upload is None or is_shut or not may_read_upload(db, user or anonymous_user(), upload):
        raise NoSuchObject("This file does not exist or has been deleted.")
    return upload


def may_read_upload(db: Db, user: UserRow, upload: UploadRow) -> bool:
    """Whether the user uploaded the file, or may read a message that links it."""
    return bool(readable_uploads(db, user, [upload]))


def readable_uploads(db: Db, user: UserRow, rows: Sequence[UploadRow]) -> list[UploadRow]:
    """Return the files for which `may_read_upload` holds."""
    others = [row.id for row in rows if row.user_id != user.id]
    readable = set[int]()
    if others:
        condition, values = visible_messages_sql(db, user)
        readable = uploads.linked_where(db, others, condition, values)
    return [row for row in rows if row.user_id == user.id or row.id in readable]


def newest_links_shown(
    db: Db, owner_id: UserId, rows: Sequence[UploadRow], limit: int
) -> dict[int, list[MessageId]]:
    """Return the newest messages that link each of a user's files, as far as the user may read them; ascending.

    At most `limit` for all files together, but some of each.
    """
    owner = users.by_id(db, owner_id)
    assert owner is not None
    each = max(10, limit // len(rows))
    links = {row.id: uploads.newest_messages_of(db, row.id, each) for row in rows}
    visible = set(visible_among(db, owner, {one for ids in links.values() for one in ids}))
    return {
        upload_id: sorted(MessageId(one) for one in ids if one in visible)
        for upload_id, ids in links.items()
    }


def all_links_shown(db: Db, owner: UserRow) -> dict[int, list[MessageId]]:
    """Return all messages that link each of a user's files, as far as the user may read them, by file ID."""
    links = uploads.links_of_user(db, owner.id)
    visible = set(visible_among(db, owner, {one for ids in links.values() for one in ids}))
    return {
        upload_id: [MessageId(one) for one in ids if one in visible]
        for upload_id, ids in links.items()
    }


def access_own_upload(db: Db, user: UserRow, upload_id: int) -> UploadRow:
    """Return a file the user uploaded; raises `Invalid attachment`."""
    upload = uploads.by_id(db, upload_id)
    if upload is None or upload.user_id != user.id:
        raise ApiError("Invalid attachment")
    return upload


def new_path(name: str) -> str:
    """Return an unguessable path that ends with a name safe in URLs and folders."""
    return f"{REALM}/{secrets.token_hex(1)}/{secrets.token_urlsafe(18)}/{safe_name(name)}"


def shown_name(name: str) -> str:
    """Return the file's name for display: its last part, on one line."""
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(c for c in last if unicodedata.category(c)[0] != "C").strip()
    return visible[-_LONGEST_NAME:] or "file"


def safe_name(name: str) -> str:
    """Return the name's letters, digits, dots, dashes and underscores; never a hidden file or a folder."""
    name = unicodedata.normalize("NFC", shown_name(name))
    safe = re.sub(r"[^\w.\-]+", "-", name).strip("-.")
    return safe or "file"


def checked_type(content_type: str) -> str:
    """Return the media type without parameters, or a default: headers never contain a client's own text."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind if _TYPE.fullmatch(kind) else PLAIN_TYPE
