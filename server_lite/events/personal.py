"""Events about a user's own data: settings, drafts, snippets, scheduled messages, views."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.languages import language_name


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalSettingChanged(Event[None]):
    """Sent when a personal setting changed."""

    type = "user_settings"
    op = "update"
    property: str
    value: bool | int | str | None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        is_language = self.property == "default_language"
        named = {"language_name": language_name(str(self.value))} if is_language else {}
        return self.base_payload(property=self.property, value=self.value, **named)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertWordsChanged(Event[None]):
    """Sent when alert words changed: all of them."""

    type = "alert_words"
    alert_words: list[str]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(alert_words=self.alert_words)


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedUsersChanged(Event[None]):
    """Sent when muted users changed: all of them."""

    type = "muted_users"
    muted_users: list[dict[str, int]]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(muted_users=self.muted_users)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAdded(Event[None]):
    """Sent when a device was registered."""

    type = "device"
    op = "add"
    device_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(device_id=self.device_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRemoved(Event[None]):
    """Sent when a device was removed."""

    type = "device"
    op = "remove"
    device_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(device_id=self.device_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftsAdded(Event[None]):
    """Sent when drafts were created, as Draft objects."""

    type = "drafts"
    op = "add"
    drafts: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(drafts=self.drafts)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftUpdated(Event[None]):
    """Sent when a draft was edited: the whole draft."""

    type = "drafts"
    op = "update"
    draft: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(draft=self.draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRemoved(Event[None]):
    """Sent when a draft was sent or deleted."""

    type = "drafts"
    op = "remove"
    draft_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(draft_id=self.draft_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetAdded(Event[None]):
    """Sent when a snippet was created, as a SavedSnippet object."""

    type = "saved_snippets"
    op = "add"
    snippet: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(saved_snippet=self.snippet)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetUpdated(Event[None]):
    """Sent when a snippet was edited: the whole snippet."""

    type = "saved_snippets"
    op = "update"
    snippet: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(saved_snippet=self.snippet)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetRemoved(Event[None]):
    """Sent when a snippet was deleted."""

    type = "saved_snippets"
    op = "remove"
    snippet_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(saved_snippet_id=self.snippet_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledAdded(Event[None]):
    """Sent when a message was scheduled, as a ScheduledMessage object."""

    type = "scheduled_messages"
    op = "add"
    scheduled: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(scheduled_messages=[_shown(self.scheduled, shape)])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledUpdated(Event[None]):
    """Sent when a scheduled message was edited, or could not be sent (`failed`)."""

    type = "scheduled_messages"
    op = "update"
    scheduled: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(scheduled_message=_shown(self.scheduled, shape))


def _shown(scheduled: Object, shape: ClientCapabilities) -> Object:
    if "topic" not in scheduled:
        return scheduled
    return {**scheduled, "topic": shape.topic(scheduled["topic"])}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRemoved(Event[None]):
    """Sent when a scheduled message was sent or deleted."""

    type = "scheduled_messages"
    op = "remove"
    scheduled_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(scheduled_message_id=self.scheduled_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderAdded(Event[None]):
    """Sent when a reminder was created, as a Reminder object."""

    type = "reminders"
    op = "add"
    reminder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(reminders=[self.reminder])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRemoved(Event[None]):
    """Sent when a reminder was delivered or deleted."""

    type = "reminders"
    op = "remove"
    reminder_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(reminder_id=self.reminder_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewAdded(Event[None]):
    """Sent when a view was added, as a NavigationView object."""

    type = "navigation_view"
    op = "add"
    view: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(navigation_view=self.view)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewUpdated(Event[None]):
    """Sent when a view was edited: its changed values."""

    type = "navigation_view"
    op = "update"
    fragment: str
    data: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(fragment=self.fragment, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewRemoved(Event[None]):
    """Sent when a view was removed."""

    type = "navigation_view"
    op = "remove"
    fragment: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(fragment=self.fragment)
