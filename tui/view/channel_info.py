"""A channel's or topic's details: description, members, the user's own settings. Pure."""

from collections.abc import Set as AbstractSet
from typing import Final

from tui.api.model import Channel, ChannelId, Subscription, UserId, VisibilityPolicy
from tui.content.parse import parse
from tui.narrow import TopicNarrow
from tui.store.store import Store
from tui.view import names
from tui.view.cards import CardContent, CardPart, Pair, Sentence
from tui.view.counts import counted
from tui.view.times import Times

POLICIES: Final = {
    VisibilityPolicy.INHERIT: "as the channel",
    VisibilityPolicy.MUTED: "muted",
    VisibilityPolicy.UNMUTED: "not muted",
    VisibilityPolicy.FOLLOWED: "followed",
}
"""Labels of a topic's visibility policies."""


def about(
    store: Store, channel: Channel, topic: TopicNarrow | None, times: Times
) -> list[CardPart]:
    """Return a channel's description, visibility, and the user's own settings."""
    purpose = parse(channel.rendered_description)
    pairs = [
        ("Topic", names.topic(store, topic.topic) if topic is not None else ""),
        ("This topic", POLICIES[store.policy(topic)] if topic is not None else ""),
        ("Your settings", ", ".join(_own(store, channel))),
        ("Visibility", _kind(channel)),
        ("Created", _creation(store, channel, times)),
        ("Traffic", _traffic(channel)),
    ]
    first: list[CardPart] = [CardContent(purpose), Sentence("")] if purpose else []
    return [*first, *(Pair(label, text) for label, text in pairs if text)]


def members(store: Store, user_ids: AbstractSet[UserId] | None) -> list[CardPart]:
    """Return the members by name; None: the user may not see them."""
    if user_ids is None:
        return [Sentence("The members of this channel are not visible to you.")]
    people = sorted((names.person(store, each) for each in user_ids), key=str.casefold)
    return [Sentence(f"{counted(len(people), 'person', 'people')}:"), *map(Sentence, people)]


def notifies(store: Store, channel_id: ChannelId) -> bool:
    """Whether each message of a channel causes a notification."""
    subscription = store.channels.subscription(channel_id)
    if subscription is None:
        return False
    own = subscription.desktop_notifications
    return store.settings.enable_stream_desktop_notifications if own is None else own


def _own(store: Store, channel: Channel) -> list[str]:
    if channel.channel_id not in store.channels.subscribed or not isinstance(channel, Subscription):
        return ["not joined"]
    states = ["joined"]
    if channel.is_muted:
        states.append("muted")
    if channel.pin_to_top:
        states.append("pinned")
    if notifies(store, channel.channel_id):
        states.append("notifies you of all messages")
    return states


def _kind(channel: Channel) -> str:
    if channel.is_archived:
        return "archived: no new messages"
    if not channel.invite_only:
        return "public to the organization"
    if channel.history_public_to_subscribers:
        return "private, shared history"
    return "private, no earlier history"


def _creation(store: Store, channel: Channel, times: Times) -> str:
    by = f" by {names.person(store, channel.creator_id)}" if channel.creator_id is not None else ""
    if channel.date_created is None:
        return by.strip()
    day = times.day(channel.date_created)
    return f"{day.day} {day:%b %Y}{by}"


def _traffic(channel: Channel) -> str:
    count = channel.stream_weekly_traffic
    return "" if not count else f"about {counted(count, 'message', 'messages')} a week"
