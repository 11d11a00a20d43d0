"""The state of one account, kept current by events. No I/O, no clock, no asyncio.

`Store.from_snapshot` creates it, `apply` applies one event and returns the changed IDs. Only the sync machine
calls methods that change a store. Records are frozen: one from before an event keeps the state of then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from tui.api import events as ev
from tui.api.model import (
    ChannelId,
    Message,
    MessageId,
    Reminder,
    ReminderId,
    SavedSnippet,
    SavedSnippetId,
    ScheduledMessage,
    ScheduledMessageId,
    UserId,
    VisibilityPolicy,
)
from tui.api.snapshot import Device, InitialSnapshot
from tui.api.wire import Unset
from tui.narrow import Conversation, DmNarrow, Narrow, TopicNarrow
from tui.narrow.naming import several
from tui.store import message_events
from tui.store.changes import NOTHING, Changes, Part
from tui.store.channel_folders import ChannelFolders
from tui.store.channels import Channels
from tui.store.collection import Collection
from tui.store.direct_messages import DirectMessages
from tui.store.drafts import Drafts
from tui.store.messages import Messages
from tui.store.navigation_views import NavigationViews
from tui.store.optimistic import PendingOperations
from tui.store.outbox import Outbox
from tui.store.presence import Presences
from tui.store.properties import with_properties
from tui.store.realm import Realm
from tui.store.statuses import Statuses
from tui.store.topics import Topics
from tui.store.typing import TypingState
from tui.store.unreads import Unreads
from tui.store.user_groups import UserGroups
from tui.store.user_topics import UserTopics
from tui.store.users import Users


class Store:
    """One part for each kind of data; a part changes only itself, and `apply` keeps the order."""

    def __init__(self, snapshot: InitialSnapshot) -> None:
        self.self_id = snapshot.user_id
        self.queue_id = snapshot.queue_id
        self.realm = Realm(snapshot)
        self.settings = snapshot.user_settings
        self.users = Users(
            (*snapshot.users, *snapshot.non_active_users, *snapshot.cross_realm_bots)
        )
        self.groups = UserGroups(snapshot.user_groups)
        self.statuses = Statuses(snapshot.user_status)
        self.presences = Presences(snapshot.presences, snapshot.presence_last_update_id)
        self.muted_users = {muted.user_id for muted in snapshot.muted_users}
        self.channels = Channels(
            snapshot.subscriptions, (*snapshot.never_subscribed, *snapshot.unsubscribed)
        )
        self.channel_names: dict[ChannelId, str] = {
            channel_id: channel.name for channel_id, channel in self.channels.by_id.items()
        }
        self.folders = ChannelFolders(snapshot.channel_folders)
        self.topics = Topics()
        self.user_topics = UserTopics(snapshot.user_topics)
        self.direct_messages = DirectMessages(snapshot.recent_dms, self.self_id)
        self.messages = Messages(self.channel_names)
        self.max_message_id = snapshot.max_message_id
        self.unreads = Unreads(snapshot.unread_messages, self.self_id)
        self.starred = set(snapshot.starred_messages)
        self.typing = TypingState()
        self.drafts = Drafts(snapshot.drafts)
        self.snippets: Collection[SavedSnippetId, SavedSnippet] = Collection(
            snapshot.saved_snippets, lambda snippet: snippet.id
        )
        self.scheduled: Collection[ScheduledMessageId, ScheduledMessage] = Collection(
            snapshot.scheduled_messages, lambda scheduled: scheduled.scheduled_message_id
        )
        self.reminders: Collection[ReminderId, Reminder] = Collection(
            snapshot.reminders, lambda reminder: reminder.reminder_id
        )
        self.navigation_views = NavigationViews(
            snapshot.navigation_views, lambda view: view.fragment
        )
        self.onboarding_steps = snapshot.onboarding_steps
        self.alert_words = snapshot.alert_words
        self.devices = dict(snapshot.devices)
        self.outbox = Outbox()
        self.pending = PendingOperations()

    @classmethod
    def from_snapshot(cls, snapshot: InitialSnapshot) -> Store:
        """Return the store of a `register` answer, with nothing pending and no messages fetched."""
        return cls(snapshot)

    # Questions: with pending operations applied

    def message(self, message_id: MessageId) -> Message | None:
        """Return the message as the user is to see it; None if unknown or about to be deleted."""
        message = self.messages.get(message_id)
        return None if message is None else self.pending.apply_to(message, self.channel_names)

    def unread_ids(self, conversation: Conversation) -> frozenset[MessageId]:
        """Return the unread messages of a conversation, muted or not."""
        return self.pending.read(self.unreads.ids(conversation))

    def unread_count(self, conversation: Conversation) -> int:
        """Return how many messages of a conversation are unread, muted or not."""
        if self.pending.hides_unread:
            return len(self.unread_ids(conversation))
        return self.unreads.count(conversation)

    def unread_mentions(self, conversation: Conversation) -> frozenset[MessageId]:
        """Return the unread messages of a conversation that mention the user."""
        return self.pending.read(self.unreads.mentions_in(conversation))

    def policy(self, topic: TopicNarrow) -> VisibilityPolicy:
        """Return the user's visibility policy of a topic."""
        pending = self.pending.policy(topic)
        return self.user_topics.policy(topic) if pending is None else pending

    def is_muted(self, conversation: Conversation) -> bool:
        """Whether a conversation is left out of counts; following a topic wins over muting."""
        if isinstance(conversation, DmNarrow):
            others = conversation.user_ids - {self.self_id}
            return len(others) == 1 and others <= self.muted_users
        policy = self.policy(conversation)
        if policy in (VisibilityPolicy.UNMUTED, VisibilityPolicy.FOLLOWED):
            return False
        return policy == VisibilityPolicy.MUTED or self.channels.is_muted(conversation.channel_id)

    def channel_id(self, name: str) -> ChannelId | None:
        """Return the channel that a name or a part of it means (for `tui.narrow.Directory`). Raises if
        ambiguous.
        """
        ids = self.channels.meant(name)
        if len(ids) > 1:
            raise several("channels", name, [self.channel_names[each] for each in ids])
        return ids[0] if ids else None

    def user_id(self, email_or_name: str) -> UserId | None:
        """Return the user that an email, a name or a part of it means (for `tui.narrow.Directory`). Raises if
        ambiguous.
        """
        ids = self.users.meant(email_or_name)
        if len(ids) > 1:
            raise several("people", email_or_name, self.users.distinct_names(ids))
        return ids[0] if ids else None

    # Events

    def apply(self, event: ev.Event) -> Changes:
        """Apply an event; one of an unknown class changes nothing.

        A failure leaves the store half changed: throw it away.
        """
        if isinstance(event, ev.MessageEvent):  # the most frequent one ends no operation
            return self._apply(event)
        ending = self.pending.ending(event)
        shown = {each: seen for each in ending if (seen := self.message(each)) is not None}
        # First, so that the following code sees no operation applied twice.
        settled = self.pending.resolve(event)
        changes = self._apply(event).merge(settled)
        same = frozenset(each for each, before in shown.items() if self.message(each) == before)
        if not same:
            return changes
        if isinstance(event, ev.UpdateMessageFlagsAddEvent) and ending.issuperset(
            event.message_ids
        ):
            # What was pending as read was left out of the counts already.
            changes = replace(changes, counts=changes.counts if event.all else frozenset())
        return replace(changes, messages=changes.messages - same, confirmed=same)

    def _apply(self, event: ev.Event) -> Changes:
        match event:
            case ev.MessageEvent():
                return message_events.receive(self, event)
            case ev.UpdateMessageEvent():
                return message_events.update(self, event)
            case ev.DeleteMessageEvent():
                return message_events.delete(self, event)
            case ev.UpdateMessageFlagsAddEvent():
                return message_events.add_flag(self, event)
            case ev.UpdateMessageFlagsRemoveEvent():
                return message_events.remove_flag(self, event)
            case ev.ReactionAddEvent() | ev.ReactionRemoveEvent() | ev.SubmessageEvent():
                return message_events.change(self, event)
            case ev.TypingStartEvent() | ev.TypingStopEvent():
                return message_events.type_or_stop(self, event)
            case ev.TypingEditMessageStartEvent() | ev.TypingEditMessageStopEvent():
                return NOTHING  # not shown
            case ev.AttachmentAddEvent() | ev.AttachmentUpdateEvent() | ev.AttachmentRemoveEvent():
                return _parts("attachments")  # fetched again where they are shown
            case ev.SubscriptionAddEvent():
                return self._subscribe(event)
            case ev.SubscriptionRemoveEvent():
                return self._unsubscribe(event)
            case ev.SubscriptionUpdateEvent():
                self.channels.change_subscription(event.channel_id, event.property, event.value)
                return self._channels(event.channel_id)
            case ev.SubscriptionPeerAddEvent():
                self.channels.peers_joined(event.channel_ids, event.user_ids)
                return self._channels(*event.channel_ids)
            case ev.SubscriptionPeerRemoveEvent():
                self.channels.peers_left(event.channel_ids, event.user_ids)
                return self._channels(*event.channel_ids)
            case ev.StreamCreateEvent():
                return self._discover(event)
            case ev.StreamDeleteEvent():
                return self._delete_channels(event)
            case ev.StreamUpdateEvent():
                return self._change_channel(event)
            case ev.ChannelFolderAddEvent():
                self.folders.add(event.channel_folder)
                return _parts("channel_folders")
            case ev.ChannelFolderUpdateEvent():
                self.folders.change(event.channel_folder_id, event.data)
                return _parts("channel_folders")
            case ev.ChannelFolderReorderEvent():
                self.folders.reorder(event.order)
                return _parts("channel_folders")
            case ev.DefaultStreamsEvent():
                self.realm.default_channel_ids = event.channel_ids
                return _parts("default_channels")
            case ev.UserTopicEvent():
                return self._set_policy(event)
            case ev.RealmUserAddEvent():
                self.users.add(event.person)
                return Changes(users=frozenset({event.person.user_id}))
            case ev.RealmUserUpdateEvent():
                self.users.change(event.person)
                return Changes(users=frozenset({event.person.user_id}))
            case ev.RealmUserRemoveEvent():
                self.users.remove(event.user_id)
                self.statuses.forget(event.user_id)
                return Changes(users=frozenset({event.user_id}))
            case ev.UserStatusEvent():
                self.statuses.change(event.user_id, event.status)
                return Changes(people=frozenset({event.user_id}))
            case ev.PresenceEvent():
                return Changes(people=self.presences.update(event.presences))
            case ev.MutedUsersEvent():
                return self._mute_users(event)
            case ev.UserGroupAddEvent():
                self.groups.add(event.group)
                return Changes(groups=frozenset({event.group.id}))
            case ev.UserGroupUpdateEvent():
                self.groups.change(event.group_id, event.data)
                return Changes(groups=frozenset({event.group_id}))
            case ev.UserGroupAddMembersEvent():
                self.groups.add_members(event.group_id, event.user_ids)
                return Changes(groups=frozenset({event.group_id}))
            case ev.UserGroupRemoveMembersEvent():
                self.groups.remove_members(event.group_id, event.user_ids)
                return Changes(groups=frozenset({event.group_id}))
            case ev.UserGroupAddSubgroupsEvent():
                self.groups.add_subgroups(event.group_id, event.direct_subgroup_ids)
                return Changes(groups=frozenset({event.group_id}))
            case ev.UserGroupRemoveSubgroupsEvent():
                self.groups.remove_subgroups(event.group_id, event.direct_subgroup_ids)
                return Changes(groups=frozenset({event.group_id}))
            case ev.UserGroupRemoveEvent():
                self.groups.remove(event.group_id)
                return Changes(groups=frozenset({event.group_id}))
            case ev.AlertWordsEvent():
                self.alert_words = event.alert_words
                return _parts("alert_words")
            case ev.UserSettingsUpdateEvent():
                self.settings = with_properties(self.settings, {event.property: event.value})
                if not self.settings.enable_drafts_synchronization:
                    self.drafts.by_id.clear()  # the server has none then, and sends no events of it
                return _parts("settings", "drafts")
            case ev.DraftsAddEvent():
                self.drafts.put(*event.drafts)
                return _parts("drafts")
            case ev.DraftsUpdateEvent():
                self.drafts.put(event.draft)
                return _parts("drafts")
            case ev.DraftsRemoveEvent():
                self.drafts.remove(event.draft_id)
                return Changes(
                    parts=frozenset({"drafts"}), drafts_removed=frozenset({event.draft_id})
                )
            case ev.SavedSnippetsAddEvent() | ev.SavedSnippetsUpdateEvent():
                self.snippets.put(event.saved_snippet)
                return _parts("saved_snippets")
            case ev.SavedSnippetsRemoveEvent():
                self.snippets.remove(event.saved_snippet_id)
                return _parts("saved_snippets")
            case ev.ScheduledMessagesAddEvent():
                self.scheduled.put(*event.scheduled_messages)
                return _parts("scheduled_messages")
            case ev.ScheduledMessagesUpdateEvent():
                self.scheduled.put(event.scheduled_message)
                return _parts("scheduled_messages")
            case ev.ScheduledMessagesRemoveEvent():
                self.scheduled.remove(event.scheduled_message_id)
                return _parts("scheduled_messages")
            case ev.RemindersAddEvent():
                self.reminders.put(*event.reminders)
                return _parts("reminders")
            case ev.RemindersRemoveEvent():
                self.reminders.remove(event.reminder_id)
                return _parts("reminders")
            case ev.NavigationViewAddEvent():
                self.navigation_views.put(event.navigation_view)
                return _parts("navigation_views")
            case ev.NavigationViewUpdateEvent():
                self.navigation_views.change(event.fragment, event.data)
                return _parts("navigation_views")
            case ev.NavigationViewRemoveEvent():
                self.navigation_views.remove(event.fragment)
                return _parts("navigation_views")
            case ev.OnboardingStepsEvent():
                self.onboarding_steps = event.onboarding_steps
                return _parts("onboarding_steps")
            case ev.RealmUpdateEvent():
                self.realm.settings = with_properties(
                    self.realm.settings, {event.property: event.value}
                )
                return _parts("realm")
            case ev.RealmUpdateDictEvent():
                self.realm.settings = with_properties(self.realm.settings, event.data)
                return _parts("realm")
            case ev.RealmUserSettingsDefaultsUpdateEvent():
                if self.realm.new_user_settings is not None:
                    self.realm.new_user_settings = with_properties(
                        self.realm.new_user_settings, {event.property: event.value}
                    )
                return _parts("new_user_settings")
            case ev.RealmDeactivatedEvent():
                return Changes(realm_closed=True)
            case ev.RealmEmojiUpdateEvent():
                self.realm.emoji = dict(event.emoji)
                return _parts("emoji")
            case ev.RealmEmojiAddEvent():
                self.realm.emoji[event.emoji.id] = event.emoji
                return _parts("emoji")
            case ev.RealmEmojiEditEvent():
                self.realm.change_emoji(event.emoji_id, event.data)
                return _parts("emoji")
            case ev.RealmLinkifiersEvent():
                self.realm.linkifiers = event.linkifiers
                return _parts("linkifiers")
            case ev.RealmPlaygroundsEvent():
                self.realm.playgrounds = event.playgrounds
                return _parts("playgrounds")
            case ev.RealmDomainsAddEvent() | ev.RealmDomainsChangeEvent():
                self.realm.domains[event.realm_domain.domain] = event.realm_domain
                return _parts("domains")
            case ev.RealmDomainsRemoveEvent():
                self.realm.domains.pop(event.domain, None)
                return _parts("domains")
            case ev.CustomProfileFieldsEvent():
                self.realm.profile_fields = event.fields
                return _parts("profile_fields")
            case ev.RealmBotAddEvent():
                self.realm.bots.add(event.bot.user_id)
                return _parts("bots")
            case ev.RealmBotUpdateEvent():
                return _parts("bots")
            case ev.RealmBotRemoveEvent() | ev.RealmBotDeleteEvent():
                self.realm.bots.discard(event.user_id)
                return _parts("bots")
            case ev.InvitesChangedEvent():
                return _parts("invites")  # fetched again where they are shown
            case ev.RealmExportEvent() | ev.RealmExportConsentEvent():
                return _parts("exports")  # fetched again where they are shown
            case ev.DeviceAddEvent():
                self.devices[event.device_id] = Device(push_token_id=None)
                return _parts("devices")
            case ev.DeviceUpdateEvent():
                if not isinstance(event.push_token_id, Unset):
                    self.devices[event.device_id] = Device(push_token_id=event.push_token_id)
                return _parts("devices")
            case ev.DeviceRemoveEvent():
                self.devices.pop(event.device_id, None)
                return _parts("devices")
            case ev.CallTokenEvent():
                return _parts("video_calls")
            case ev.RestartEvent():
                self.realm.restarted(event.feature_level, event.version)
                return _parts("realm")
            case (
                ev.DefaultStreamGroupsEvent()
                | ev.MutedTopicsEvent()
                | ev.UpdateDisplaySettingsEvent()
                | ev.UpdateGlobalNotificationsEvent()
                | ev.RealmFiltersEvent()
                | ev.WebReloadClientEvent()
                | ev.HeartbeatEvent()
                | ev.UnknownEvent()
            ):
                return NOTHING  # older forms of other events, or data that this client does not use
            case _:
                assert_never(event)

    def _channels(self, *channel_ids: ChannelId) -> Changes:
        for channel_id in channel_ids:
            channel = self.channels.get(channel_id)
            if channel is None:
                self.channel_names.pop(channel_id, None)
            else:
                self.channel_names[channel_id] = channel.name
        return Changes(channels=frozenset(channel_ids))

    def _discover(self, event: ev.StreamCreateEvent) -> Changes:
        changes = NOTHING
        for channel in event.channels:
            is_old = channel.first_message_id is not None
            if is_old and self.channels.get(channel.channel_id) is None:
                # It was not visible, perhaps with a part of the user's history.
                messages, windows = self.messages.forget_history(channel.channel_id)
                changes = changes.merge(_forgotten(messages, windows))
            self.channels.create(channel)
        return changes.merge(self._channels(*(each.channel_id for each in event.channels)))

    def _change_channel(self, event: ev.StreamUpdateEvent) -> Changes:
        self.channels.change(event)
        changes = self._channels(event.channel_id)
        if event.history_public_to_subscribers is None and event.property != "invite_only":
            return changes
        # More of its history may be accessible now, or less: which part is unknown.
        messages, windows = self.messages.forget_history(event.channel_id)
        return changes.merge(_forgotten(messages, windows))

    def _subscribe(self, event: ev.SubscriptionAddEvent) -> Changes:
        changes = NOTHING
        for subscription in event.subscriptions:
            channel_id = subscription.channel_id
            self.channels.subscribe(subscription)
            # Earlier messages were not received, and an old membership counts again.
            if subscription.invite_only or self.messages.knows_of(channel_id):
                messages, windows = self.messages.forget_history(channel_id)
                changes = changes.merge(_forgotten(messages, windows))
        return changes.merge(self._channels(*(each.channel_id for each in event.subscriptions)))

    def _unsubscribe(self, event: ev.SubscriptionRemoveEvent) -> Changes:
        changes = NOTHING
        for removed in event.subscriptions:
            channel = self.channels.get(removed.channel_id)
            self.channels.unsubscribe(removed.channel_id, self.self_id)
            if channel is not None and channel.invite_only:
                # The channel may stay visible, but as a rule not its messages.
                messages, windows = self.messages.forget_history(removed.channel_id)
                changes = changes.merge(_forgotten(messages, windows))
        return changes.merge(self._channels(*(each.channel_id for each in event.subscriptions)))

    def _delete_channels(self, event: ev.StreamDeleteEvent) -> Changes:
        changes = NOTHING
        for channel_id in event.channel_ids:
            # Messages first: the windows still have to learn which of them were there.
            messages, windows = self.messages.forget_channel(channel_id)
            conversations = self.unreads.forget_channel(channel_id)
            self.topics.forget_channel(channel_id)
            self.channels.delete(channel_id)
            changes = changes.merge(
                _forgotten(messages, windows).merge(
                    Changes(conversations=conversations, topics=frozenset({channel_id}))
                )
            )
        return changes.merge(self._channels(*event.channel_ids))

    def _set_policy(self, event: ev.UserTopicEvent) -> Changes:
        topic = self.user_topics.set(event.channel_id, event.topic, event.visibility_policy)
        windows = self.messages.forget_by_policy()
        return Changes(
            conversations=frozenset({topic}),
            topics=frozenset({event.channel_id}),
            windows=frozenset(windows),
        )

    def _mute_users(self, event: ev.MutedUsersEvent) -> Changes:
        before = self.muted_users
        self.muted_users = {muted.user_id for muted in event.muted_users}
        changed = frozenset(before ^ self.muted_users)
        return Changes(users=changed, parts=frozenset({"muted_users"}))


def _forgotten(messages: frozenset[MessageId], windows: Iterable[Narrow]) -> Changes:
    """Messages are out of sight, or what is known of them says nothing of now."""
    return Changes(messages=messages, deleted=messages, windows=frozenset(windows))


def _parts(*parts: Part) -> Changes:
    return Changes(parts=frozenset(parts))
