"""Events that only tests use, to test the log and the queues."""

from typing import Any

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeEvent(Event[Any]):
    """A durable event with one field; its personal part is in `flags`."""

    type = "said"
    words: str

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload:
        extra = {} if personal is None else {"flags": personal}
        return self.base_payload(words=self.words, **extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whispered(Event[Any]):
    """A short-lived event."""

    type = "whispered"
    durable = False
    words: str

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload:
        return self.base_payload(words=self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emptied(Event[Any]):
    """An event that clients without bulk_message_deletion get as several."""

    type = "emptied"
    numbers: list[int]

    @property
    def id_count(self) -> int:
        return len(self.numbers)

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload | list[Payload]:
        if shape.bulk_message_deletion:
            return self.base_payload(numbers=self.numbers)
        return [self.base_payload(number=number) for number in self.numbers]
