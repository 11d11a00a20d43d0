"""Channel folders: visible to all, changed by administrators. Thin."""

from typing import Annotated, Final

from typing_extensions import TypedDict

from server_lite.actions import channel_folders as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import ITEMS, MaxLength, NotBlank
from server_lite.errors import ApiError, Insufficient
from server_lite.objects.channels import ChannelFolderObject, folder_objects
from server_lite.store import channel_folders, channels
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

Name = Annotated[str, NotBlank(), MaxLength(100)]
Description = Annotated[str, MaxLength(1024)]


class ChannelFolders(TypedDict):
    """All channel folders, in their order."""

    channel_folders: list[ChannelFolderObject]


class Created(TypedDict):
    """ID of the created folder."""

    channel_folder_id: int


MAX_FOLDERS: Final = ITEMS
"""Limit of folders, archived ones included: their order is one list."""


def check_admin(user: UserRow) -> None:
    """Raise unless the user is an administrator."""
    if not user.is_admin:
        raise Insufficient("Must be an organization administrator")


def listing(db: Db, user: UserRow, *, include_archived: bool = False) -> ChannelFolders:
    """Get all channel folders, in their order."""
    return {"channel_folders": folder_objects(db, include_archived=include_archived)}


def create(tx: Tx, user: UserRow, *, name: Name, description: Description = "") -> Created:
    """Create a channel folder."""
    check_admin(user)
    if len(channel_folders.everything(tx)) >= MAX_FOLDERS:
        raise ApiError(f"There can be at most {MAX_FOLDERS} channel folders.")
    _check_free(tx, name, other_than=0)
    folder = actions.create(tx, user, name=name.strip(), description=description.strip())
    return {"channel_folder_id": folder.id}


def update(
    tx: Tx,
    user: UserRow,
    folder_id: int,
    *,
    name: Annotated[str | None, NotBlank(), MaxLength(100)] = None,
    description: Annotated[str | None, MaxLength(1024)] = None,
    is_archived: bool | None = None,
) -> Done:
    """Update a channel folder. A folder that contains active channels cannot be archived."""
    check_admin(user)
    folder = channel_folders.by_id(tx, folder_id)
    if folder is None:
        raise ApiError("Invalid channel folder ID")
    if name is not None:
        _check_free(tx, name, other_than=folder.id)
    if is_archived and channels.where(tx, "folder_id = ? AND NOT is_archived", folder.id):
        raise ApiError("You need to remove all the channels from this folder to archive it.")
    actions.update(
        tx,
        user,
        folder,
        name=None if name is None else name.strip(),
        description=None if description is None else description.strip(),
        is_archived=is_archived,
    )
    return {}


def reorder(tx: Tx, user: UserRow, *, order: list[int]) -> Done:
    """Reorder the channel folders; `order` must contain each of them once."""
    check_admin(user)
    if sorted(order) != sorted(folder.id for folder in channel_folders.everything(tx)):
        raise ApiError("Invalid order mapping")
    actions.reorder(tx, order)
    return {}


def _check_free(tx: Tx, name: str, *, other_than: int) -> None:
    if channel_folders.name_taken(tx, name.strip(), other_than=other_than):
        raise ApiError("Channel folder name already in use.")
