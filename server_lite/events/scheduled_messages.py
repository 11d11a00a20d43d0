"""Events: messages are put off, changed, sent or given up; reminders likewise. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledAdded(Event[None]):
    """A message to be sent later, as a ScheduledMessage object."""

    type = "scheduled_messages"
    op = "add"
    scheduled: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(scheduled_messages=[_shown(self.scheduled, shape)])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledUpdated(Event[None]):
    """The same as it is now; `failed` says that it could not be sent."""

    type = "scheduled_messages"
    op = "update"
    scheduled: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(scheduled_message=_shown(self.scheduled, shape))


def _shown(scheduled: Object, shape: ClientCapabilities) -> Object:
    if "topic" not in scheduled:
        return scheduled
    return {**scheduled, "topic": shape.topic(scheduled["topic"])}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRemoved(Event[None]):
    """It was sent, or will not be."""

    type = "scheduled_messages"
    op = "remove"
    scheduled_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(scheduled_message_id=self.scheduled_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderAdded(Event[None]):
    """A reminder, as a Reminder object."""

    type = "reminders"
    op = "add"
    reminder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(reminders=[self.reminder])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRemoved(Event[None]):
    """It came, or will not."""

    type = "reminders"
    op = "remove"
    reminder_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(reminder_id=self.reminder_id)
