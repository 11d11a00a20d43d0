"""Channel folders as the API's JSON. Reads only."""

from typing import Any

from server_lite.store import channel_folders
from server_lite.store.channel_folders import FolderRow
from server_lite.store.connection import Db


def folder_object(row: FolderRow) -> dict[str, Any]:
    """The ChannelFolder object."""
    return {
        "id": row.id,
        "name": row.name,
        "description": row.description,
        "rendered_description": row.rendered_description,
        "date_created": int(row.date_created),
        "creator_id": row.creator_id,
        "order": row.position,
        "is_archived": row.is_archived,
    }


def folder_objects(db: Db, *, include_archived: bool) -> list[dict[str, Any]]:
    """All folders in their order."""
    return [
        folder_object(row)
        for row in channel_folders.everything(db)
        if include_archived or not row.is_archived
    ]
