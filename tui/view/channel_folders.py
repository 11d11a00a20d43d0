"""Channel folders as lines of a list. Pure."""

from tui.api.model import Channel, ChannelFolder, ChannelFolderId
from tui.store import Store
from tui.view import channels
from tui.view.purpose import purpose


def in_order(store: Store) -> list[ChannelFolder]:
    """Return the folders in the organization's order, archived ones last."""
    return sorted(store.folders.in_order(), key=lambda folder: folder.is_archived)


def channels_in(store: Store, folder_id: ChannelFolderId) -> list[Channel]:
    """Return the channels in a folder by name, without archived ones."""
    all_channels = channels.in_order(store)
    return [each for each in all_channels if each.folder_id == folder_id and not each.is_archived]


def description(store: Store, folder: ChannelFolder) -> str:
    """Return the folder's channels and its description."""
    inside = ", ".join(channels.name(store, each) for each in channels_in(store, folder.id))
    parts = ["archived" if folder.is_archived else "", inside, purpose(folder)]
    return " · ".join(each for each in parts if each) or "empty"
