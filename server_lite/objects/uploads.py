"""Uploaded files as the API's JSON. Reads only."""

from typing import Any

from server_lite.store import uploads
from server_lite.store.connection import Db
from server_lite.store.uploads import UploadRow


def attachment_object(db: Db, row: UploadRow) -> dict[str, Any]:
    """The Attachment object."""
    return {
        "id": row.id,
        "name": row.name,
        "path_id": row.path_id,
        "size": row.size,
        "create_time": int(row.created),
        "message_ids": uploads.messages_of(db, row.id),
    }


def url_of(row: UploadRow) -> str:
    """The address that messages link."""
    return f"/user_uploads/{row.path_id}"
