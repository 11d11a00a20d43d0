"""Channel folders: creating, changing, ordering. Raises ApiError."""

from tui.api.model import ChannelFolderId, ChannelId
from tui.api.routes import channel_folders as routes
from tui.commands import channels
from tui.commands.reorder import moved
from tui.sync.machine import Sync


async def create(sync: Sync, *, name: str, description: str) -> ChannelFolderId:
    """Create a folder at the end of the list; return its ID."""
    return await routes.create(sync.connection, name=name, description=description)


async def update(
    sync: Sync,
    folder_id: ChannelFolderId,
    *,
    name: str | None = None,
    description: str | None = None,
    is_archived: bool | None = None,
) -> None:
    """Change a folder; None keeps a value."""
    await routes.update(
        sync.connection,
        folder_id=folder_id,
        name=name,
        description=description,
        is_archived=is_archived,
    )


async def move(sync: Sync, folder_id: ChannelFolderId, by: int) -> None:
    """Move a folder `by` places down the list, up if negative; not beyond its ends."""
    # The request must name all folders, also one that was created just now.
    folders = await routes.fetch(sync.connection, include_archived=True)
    order = [each.id for each in sorted(folders, key=lambda each: (each.order, each.id))]
    await routes.reorder(sync.connection, folder_ids=moved(order, folder_id, by))


async def fill(sync: Sync, folder_id: ChannelFolderId, channel_ids: frozenset[ChannelId]) -> None:
    """Put exactly these channels into a folder, one request each; archived channels are not moved."""
    for channel in list(sync.store.channels.by_id.values()):
        if channel.is_archived:
            continue
        inside, should_be_inside = channel.folder_id == folder_id, channel.channel_id in channel_ids
        if inside != should_be_inside:
            where = folder_id if should_be_inside else None
            await channels.update(sync, channel.channel_id, folder_id=where)
