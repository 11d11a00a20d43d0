"""Channel folders as the API's JSON. Reads only."""

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store import channel_folders
from server_lite.store.channel_folders import FolderRow
from server_lite.store.connection import Db


class ChannelFolderObject(TypedDict):
    """A folder of channels; `date_created` is in UNIX seconds."""

    id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: UserId | None
    order: int
    is_archived: bool


def folder_object(row: FolderRow) -> ChannelFolderObject:
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


def folder_objects(db: Db, *, include_archived: bool) -> list[ChannelFolderObject]:
    """All folders in their order."""
    return [
        folder_object(row)
        for row in channel_folders.everything(db)
        if include_archived or not row.is_archived
    ]
