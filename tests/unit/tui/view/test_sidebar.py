"""The sidebar: counts, mutes, order, and where `next unread` leads."""

from collections.abc import Sequence

import pytest

from tests import eg
from tui import themes
from tui.api.events import UpdateMessageFlagsAddEvent
from tui.api.model import (
    ChannelFolder,
    ChannelFolderId,
    ChannelId,
    MessageId,
    RecentDm,
    Subscription,
    Topic,
    UnreadDm,
    UnreadTopic,
    UserId,
    VisibilityPolicy,
)
from tui.narrow import ChannelNarrow, Conversation, DmNarrow, Narrow, TopicNarrow
from tui.store import Store
from tui.view.sidebar import DIRECT, kept_in_sight, sidebar
from tui.view.sidebar_cache import SidebarCache
from tui.view.sidebar_rows import SidebarRow
from tui.view.unread_counts import UnreadCounts
from tui.view.unreads import next_unread
from tui.widgets.row_styles import look_of_theme
from tui.widgets.sidebar_rows import draw_sidebar_row

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
    assert (row.count, row.mentions, row.is_quiet) == (3, 1, False)


def test_what_is_muted_asks_for_nothing() -> None:
    """A muted channel is dimmed, its count is there but quiet."""
    row = _row(_store([_unread(NOISE, "build", 1)]), "noise")
    assert (row.count, row.is_muted, row.is_quiet) == (1, True, True)


def test_the_open_channel_shows_its_topics_even_those_known_only_as_unread() -> None:
    """Before the list of topics was fetched, what is unread is there already."""
    rows = _rows(_store([_unread(GENERAL, "tea", 1)]), ChannelNarrow(ChannelId(9)))
    assert [(row.label, row.count) for row in rows if row.kind == "topic"] == [("tea", 1)]


def _topics(store: Store, count: int) -> None:
    """Let the list of topics of `general` be fetched: t0 is the newest."""
    listed = [Topic(name=f"t{at}", max_id=MessageId(5000 - at)) for at in range(count)]
    store.topics.load(GENERAL.channel_id, listed)


def test_the_newest_topics_are_shown_and_of_the_others_those_that_are_unread_or_open() -> None:
    """In the order of their newest messages; the last row says how many there are beside them."""
    unread = [_unread(GENERAL, each, 100 + at) for at, each in enumerate(("t9", "t7", "t2", "old"))]
    store = _store(unread)
    _topics(store, 12)
    for each in ("t1", "t9"):
        store.user_topics.set(GENERAL.channel_id, each, VisibilityPolicy.MUTED)
    opened = TopicNarrow(GENERAL.channel_id, "t10")
    rows = [row for row in _rows(store, opened) if row.channel_id == 9 and row.kind != "channel"]
    assert [row.label for row in rows] == [
        "t0", "t2", "t3", "t4", "t5", "t7", "t10", "old", "5 more topics"
    ]  # fmt: skip


def test_a_topic_is_shown_as_its_channel_has_it_whatever_the_case_it_is_opened_in() -> None:
    """Also beyond the first topics, and when it is counted anew: a link, or a message, may be in another case."""
    store = _store([_unread(GENERAL, "T7", 1, 2)])
    _topics(store, 12)
    opened, cache, counts = TopicNarrow(GENERAL.channel_id, "T9"), SidebarCache(), UnreadCounts()

    def last() -> list[tuple[str, int]]:
        rows = sidebar(
            store, opened=opened, expanded=frozenset(), drafts=0, now=eg.NOW, counts=counts, cache=cache
        )  # fmt: skip
        return [(row.label, row.count) for row in rows if row.kind == "topic"][5:]

    assert last() == [("t7", 2), ("t9", 0)]
    read = (MessageId(1),)
    changes = store.apply(
        eg.make(UpdateMessageFlagsAddEvent, flag="read", message_ids=read, all=False)
    )
    cache.forget(changes, counts.follow(store, changes))
    assert last() == [("t7", 1), ("t9", 0)]


def test_topics_that_are_not_shown_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A channel may have thousands, and each message in it makes its rows anew."""
    store = _store([_unread(GENERAL, "t9", 1)])
    _topics(store, 400)
    looked_at: list[Conversation] = []

    def unread(_: UnreadCounts, place: Conversation) -> int:
        looked_at.append(place)
        return 0

    monkeypatch.setattr(UnreadCounts, "unread", unread)
    _rows(store, ChannelNarrow(GENERAL.channel_id))
    assert len(looked_at) < 20


def test_a_filter_finds_the_open_topic_in_its_own_channel_only() -> None:
    """Not below every channel whose topics are looked through."""
    store = _store([_unread(GENERAL, "tea", 1), _unread(NOISE, "x", 2)])
    rows = sidebar(store, opened=TEA, expanded=frozenset(), drafts=0, now=eg.NOW, query="tea")
    assert [(row.kind, row.label) for row in rows] == [("channel", "general"), ("topic", "tea")]


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

    def rows_of(query: str) -> list[tuple[str, str]]:
        rows = sidebar(store, opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, query=query)
        return [(row.kind, row.label) for row in rows]

    assert rows_of("TEA") == [
        ("channel", "general"), ("topic", "green tea"), ("channel", "noise"), ("topic", "steam"),
    ]  # fmt: skip
    assert rows_of("gen tea") == [("channel", "general"), ("topic", "green tea")]
    assert rows_of("zeb") == [("channel", "zebra")]
    assert rows_of(eg.MARY.full_name.split()[0].lower()) == [("direct", eg.MARY.full_name)]
    assert rows_of("xyz") == []
    assert rows_of("  ")[:2] == [("section", "Views"), ("view", "Inbox")]


def _drawn(row: SidebarRow, width: int = 28) -> str:
    look = look_of_theme({"foreground": "#ffffff", "panel": "#000000"}, "panel")
    return "".join(run.text for run in draw_sidebar_row(row, width, look)[-1]).strip()


def test_mentions_and_other_unread_messages_are_two_numbers() -> None:
    """In text alone, as in a terminal without colors: two unread of which one is a mention."""
    store = _store([_unread(GENERAL, "tea", 1, 2), _unread(NOISE, "x", 4)], (), [2])
    assert _drawn(_row(store, "general")).split()[-2:] == ["@1", "2"]
    all_mentioned = _store([_unread(GENERAL, "tea", 1, 2)], (), [1, 2])
    assert _drawn(_row(all_mentioned, "general")).split()[-2:] == ["general", "@2"]


def test_the_colors_of_what_is_meant_for_the_reader_and_the_rest_differ_in_every_theme() -> None:
    """A colored count is meant for the reader; the other is as plain as text."""
    for theme in themes.ALL:
        look = look_of_theme(theme.to_color_system().generate(), "panel")
        row = SidebarRow(kind="channel", target="inbox", label="x", count=7, mentions=2)
        (line,) = draw_sidebar_row(row, 28, look)
        styles = {run.text.strip(): (look.base + run.style).rich_style for run in line}
        assert styles["@2"].bold
        assert styles["@2"].color != styles["7"].color, theme.name
        assert styles["7"].color == look.base.rich_style.color, theme.name


def test_a_group_is_not_marked_by_a_number() -> None:
    """The size of a group looked like an unread count."""
    three = DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id, UserId(77)}))
    row = next(row for row in _rows(_store(), three) if row.is_open)
    assert not any(sign.isdigit() for sign in _drawn(row))


def test_direct_messages_stand_above_channels_and_the_oldest_are_folded_away() -> None:
    """A row says how many there are beside them and shows them all."""
    recent = tuple(
        RecentDm(user_ids=frozenset({UserId(each)}), max_message_id=MessageId(each))
        for each in range(100, 130)
    )
    store = Store.from_snapshot(eg.snapshot(channels=(GENERAL,), recent_dms=recent))
    kinds = [row.kind for row in _rows(store)]
    assert kinds.index("direct") < kinds.index("channel")
    assert kinds.count("direct") == DIRECT + 1  # and the notes to oneself
    assert [row.label for row in _rows(store) if row.section == "direct"][1:] == [
        "25 more conversations"
    ]
    everything = sidebar(
        store, opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, all_direct=True
    )
    assert [row.kind for row in everything].count("direct") == 31


def test_unread_direct_messages_that_are_folded_away_are_counted() -> None:
    """Ten people wrote: five are shown, the other five are in the count of the row below them."""
    unread = eg.unread_messages(
        dms=tuple(
            UnreadDm(other_user_id=UserId(each), unread_message_ids=(MessageId(each),))
            for each in range(100, 110)
        )
    )
    recent = tuple(
        RecentDm(user_ids=frozenset({UserId(each)}), max_message_id=MessageId(each))
        for each in range(100, 110)
    )
    store = Store.from_snapshot(
        eg.snapshot(channels=(GENERAL,), unread_messages=unread, recent_dms=recent)
    )
    more = next(row for row in _rows(store) if row.kind == "more" and row.section == "direct")
    assert (more.count, more.mentions, more.is_unread) == (5, 5, True)


def test_a_collapsed_section_says_what_is_unread_in_it_and_shows_what_is_open() -> None:
    """Nothing that asks to be read disappears with its rows."""
    store = _store([_unread(GENERAL, "tea", 1, 2), _unread(NOISE, "x", 9)], (3,), [2])
    rows = sidebar(
        store, opened=TEA, expanded=frozenset(), drafts=0, now=eg.NOW,
        collapsed=("views", "direct", "channels"),
    )  # fmt: skip
    assert [(row.label, row.count, row.mentions) for row in rows] == [
        ("Views", 1, 1), ("Direct messages", 1, 1),
        ("Pinned", 0, 0), ("zebra", 0, 0), ("Channels", 2, 1), ("tea", 2, 1),
    ]  # fmt: skip


def _in_folders() -> Store:
    folders = [
        eg.make(ChannelFolder, id=ChannelFolderId(each), name=name, order=order, is_archived=old)
        for each, name, order, old in (
            (1, "Work", 2, False),
            (2, "Fun", 1, False),
            (3, "x", 0, True),
        )
    ]
    channels = [
        eg.subscription(20 + at, name, folder_id=ChannelFolderId(folder), pin_to_top=name == "kettle")
        for at, (name, folder) in enumerate((("api", 1), ("deploy", 1), ("kettle", 1), ("cats", 2), ("old", 3)))
    ]  # fmt: skip
    unread = eg.unread_messages(topics=[_unread(each, "t", each.channel_id) for each in channels])
    return Store.from_snapshot(
        eg.snapshot(
            channels=(GENERAL, *channels), channel_folders=tuple(folders), unread_messages=unread
        )
    )


def test_channels_stand_in_their_folders() -> None:
    """In the organization's order; pinned channels stay in reach, and an archived folder has no heading."""
    rows = _rows(_in_folders())
    first = next(at for at, row in enumerate(rows) if row.section == "pinned")
    assert [row.label for row in rows[first:]] == [
        "Pinned", "kettle", "Fun", "cats", "Work", "api", "deploy",
        "Other channels", "general", "old", "Browse channels",
    ]  # fmt: skip


def test_next_unread_goes_down_through_the_folders() -> None:
    """As the sidebar lists them."""
    store, place, names = _in_folders(), None, []
    for _ in range(5):
        place = next_unread(store, place)
        assert isinstance(place, TopicNarrow)
        names.append(store.channels.by_id[place.channel_id].name)
    assert names == ["kettle", "cats", "api", "deploy", "old"]


def test_a_folder_is_collapsed_and_found_by_its_name() -> None:
    """Its heading counts what is unread in it."""
    store = _in_folders()
    rows = sidebar(
        store, opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, collapsed=("folder-1",)
    )
    assert [(row.label, row.count) for row in rows if row.is_collapsed] == [("Work", 2)]
    assert "api" not in [row.label for row in rows]
    found = sidebar(store, opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, query="wor")
    assert [row.label for row in found] == ["api", "deploy", "kettle"]


def test_whole_sections_stay_in_sight_where_there_is_room_for_the_others() -> None:
    """At the size of a small terminal the views, in a large one the direct messages too."""
    rows = _rows(_store())
    direct = next(at for at, row in enumerate(rows) if row.section == "direct")
    pinned = next(at for at, row in enumerate(rows) if row.section == "pinned")
    assert kept_in_sight(rows, 10) == 0
    assert kept_in_sight(rows, direct * 5 // 3 + 1) == direct
    assert kept_in_sight(rows, 22) == pinned
    assert kept_in_sight(rows, 200) == pinned
