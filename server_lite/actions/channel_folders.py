"""Creates, changes and reorders channel folders. Checks no permissions: callers did."""

from collections.abc import Sequence
from typing import Any

from server_lite.access.channel_audience import everybody
from server_lite.actions.channels import render_description
from server_lite.events.channels import FolderAdded, FoldersReordered, FolderUpdated
from server_lite.objects.channels import folder_object
from server_lite.store import channel_folders
from server_lite.store.channel_folders import FolderRow
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def create(tx: Tx, creator: UserRow, *, name: str, description: str) -> FolderRow:
    """Create a folder after all others; the event goes to all users."""
    folder_id = channel_folders.insert(
        tx,
        name=name,
        description=description,
        rendered=render_description(tx, creator, description),
        creator_id=creator.id,
        now=tx.now,
    )
    folder = channel_folders.by_id(tx, folder_id)
    assert folder is not None
    tx.emit(FolderAdded(folder=folder_object(folder)), to=everybody(tx))
    return folder


def update(
    tx: Tx,
    author: UserRow,
    folder: FolderRow,
    *,
    name: str | None,
    description: str | None,
    is_archived: bool | None,
) -> None:
    """Change the values that are not None; the event holds only changed ones."""
    data: dict[str, Any] = {}
    if name is not None and name != folder.name:
        data["name"] = name
    if description is not None and description != folder.description:
        data["description"] = description
        data["rendered_description"] = render_description(tx, author, description)
    if is_archived is not None and is_archived != folder.is_archived:
        data["is_archived"] = is_archived
    if not data:
        return
    channel_folders.update(
        tx,
        folder.id,
        name=data.get("name", folder.name),
        description=data.get("description", folder.description),
        rendered=data.get("rendered_description", folder.rendered_description),
        is_archived=data.get("is_archived", folder.is_archived),
    )
    tx.emit(FolderUpdated(folder_id=folder.id, data=data), to=everybody(tx))


def reorder(tx: Tx, order: Sequence[int]) -> None:
    """Reorder all folders."""
    channel_folders.reorder(tx, order)
    tx.emit(FoldersReordered(order=list(order)), to=everybody(tx))
