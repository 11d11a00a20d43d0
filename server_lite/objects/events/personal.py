"""Events about the user's own data: their fields, for the API description. Contains types only."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.objects.events.base import EventBase
from server_lite.objects.personal import (
    DraftObject,
    NavigationViewObject,
    ReminderObject,
    SavedSnippetObject,
    ScheduledMessageObject,
)


class DraftsAddEvent(EventBase):
    """Drafts were created."""

    type: Literal["drafts"]
    op: Literal["add"]
    drafts: list[DraftObject]


class DraftUpdateEvent(EventBase):
    """A draft was edited."""

    type: Literal["drafts"]
    op: Literal["update"]
    draft: DraftObject


class DraftRemoveEvent(EventBase):
    """A draft was deleted."""

    type: Literal["drafts"]
    op: Literal["remove"]
    draft_id: int


class SavedSnippetEvent(EventBase):
    """A snippet was created or edited."""

    type: Literal["saved_snippets"]
    op: Literal["add", "update"]
    saved_snippet: SavedSnippetObject


class SavedSnippetRemoveEvent(EventBase):
    """A snippet was deleted."""

    type: Literal["saved_snippets"]
    op: Literal["remove"]
    saved_snippet_id: int


class ScheduledMessagesAddEvent(EventBase):
    """Messages were scheduled."""

    type: Literal["scheduled_messages"]
    op: Literal["add"]
    scheduled_messages: list[ScheduledMessageObject]


class ScheduledMessageUpdateEvent(EventBase):
    """A scheduled message was edited, or could not be sent."""

    type: Literal["scheduled_messages"]
    op: Literal["update"]
    scheduled_message: ScheduledMessageObject


class ScheduledMessageRemoveEvent(EventBase):
    """A scheduled message was sent or deleted."""

    type: Literal["scheduled_messages"]
    op: Literal["remove"]
    scheduled_message_id: int


class RemindersAddEvent(EventBase):
    """Reminders were created."""

    type: Literal["reminders"]
    op: Literal["add"]
    reminders: list[ReminderObject]


class ReminderRemoveEvent(EventBase):
    """A reminder was delivered or deleted."""

    type: Literal["reminders"]
    op: Literal["remove"]
    reminder_id: int


class NavigationViewAddEvent(EventBase):
    """A view was added."""

    type: Literal["navigation_view"]
    op: Literal["add"]
    navigation_view: NavigationViewObject


class NavigationViewChange(TypedDict, total=False):
    """The changed values."""

    name: str | None
    is_pinned: bool


class NavigationViewUpdateEvent(EventBase):
    """A view was changed."""

    type: Literal["navigation_view"]
    op: Literal["update"]
    fragment: str
    data: NavigationViewChange


class NavigationViewRemoveEvent(EventBase):
    """A view was removed."""

    type: Literal["navigation_view"]
    op: Literal["remove"]
    fragment: str


class UserSettingsEvent(EventBase):
    """A personal setting was changed; `language_name` accompanies `default_language`."""

    type: Literal["user_settings"]
    op: Literal["update"]
    property: str
    value: bool | int | str | None
    language_name: NotRequired[str]


class AlertWordsEvent(EventBase):
    """All alert words."""

    type: Literal["alert_words"]
    alert_words: list[str]


class DeviceEvent(EventBase):
    """A device was registered or removed."""

    type: Literal["device"]
    op: Literal["add", "remove"]
    device_id: int


class CallTokenEvent(EventBase):
    """Whether the server may start video calls as the user."""

    type: Literal["has_zoom_token", "has_webex_token"]
    value: bool


PersonalEvents = (
    DraftsAddEvent
    | DraftUpdateEvent
    | DraftRemoveEvent
    | SavedSnippetEvent
    | SavedSnippetRemoveEvent
    | ScheduledMessagesAddEvent
    | ScheduledMessageUpdateEvent
    | ScheduledMessageRemoveEvent
    | RemindersAddEvent
    | ReminderRemoveEvent
    | NavigationViewAddEvent
    | NavigationViewUpdateEvent
    | NavigationViewRemoveEvent
    | UserSettingsEvent
    | AlertWordsEvent
    | DeviceEvent
    | CallTokenEvent
)
