"""Events: folders of channels are made, changed and put in order. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderAdded(Event[None]):
    """There is a new folder, as a ChannelFolder object."""

    type = "channel_folder"
    op = "add"
    folder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(channel_folder=self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderUpdated(Event[None]):
    """What changed of a folder."""

    type = "channel_folder"
    op = "update"
    folder_id: int
    data: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(channel_folder_id=self.folder_id, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldersReordered(Event[None]):
    """The ids of all folders in their new order."""

    type = "channel_folder"
    op = "reorder"
    order: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(order=self.order)
