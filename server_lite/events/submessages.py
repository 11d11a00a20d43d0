"""Events: somebody votes in a poll, or changes a to-do list. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmessageAdded(Event[None]):
    """Something was added to a message; `content` is JSON text."""

    type = "submessage"
    submessage_id: int
    message_id: int
    sender_id: UserId
    msg_type: str
    content: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(
            submessage_id=self.submessage_id,
            message_id=self.message_id,
            sender_id=self.sender_id,
            msg_type=self.msg_type,
            content=self.content,
        )
