"""The topics of a channel as lines of a list: counts, visibility policy, time of the last message. Pure."""

from tui.api.model import ChannelId, MessageId, VisibilityPolicy
from tui.dataclass import dataclass
from tui.narrow import TopicNarrow
from tui.store import Store
from tui.view import names
from tui.view.times import ago


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLine:
    """A topic; `newest` is its last message, None if the server did not send it."""

    place: TopicNarrow
    label: str
    detail: str
    is_muted: bool
    newest: MessageId | None


def channels_to_load(store: Store) -> list[ChannelId]:
    """Return subscribed channels whose topics are not all loaded: busy ones first, muted ones last."""
    unknown = [
        (channel.is_muted, -(channel.stream_weekly_traffic or 0), channel.channel_id)
        for channel in store.channels.subscriptions()
        if channel.channel_id not in store.topics.complete
    ]
    return [channel_id for *_, channel_id in sorted(unknown)]


def lines(store: Store, channel_id: ChannelId, now: float) -> list[TopicLine]:
    """Return the topics, newest first."""
    newest = {each.name.casefold(): each.max_id for each in store.topics.of(channel_id)}
    return [
        _line(store, place, newest.get(place.topic.casefold()), now)
        for place in names.topics(store, channel_id)
    ]


def _line(store: Store, place: TopicNarrow, newest: MessageId | None, now: float) -> TopicLine:
    last = store.message(newest) if newest is not None else None
    unread = store.unread_count(place)
    muted = store.is_muted(place)
    parts = [
        f"{unread} unread" if unread else "",
        _heard(store, place, muted=muted),
        f"{ago(now - last.timestamp)} · {names.person(store, last.sender_id)}" if last else "",
    ]
    return TopicLine(
        place=place,
        label=names.topic(store, place.topic),
        detail=" · ".join(each for each in parts if each),
        is_muted=muted,
        newest=newest,
    )


def _heard(store: Store, place: TopicNarrow, *, muted: bool) -> str:
    if store.policy(place) == VisibilityPolicy.FOLLOWED:
        return "followed"
    return "muted" if muted else ""
