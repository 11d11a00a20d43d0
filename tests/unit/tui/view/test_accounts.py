"""Several organizations side by side: their counts, and one order of what is unread in them."""

from datetime import UTC, date

from tests import eg
from tui.api.model import ChannelId, MessageId, UnreadTopic
from tui.narrow import DmNarrow, TopicNarrow
from tui.store import Store
from tui.view.accounts import AccountName, line, merged
from tui.view.overview import OverviewRow, inbox
from tui.view.times import Times
from tui.view.unread_counts import UnreadCounts

ACME, BETA = AccountName("a"), AccountName("b")


def _heading(words: str) -> OverviewRow:
    return OverviewRow(conversation=None, place=words)


def _topic(name: str, count: int) -> OverviewRow:
    place = TopicNarrow(ChannelId(9), name)
    return OverviewRow(conversation=place, place="#general", topic=name, count=count)


def test_direct_messages_of_all_come_before_mentions_of_any() -> None:
    """One inbox: urgency first, then the largest, whatever organization it is of."""
    mary = DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id}))
    inboxes = {
        ACME: ("Acme", [_heading("Mentions"), _topic("tea", 2), _topic("soup", 1)]),
        BETA: (
            "Beta",
            [
                _heading("Direct messages"),
                OverviewRow(conversation=mary, place="Mary", count=1),
                _heading("Mentions"),
                _topic("tea", 9),
            ],
        ),
    }
    rows = merged(inboxes)
    assert [(each.account, each.row.place, each.row.topic) for each in rows] == [
        (None, "Direct messages", ""),
        (BETA, "Beta · Mary", ""),
        (None, "Mentions", ""),
        (BETA, "Beta · #general", "tea"),
        (ACME, "Acme · #general", "tea"),
        (ACME, "Acme · #general", "soup"),
    ]
    assert len({each.key for each in rows}) == len(rows)


def test_an_organization_with_unread_topics_only_joins_the_others() -> None:
    """Its inbox calls them topics, others' inboxes other topics: they are one group."""
    unread = UnreadTopic(channel_id=ChannelId(9), topic="tea", unread_message_ids=(MessageId(1),))
    store = Store.from_snapshot(
        eg.snapshot(
            channels=(eg.subscription(9, "general"),),
            unread_messages=eg.unread_messages(topics=(unread,)),
        )
    )
    acme = ("Acme", inbox(store, Times(zone=UTC), date(2025, 6, 15)))
    beta = ("Beta", [_heading("Mentions"), _topic("soup", 1), _heading("Other topics"), _topic("jam", 2)])  # fmt: skip
    assert [row.row.topic or row.row.place for row in merged({ACME: acme, BETA: beta})] == [
        "Mentions", "soup", "Other topics", "jam", "tea",
    ]  # fmt: skip
    assert [row.row.topic or row.row.place for row in merged({ACME: acme})] == ["Topics", "tea"]


def test_before_anything_is_known_an_account_has_its_servers_address() -> None:
    """While it connects one sees which one it is; nothing a server could smuggle in."""
    told = line(
        None,
        UnreadCounts(),
        site="https://chat.example.com/",
        email="a\x1b@b",
        shown=False,
        live=False,
    )
    assert (told.name, told.count, told.is_live) == ("chat.example.com", 0, False)
    assert "\x1b" not in told.email
