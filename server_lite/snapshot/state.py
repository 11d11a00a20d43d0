"""The initial state as a type: the lists that clients keep, by their names. Reads nothing.

Settings and limits are many more fields; they go by the names that `snapshot.realm` gives them.
"""

from typing_extensions import TypedDict

from server_lite.objects.bots import BotObject
from server_lite.objects.channel_folders import ChannelFolderObject
from server_lite.objects.channels import ChannelObject
from server_lite.objects.custom_emoji import EmojiObject
from server_lite.objects.drafts import DraftObject
from server_lite.objects.linkifiers import LinkifierObject
from server_lite.objects.navigation_views import NavigationViewObject
from server_lite.objects.organisation import DomainObject, PlaygroundObject
from server_lite.objects.profile_fields import ProfileFieldObject
from server_lite.objects.saved_snippets import SavedSnippetObject
from server_lite.objects.scheduled_messages import ReminderObject, ScheduledMessageObject
from server_lite.objects.statuses import StatusObject
from server_lite.objects.subscriptions import SubscriptionObject
from server_lite.objects.user_groups import UserGroupObject
from server_lite.objects.user_topics import UserTopicObject
from server_lite.objects.users import UserObject


class State(TypedDict, total=False):
    """Each is there if its part was asked for (`fetch_event_types`)."""

    realm_users: list[UserObject]
    realm_non_active_users: list[UserObject]
    cross_realm_bots: list[UserObject]
    realm_bots: list[BotObject]
    realm_user_groups: list[UserGroupObject]
    user_status: dict[str, StatusObject]
    subscriptions: list[SubscriptionObject]
    unsubscribed: list[SubscriptionObject]
    streams: list[ChannelObject]
    realm_default_streams: list[int]
    channel_folders: list[ChannelFolderObject]
    user_topics: list[UserTopicObject]
    max_message_id: int
    starred_messages: list[int]
    drafts: list[DraftObject]
    saved_snippets: list[SavedSnippetObject]
    scheduled_messages: list[ScheduledMessageObject]
    reminders: list[ReminderObject]
    navigation_views: list[NavigationViewObject]
    alert_words: list[str]
    realm_linkifiers: list[LinkifierObject]
    realm_emoji: dict[str, EmojiObject]
    custom_profile_fields: list[ProfileFieldObject]
    realm_playgrounds: list[PlaygroundObject]
    realm_domains: list[DomainObject]
