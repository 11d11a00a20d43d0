"""Where `n` and `N` lead: what is most likely waited for first, and nothing that is muted."""

from tests import eg
from tui.api.model import ChannelId, MessageId, Topic, UnreadDm, UnreadTopic
from tui.narrow import DmNarrow, TopicNarrow
from tui.store import Store
from tui.view.unreads import next_unread

GENERAL = ChannelId(9)
LISTED = ("tea", "hello", "sugar", "milk")
TEA, SUGAR, MILK = (TopicNarrow(GENERAL, name) for name in ("tea", "sugar", "milk"))
NOISE = TopicNarrow(ChannelId(10), "build")
MARY = DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id}))


def _store(*places: TopicNarrow | DmNarrow, mentions: frozenset[int] = frozenset()) -> Store:
    """Each place has one unread message, numbered in their order from 1."""
    numbered = [(place, (MessageId(at),)) for at, place in enumerate(places, 1)]
    topics = tuple(
        UnreadTopic(channel_id=place.channel_id, topic=place.topic, unread_message_ids=ids)
        for place, ids in numbered
        if isinstance(place, TopicNarrow)
    )
    direct = tuple(
        UnreadDm(other_user_id=eg.MARY.user_id, unread_message_ids=ids)
        for place, ids in numbered
        if isinstance(place, DmNarrow)
    )
    unread = eg.unread_messages(
        topics=topics, dms=direct, mentions=frozenset(map(MessageId, mentions))
    )
    channels = (eg.subscription(9, "general"), eg.subscription(10, "noise", is_muted=True))
    return Store.from_snapshot(eg.snapshot(channels=channels, unread_messages=unread))


def test_mentions_come_first_then_people_then_topics_and_it_wraps() -> None:
    """What is most likely waited for comes first."""
    store = _store(TEA, MILK, MARY, mentions=frozenset({2}))
    visited = [next_unread(store, None)]
    visited += [next_unread(store, visited[0]), next_unread(store, MARY), next_unread(store, TEA)]
    assert visited == [MILK, MARY, TEA, MILK]


def test_equals_are_read_in_the_order_of_the_list() -> None:
    """From where one is, which was just read, down the list and round its end; as in a tour."""
    store = _store(TEA, MILK, SUGAR)
    topics = [Topic(name=each, max_id=MessageId(9 - at)) for at, each in enumerate(LISTED)]
    store.topics.load(GENERAL, topics)
    visited, place = [], next_unread(store, TopicNarrow(GENERAL, "hello"))
    while place is not None:
        visited.append(place.topic if isinstance(place, TopicNarrow) else "")
        store.unreads.read(store.unread_ids(place))
        place = next_unread(store, place)
    assert visited == ["sugar", "milk", "tea"]


def test_what_is_muted_is_passed_by() -> None:
    """Somebody muted it so as not to be led there."""
    assert next_unread(_store(NOISE), None) is None


def test_direct_messages_alone_can_be_gone_through() -> None:
    """Topics wait, however often one is mentioned there."""
    store = _store(TEA, MARY, mentions=frozenset({1}))
    assert next_unread(store, None, direct=True) == MARY
    assert next_unread(_store(TEA), None, direct=True) is None
