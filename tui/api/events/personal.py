"""Events about the user's own data, as frozen types: drafts, snippets, settings. Pure."""

from typing import Annotated, ClassVar, TypeAlias

from tui.api.events.base import BaseEvent
from tui.api.model import (
    Draft,
    DraftId,
    NavigationView,
    Reminder,
    ReminderId,
    SavedSnippet,
    SavedSnippetId,
    ScheduledMessage,
    ScheduledMessageId,
)
from tui.api.organization import OnboardingStep
from tui.api.wire import UNSET, DefaultWhenMissing, Unset
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertWordsEvent(BaseEvent):
    """All alert words of the user."""

    type: ClassVar = "alert_words"
    alert_words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSettingsUpdateEvent(BaseEvent):
    """One of the user's settings changed."""

    type: ClassVar = "user_settings"
    op: ClassVar = "update"
    property: str
    value: bool | int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateDisplaySettingsEvent(BaseEvent):
    """The older form of `UserSettingsUpdateEvent`, sent beside it before level 439."""

    type: ClassVar = "update_display_settings"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateGlobalNotificationsEvent(BaseEvent):
    """The older form of `UserSettingsUpdateEvent`, sent beside it before level 439."""

    type: ClassVar = "update_global_notifications"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftsAddEvent(BaseEvent):
    """Drafts were created by one of the user's clients."""

    type: ClassVar = "drafts"
    op: ClassVar = "add"
    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftsUpdateEvent(BaseEvent):
    """A draft was changed by another of the user's clients."""

    type: ClassVar = "drafts"
    op: ClassVar = "update"
    draft: Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftsRemoveEvent(BaseEvent):
    """A draft was deleted."""

    type: ClassVar = "drafts"
    op: ClassVar = "remove"
    draft_id: DraftId


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSnippetsAddEvent(BaseEvent):
    """A snippet was created."""

    type: ClassVar = "saved_snippets"
    op: ClassVar = "add"
    saved_snippet: SavedSnippet


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSnippetsUpdateEvent(BaseEvent):
    """A snippet was changed."""

    type: ClassVar = "saved_snippets"
    op: ClassVar = "update"
    saved_snippet: SavedSnippet


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSnippetsRemoveEvent(BaseEvent):
    """A snippet was deleted."""

    type: ClassVar = "saved_snippets"
    op: ClassVar = "remove"
    saved_snippet_id: SavedSnippetId


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledMessagesAddEvent(BaseEvent):
    """Messages were scheduled."""

    type: ClassVar = "scheduled_messages"
    op: ClassVar = "add"
    scheduled_messages: tuple[ScheduledMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledMessagesUpdateEvent(BaseEvent):
    """A scheduled message was changed, or could not be sent."""

    type: ClassVar = "scheduled_messages"
    op: ClassVar = "update"
    scheduled_message: ScheduledMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledMessagesRemoveEvent(BaseEvent):
    """A scheduled message was sent or deleted."""

    type: ClassVar = "scheduled_messages"
    op: ClassVar = "remove"
    scheduled_message_id: ScheduledMessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class RemindersAddEvent(BaseEvent):
    """Reminders were created."""

    type: ClassVar = "reminders"
    op: ClassVar = "add"
    reminders: tuple[Reminder, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemindersRemoveEvent(BaseEvent):
    """A reminder was delivered or deleted."""

    type: ClassVar = "reminders"
    op: ClassVar = "remove"
    reminder_id: ReminderId


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationViewAddEvent(BaseEvent):
    """A view was saved."""

    type: ClassVar = "navigation_view"
    op: ClassVar = "add"
    navigation_view: NavigationView


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationViewChange:
    """The changed fields of a view; `UNSET` is unchanged."""

    name: Annotated[str | Unset | None, DefaultWhenMissing(UNSET)]
    is_pinned: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationViewUpdateEvent(BaseEvent):
    """A view was renamed, pinned or unpinned."""

    type: ClassVar = "navigation_view"
    op: ClassVar = "update"
    fragment: str
    data: NavigationViewChange


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationViewRemoveEvent(BaseEvent):
    """A view was deleted."""

    type: ClassVar = "navigation_view"
    op: ClassVar = "remove"
    fragment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnboardingStepsEvent(BaseEvent):
    """All onboarding hints that were not shown yet."""

    type: ClassVar = "onboarding_steps"
    onboarding_steps: tuple[OnboardingStep, ...]


PersonalEvents: TypeAlias = (
    AlertWordsEvent
    | UserSettingsUpdateEvent
    | UpdateDisplaySettingsEvent
    | UpdateGlobalNotificationsEvent
    | DraftsAddEvent
    | DraftsUpdateEvent
    | DraftsRemoveEvent
    | SavedSnippetsAddEvent
    | SavedSnippetsUpdateEvent
    | SavedSnippetsRemoveEvent
    | ScheduledMessagesAddEvent
    | ScheduledMessagesUpdateEvent
    | ScheduledMessagesRemoveEvent
    | RemindersAddEvent
    | RemindersRemoveEvent
    | NavigationViewAddEvent
    | NavigationViewUpdateEvent
    | NavigationViewRemoveEvent
    | OnboardingStepsEvent
)
