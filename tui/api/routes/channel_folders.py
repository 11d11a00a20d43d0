"""Channel folders. No state, no retries."""

from collections.abc import Sequence

from tui.api.connection import Connection
from tui.api.model import ChannelFolder, ChannelFolderId


async def fetch(connection: Connection, *, include_archived: bool) -> tuple[ChannelFolder, ...]:
    """GET /channel_folders (since level 389)."""
    answer = await connection.get("/channel_folders", {"include_archived": include_archived})
    return answer.read("channel_folders", tuple[ChannelFolder, ...])


async def create(connection: Connection, *, name: str, description: str) -> ChannelFolderId:
    """POST /channel_folders/create: for administrators."""
    answer = await connection.post(
        "/channel_folders/create", {"name": name, "description": description}
    )
    return answer.read("channel_folder_id", ChannelFolderId)


async def update(
    connection: Connection,
    *,
    folder_id: ChannelFolderId,
    name: str | None,
    description: str | None,
    is_archived: bool | None,
) -> None:
    """PATCH /channel_folders/{id}: None keeps a value."""
    await connection.patch(
        f"/channel_folders/{folder_id}",
        {"name": name, "description": description, "is_archived": is_archived},
    )


async def reorder(connection: Connection, *, folder_ids: Sequence[ChannelFolderId]) -> None:
    """PATCH /channel_folders: all of them in their new order (since level 414)."""
    await connection.patch("/channel_folders", {"order": folder_ids})
