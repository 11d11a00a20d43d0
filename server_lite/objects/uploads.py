"""Uploaded files as the API's JSON. Pure."""

from collections.abc import Sequence

from typing_extensions import TypedDict

from server_lite.store.uploads import UploadRow


class AttachmentObject(TypedDict):
    """An uploaded file; `size` in bytes, `create_time` in UNIX seconds."""

    id: int
    name: str
    path_id: str
    size: int
    create_time: int
    message_ids: list[int]


def attachment_object(row: UploadRow, message_ids: Sequence[int]) -> AttachmentObject:
    """Return the Attachment object; `message_ids` link the file, among those visible to the user."""
    return {
        "id": row.id,
        "name": row.name,
        "path_id": row.path_id,
        "size": row.size,
        "create_time": int(row.created),
        "message_ids": list(message_ids),
    }


def url_of(row: UploadRow) -> str:
    """Return the URL that messages link."""
    return f"/user_uploads/{row.path_id}"
