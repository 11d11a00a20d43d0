"""Events: a person's own flags on messages change. No I/O."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagAdded(Event[None]):
    """A flag was set. `everything` means all messages there are, `message_ids` is then empty."""

    type = "update_message_flags"
    op = "add"
    flag: str
    message_ids: Sequence[int]
    everything: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(
            operation="add", flag=self.flag, messages=self.message_ids, all=self.everything
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagRemoved(Event[None]):
    """A flag was cleared. `details` says where the messages that became unread are, by id as text."""

    type = "update_message_flags"
    op = "remove"
    flag: str
    message_ids: Sequence[int]
    details: dict[str, dict[str, object]] | None = None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        fields: dict[str, object] = {
            "operation": "remove",
            "flag": self.flag,
            "messages": self.message_ids,
            "all": False,
        }
        if self.details is not None:
            fields["message_details"] = {
                message_id: detail | {"topic": shape.topic(str(detail["topic"]))}
                if "topic" in detail
                else detail
                for message_id, detail in self.details.items()
            }
        return self.told(**fields)
