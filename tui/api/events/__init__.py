"""Everything that a server may tell while the client listens: `Event`, one class per
(type, op). No I/O, no pydantic; how JSON becomes these is in `tui.api.decode`.
"""

from typing import TypeAlias

from tui.api.events.base import (
    BaseEvent,
    UnknownEvent,
)
from tui.api.events.channels import (
    ChannelFolderAddEvent,
    ChannelFolderChange,
    ChannelFolderReorderEvent,
    ChannelFolderUpdateEvent,
    DefaultStreamGroupsEvent,
    DefaultStreamsEvent,
    MutedTopicsEvent,
    RemovedSubscription,
    StreamCreateEvent,
    StreamDeleteEvent,
    StreamUpdateEvent,
    SubscriptionAddEvent,
    SubscriptionPeerAddEvent,
    SubscriptionPeerRemoveEvent,
    SubscriptionRemoveEvent,
    SubscriptionUpdateEvent,
    UserTopicEvent,
)
from tui.api.events.messages import (
    AttachmentAddEvent,
    AttachmentRemoveEvent,
    AttachmentUpdateEvent,
    DeleteMessageEvent,
    MessageEvent,
    ReactionAddEvent,
    ReactionRemoveEvent,
    SubmessageEvent,
    TypingEditMessageStartEvent,
    TypingEditMessageStopEvent,
    TypingStartEvent,
    TypingStopEvent,
    TypingUser,
    UnreadDetails,
    UpdateMessageEvent,
    UpdateMessageFlagsAddEvent,
    UpdateMessageFlagsRemoveEvent,
)
from tui.api.events.organization import (
    CustomEmojiChange,
    CustomProfileFieldsEvent,
    InvitesChangedEvent,
    RealmBotAddEvent,
    RealmBotDeleteEvent,
    RealmBotRemoveEvent,
    RealmBotUpdateEvent,
    RealmDeactivatedEvent,
    RealmDomainsAddEvent,
    RealmDomainsChangeEvent,
    RealmDomainsRemoveEvent,
    RealmEmojiAddEvent,
    RealmEmojiEditEvent,
    RealmEmojiUpdateEvent,
    RealmExportConsentEvent,
    RealmExportEvent,
    RealmFiltersEvent,
    RealmLinkifiersEvent,
    RealmPlaygroundsEvent,
    RealmUpdateDictEvent,
    RealmUpdateEvent,
    RealmUserSettingsDefaultsUpdateEvent,
)
from tui.api.events.personal import (
    AlertWordsEvent,
    DraftsAddEvent,
    DraftsRemoveEvent,
    DraftsUpdateEvent,
    NavigationViewAddEvent,
    NavigationViewChange,
    NavigationViewRemoveEvent,
    NavigationViewUpdateEvent,
    OnboardingStepsEvent,
    RemindersAddEvent,
    RemindersRemoveEvent,
    SavedSnippetsAddEvent,
    SavedSnippetsRemoveEvent,
    SavedSnippetsUpdateEvent,
    ScheduledMessagesAddEvent,
    ScheduledMessagesRemoveEvent,
    ScheduledMessagesUpdateEvent,
    UpdateDisplaySettingsEvent,
    UpdateGlobalNotificationsEvent,
    UserSettingsUpdateEvent,
)
from tui.api.events.server import (
    CallTokenEvent,
    DeviceAddEvent,
    DeviceRemoveEvent,
    DeviceUpdateEvent,
    HeartbeatEvent,
    RestartEvent,
    WebReloadClientEvent,
)
from tui.api.events.users import (
    MutedUsersEvent,
    PersonChange,
    PresenceEvent,
    ProfileFieldChange,
    RealmUserAddEvent,
    RealmUserRemoveEvent,
    RealmUserUpdateEvent,
    UserGroupAddEvent,
    UserGroupAddMembersEvent,
    UserGroupAddSubgroupsEvent,
    UserGroupChange,
    UserGroupRemoveEvent,
    UserGroupRemoveMembersEvent,
    UserGroupRemoveSubgroupsEvent,
    UserGroupUpdateEvent,
    UserStatusEvent,
)

Event: TypeAlias = (
    MessageEvent
    | UpdateMessageEvent
    | DeleteMessageEvent
    | UpdateMessageFlagsAddEvent
    | UpdateMessageFlagsRemoveEvent
    | ReactionAddEvent
    | ReactionRemoveEvent
    | SubmessageEvent
    | TypingStartEvent
    | TypingStopEvent
    | TypingEditMessageStartEvent
    | TypingEditMessageStopEvent
    | AttachmentAddEvent
    | AttachmentUpdateEvent
    | AttachmentRemoveEvent
    | SubscriptionAddEvent
    | SubscriptionRemoveEvent
    | SubscriptionUpdateEvent
    | SubscriptionPeerAddEvent
    | SubscriptionPeerRemoveEvent
    | StreamCreateEvent
    | StreamDeleteEvent
    | StreamUpdateEvent
    | ChannelFolderAddEvent
    | ChannelFolderUpdateEvent
    | ChannelFolderReorderEvent
    | DefaultStreamsEvent
    | DefaultStreamGroupsEvent
    | UserTopicEvent
    | MutedTopicsEvent
    | RealmUserUpdateEvent
    | RealmUserAddEvent
    | RealmUserRemoveEvent
    | UserStatusEvent
    | PresenceEvent
    | MutedUsersEvent
    | UserGroupAddEvent
    | UserGroupUpdateEvent
    | UserGroupAddMembersEvent
    | UserGroupRemoveMembersEvent
    | UserGroupAddSubgroupsEvent
    | UserGroupRemoveSubgroupsEvent
    | UserGroupRemoveEvent
    | AlertWordsEvent
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
    | RealmUpdateEvent
    | RealmUpdateDictEvent
    | RealmDeactivatedEvent
    | RealmUserSettingsDefaultsUpdateEvent
    | RealmEmojiUpdateEvent
    | RealmEmojiAddEvent
    | RealmEmojiEditEvent
    | RealmLinkifiersEvent
    | RealmFiltersEvent
    | RealmPlaygroundsEvent
    | RealmDomainsAddEvent
    | RealmDomainsChangeEvent
    | RealmDomainsRemoveEvent
    | CustomProfileFieldsEvent
    | RealmBotAddEvent
    | RealmBotUpdateEvent
    | RealmBotRemoveEvent
    | RealmBotDeleteEvent
    | InvitesChangedEvent
    | RealmExportEvent
    | RealmExportConsentEvent
    | HeartbeatEvent
    | WebReloadClientEvent
    | DeviceAddEvent
    | DeviceUpdateEvent
    | DeviceRemoveEvent
    | CallTokenEvent
    | RestartEvent
    | UnknownEvent
)
"""Closed: `match` over it can end in `assert_never`."""

__all__ = [
    "AlertWordsEvent",
    "AttachmentAddEvent",
    "AttachmentRemoveEvent",
    "AttachmentUpdateEvent",
    "BaseEvent",
    "CallTokenEvent",
    "ChannelFolderAddEvent",
    "ChannelFolderChange",
    "ChannelFolderReorderEvent",
    "ChannelFolderUpdateEvent",
    "CustomEmojiChange",
    "CustomProfileFieldsEvent",
    "DefaultStreamGroupsEvent",
    "DefaultStreamsEvent",
    "DeleteMessageEvent",
    "DeviceAddEvent",
    "DeviceRemoveEvent",
    "DeviceUpdateEvent",
    "DraftsAddEvent",
    "DraftsRemoveEvent",
    "DraftsUpdateEvent",
    "Event",
    "HeartbeatEvent",
    "InvitesChangedEvent",
    "MessageEvent",
    "MutedTopicsEvent",
    "MutedUsersEvent",
    "NavigationViewAddEvent",
    "NavigationViewChange",
    "NavigationViewRemoveEvent",
    "NavigationViewUpdateEvent",
    "OnboardingStepsEvent",
    "PersonChange",
    "PresenceEvent",
    "ProfileFieldChange",
    "ReactionAddEvent",
    "ReactionRemoveEvent",
    "RealmBotAddEvent",
    "RealmBotDeleteEvent",
    "RealmBotRemoveEvent",
    "RealmBotUpdateEvent",
    "RealmDeactivatedEvent",
    "RealmDomainsAddEvent",
    "RealmDomainsChangeEvent",
    "RealmDomainsRemoveEvent",
    "RealmEmojiAddEvent",
    "RealmEmojiEditEvent",
    "RealmEmojiUpdateEvent",
    "RealmExportConsentEvent",
    "RealmExportEvent",
    "RealmFiltersEvent",
    "RealmLinkifiersEvent",
    "RealmPlaygroundsEvent",
    "RealmUpdateDictEvent",
    "RealmUpdateEvent",
    "RealmUserAddEvent",
    "RealmUserRemoveEvent",
    "RealmUserSettingsDefaultsUpdateEvent",
    "RealmUserUpdateEvent",
    "RemindersAddEvent",
    "RemindersRemoveEvent",
    "RemovedSubscription",
    "RestartEvent",
    "SavedSnippetsAddEvent",
    "SavedSnippetsRemoveEvent",
    "SavedSnippetsUpdateEvent",
    "ScheduledMessagesAddEvent",
    "ScheduledMessagesRemoveEvent",
    "ScheduledMessagesUpdateEvent",
    "StreamCreateEvent",
    "StreamDeleteEvent",
    "StreamUpdateEvent",
    "SubmessageEvent",
    "SubscriptionAddEvent",
    "SubscriptionPeerAddEvent",
    "SubscriptionPeerRemoveEvent",
    "SubscriptionRemoveEvent",
    "SubscriptionUpdateEvent",
    "TypingEditMessageStartEvent",
    "TypingEditMessageStopEvent",
    "TypingStartEvent",
    "TypingStopEvent",
    "TypingUser",
    "UnknownEvent",
    "UnreadDetails",
    "UpdateDisplaySettingsEvent",
    "UpdateGlobalNotificationsEvent",
    "UpdateMessageEvent",
    "UpdateMessageFlagsAddEvent",
    "UpdateMessageFlagsRemoveEvent",
    "UserGroupAddEvent",
    "UserGroupAddMembersEvent",
    "UserGroupAddSubgroupsEvent",
    "UserGroupChange",
    "UserGroupRemoveEvent",
    "UserGroupRemoveMembersEvent",
    "UserGroupRemoveSubgroupsEvent",
    "UserGroupUpdateEvent",
    "UserSettingsUpdateEvent",
    "UserStatusEvent",
    "UserTopicEvent",
    "WebReloadClientEvent",
]
