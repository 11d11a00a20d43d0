"""The sidebar: counts, mutes, order, and where `next unread` leads."""

from collections.abc import Sequence

from tests import eg
from tui.api.model import (
    ChannelId,
    MessageId,
    RecentDm,
    Subscription,
    UnreadDm,
    UnreadTopic,
)
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow
from tui.store import Store
from tui.view.sidebar import SidebarRow, sidebar

GENERAL = eg.subscription(9, "general")
NOISE = eg.subscription(10, "noise", is_muted=True)
PINNED = eg.subscription(11, "zebra", pin_to_top=True)
TEA = TopicNarrow(ChannelId(9), "tea")
MARY = DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id}))


def _unread(channel: Subscription, topic: str, *ids: int) -> UnreadTopic:
    return UnreadTopic(
        channel_id=channel.channel_id,
        topic=topic,
        unread_message_ids=tuple(MessageId(each) for each in ids),
    )


def _store(
    topics: Sequence[UnreadTopic] = (), dms: Sequence[int] = (), mentions: Sequence[int] = ()
) -> Store:
    direct = UnreadDm(
        other_user_id=eg.MARY.user_id, unread_message_ids=tuple(MessageId(each) for each in dms)
    )
    unread = eg.unread_messages(
        topics=tuple(topics),
        dms=(direct,) if dms else (),
        mentions=frozenset(MessageId(each) for each in mentions),
    )
    recent = RecentDm(user_ids=frozenset({eg.MARY.user_id}), max_message_id=MessageId(50))
    return Store.from_snapshot(
        eg.snapshot(channels=(GENERAL, NOISE, PINNED), unread_messages=unread, recent_dms=(recent,))
    )


def _rows(store: Store, opened: Narrow | None = None) -> list[SidebarRow]:
    return sidebar(store, opened=opened, expanded=frozenset(), drafts=0, now=eg.NOW)


def _row(store: Store, label: str, opened: Narrow | None = None) -> SidebarRow:
    return next(row for row in _rows(store, opened) if row.label == label)


def test_pinned_channels_come_first_and_muted_ones_last() -> None:
    """The order is the person's before it is the alphabet's."""
    labels = [row.label for row in _rows(_store()) if row.kind == "channel"]
    assert labels == ["zebra", "general", "noise"]


def test_a_channel_counts_its_topics_and_a_mention_is_marked() -> None:
    """One number for the channel, and a sign if somebody means the reader."""
    row = _row(
        _store([_unread(GENERAL, "tea", 1, 2), _unread(GENERAL, "milk", 3)], (), [3]), "general"
    )
    assert (row.count, row.is_mention, row.is_quiet) == (3, True, False)


def test_what_is_muted_asks_for_nothing() -> None:
    """A muted channel is dimmed, its count is there but quiet."""
    row = _row(_store([_unread(NOISE, "build", 1)]), "noise")
    assert (row.count, row.is_muted, row.is_quiet) == (1, True, True)


def test_the_open_channel_shows_its_topics_even_those_known_only_as_unread() -> None:
    """Before the list of topics was fetched, what is unread is there already."""
    rows = _rows(_store([_unread(GENERAL, "tea", 1)]), ChannelNarrow(ChannelId(9)))
    assert [(row.label, row.count) for row in rows if row.kind == "topic"] == [("tea", 1)]


def test_conversations_with_people_show_presence_and_oneself_is_named_so() -> None:
    """Notes to oneself are always there."""
    rows = [row for row in _rows(_store()) if row.kind == "direct"]
    assert [row.label for row in rows] == ["Mary Member", "Iris Self (you)"]
    assert [row.presence for row in rows] == ["offline", "active"]


def test_every_row_has_a_key_of_its_own() -> None:
    """Two conversations are never mistaken for one another by the list."""
    store = _store([_unread(GENERAL, "tea", 1)], (3,))
    keys = [row.key for row in _rows(store, TEA)]
    assert len(set(keys)) == len(keys)


def test_a_filter_finds_channels_topics_and_people_by_their_names() -> None:
    """Words are looked for in any channel's topics; the channel stands above what was found."""
    store = _store(topics=[_unread(GENERAL, "green tea", 1), _unread(NOISE, "steam", 2)])

    def found(wanted: str) -> list[tuple[str, str]]:
        rows = sidebar(
            store, opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, wanted=wanted
        )
        return [(row.kind, row.label) for row in rows]

    assert found("TEA") == [
        ("channel", "general"), ("topic", "green tea"), ("channel", "noise"), ("topic", "steam"),
    ]  # fmt: skip
    assert found("gen tea") == [("channel", "general"), ("topic", "green tea")]
    assert found("zeb") == [("channel", "zebra")]
    assert found(eg.MARY.full_name.split()[0].lower()) == [("direct", eg.MARY.full_name)]
    assert found("xyz") == []
    assert found("  ")[0] == ("view", "Inbox")
