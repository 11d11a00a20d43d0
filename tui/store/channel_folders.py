"""The organization's channel folders. No I/O, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.api.model import ChannelFolder, ChannelFolderId

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import ChannelFolderChange


class ChannelFolders:
    """Folders by ID."""

    def __init__(self, folders: Iterable[ChannelFolder]) -> None:
        self.by_id: dict[ChannelFolderId, ChannelFolder] = {f.id: f for f in folders}

    def in_order(self) -> list[ChannelFolder]:
        """Return the folders in the organization's order, archived ones too."""
        return sorted(self.by_id.values(), key=lambda folder: (folder.order, folder.id))

    def add(self, folder: ChannelFolder) -> None:
        """Add a new folder."""
        self.by_id[folder.id] = folder

    def change(self, folder_id: ChannelFolderId, change: ChannelFolderChange) -> None:
        """Change a folder."""
        folder = self.by_id.get(folder_id)
        if folder is None:
            return
        names = ("name", "description", "rendered_description", "is_archived")
        news = {name: value for name in names if (value := getattr(change, name)) is not None}
        self.by_id[folder_id] = replace(folder, **news)

    def reorder(self, order: Sequence[ChannelFolderId]) -> None:
        """Set the order of all folders."""
        for place, folder_id in enumerate(order):
            if folder_id in self.by_id:
                self.by_id[folder_id] = replace(self.by_id[folder_id], order=place)
