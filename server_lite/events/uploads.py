"""Events: files are uploaded, linked in messages, deleted. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentAdded(Event[None]):
    """A file of the reader's is there, as an Attachment object."""

    type = "attachment"
    op = "add"
    attachment: Object
    space_used: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(attachment=self.attachment, upload_space_used=self.space_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentUpdated(Event[None]):
    """Another set of messages links it."""

    type = "attachment"
    op = "update"
    attachment: Object
    space_used: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(attachment=self.attachment, upload_space_used=self.space_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentRemoved(Event[None]):
    """It is gone."""

    type = "attachment"
    op = "remove"
    attachment_id: int
    space_used: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(attachment={"id": self.attachment_id}, upload_space_used=self.space_used)
