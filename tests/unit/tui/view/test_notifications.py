"""What is told while one looks elsewhere: what matters, when one wants it, and no more of it."""

from datetime import time

import pytest

from tests import eg
from tui.api.model import Message, MessageId, UserTopic, VisibilityPolicy
from tui.screens import alerts
from tui.store import Store
from tui.view.notifications import Level, Notice, is_quiet, notices, terminal_title, waiting
from tui.view.unread_counts import UnreadCounts

HALL = eg.subscription(9, "hall")
LOUD = eg.subscription(10, "loud", desktop_notifications=True)
QUIET = eg.subscription(11, "quiet", is_muted=True)
NEW: frozenset[str] = frozenset()


def _store(*messages: Message, **settings: bool | int) -> Store:
    followed = eg.make(
        UserTopic, channel_id=9, topic="news", visibility_policy=VisibilityPolicy.FOLLOWED
    )
    store = Store.from_snapshot(
        eg.snapshot(
            channels=[HALL, LOUD, QUIET],
            user_topics=(followed,),
            user_settings=eg.user_settings(**settings),
        )
    )
    for at, message in enumerate(messages):
        store.apply(eg.message_event(message, 1 + at))
    return store


def _told(message: Message, level: Level = "mentions", **settings: bool | int) -> list[Notice]:
    store = _store(message, **settings)
    return notices(store, [message.id], level=level, with_content=True)


def _said(**fields: object) -> Message:
    return eg.message(50, **{"channel": HALL, "topic": "tea", "flags": NEW, **fields})  # type: ignore[arg-type]  # fields of a message


@pytest.mark.parametrize(
    ("message", "least"),
    [
        (eg.dm(50, flags=NEW), "direct"),
        (_said(flags=frozenset({"mentioned"})), "direct"),
        (_said(flags=frozenset({"stream_wildcard_mentioned"})), "direct"),
        (_said(channel=QUIET, flags=frozenset({"mentioned"})), "direct"),
        (_said(flags=frozenset({"has_alert_word"})), "mentions"),
        (_said(topic="news"), "mentions"),
        (_said(channel=LOUD), "mentions"),
        (_said(), "all"),
        (_said(channel=QUIET), None),
        (_said(flags=frozenset({"read"})), None),
        (_said(sender=eg.ME), None),
    ],
)
def test_a_level_decides_what_is_told(message: Message, least: str | None) -> None:
    """Each kind of message is told from its level on, and muted or own ones never."""
    levels: tuple[Level, ...] = ("direct", "mentions", "all")
    told = [level for level in levels if _told(message, level)]
    assert told == (list(levels[levels.index(least) :]) if least in levels else [])


def test_it_says_who_where_and_how_it_begins() -> None:
    """One line, without anything that a terminal would obey."""
    content = "<p>look:\x1b]0;x\x07</p><p>two   lines</p>"
    (notice,) = _told(_said(topic="news", content=content))
    assert notice.title == f"{eg.MARY.full_name} in #hall › news"
    assert notice.body == "look:␛]0;x␇ two lines"


def test_content_is_hidden_where_it_is_to_be() -> None:
    """By this program's setting always, by the account's for direct messages."""
    message = eg.dm(50, flags=NEW)
    (notice,) = notices(_store(message), [message.id], level="direct", with_content=False)
    assert notice.body == "wrote a message"
    (notice,) = _told(message, pm_content_in_desktop_notifications=False)
    assert notice.body == "wrote a message"


def test_a_flood_is_one_notice() -> None:
    """Back from a lost connection, one is told how much there is, not everything."""
    messages = [eg.dm(50 + at, flags=NEW) for at in range(9)]
    ids = [MessageId(50 + at) for at in range(9)]
    (notice,) = notices(_store(*messages), ids, level="direct", with_content=True)
    assert notice == Notice(title="9 new messages", body=f"from {eg.MARY.full_name}")


@pytest.mark.parametrize(
    ("hours", "at", "quiet"),
    [
        ("", "03:00", False),
        ("22:00-07:00", "03:00", True),
        ("22:00-07:00", "22:00", True),
        ("22:00-07:00", "07:00", False),
        ("12:00-13:30", "13:00", True),
        ("12:00-13:30", "14:00", False),
    ],
)
def test_quiet_hours(hours: str, at: str, quiet: bool) -> None:
    """The night may begin before midnight."""
    assert is_quiet(hours, time.fromisoformat(at)) is quiet


def _waiting(store: Store) -> int:
    return waiting(store, UnreadCounts().of(store))


def test_the_title_counts_what_waits() -> None:
    """Muted channels do not count but for mentions, and the account says what else does."""
    messages = (
        _said(),
        eg.message(51, channel=QUIET, topic="x", flags=NEW),
        eg.message(52, channel=QUIET, topic="x", flags=frozenset({"mentioned"})),
        eg.dm(53, flags=NEW),
    )
    name = terminal_title(_store(), 0)
    assert terminal_title(_store(), 3) == f"(3) {name}"
    assert _waiting(_store(*messages, desktop_icon_count_display=1)) == 3
    assert _waiting(_store(*messages, desktop_icon_count_display=2)) == 2
    assert _waiting(_store(*messages, desktop_icon_count_display=4)) == 0


def test_no_text_ends_its_sequence_or_becomes_an_option() -> None:
    """A name made to break out of a notification is only a strange name."""
    hostile = Notice(title="4;3;100\x1b\\\x07", body="--urgency=critical <b>&;\x9c")
    for sequence in (alerts.osc9(hostile), alerts.osc777(hostile), alerts.title(hostile.title)):
        inside = sequence[2:-2]
        assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in inside)
    assert alerts.osc9(hostile).startswith("\x1b]9;4,3,100")
    assert alerts.osc777(hostile).count(";") == 3
    arguments = alerts.notify_send(hostile)
    assert arguments[2:4] == ["--", hostile.title]
    assert arguments[4].startswith("--urgency=critical &lt;b&gt;&amp;;")


def test_a_multiplexer_passes_it_on() -> None:
    """Inside tmux the sequence is wrapped, elsewhere it is as it is."""
    assert alerts.through("\x1b]9;x\x1b\\", {}) == "\x1b]9;x\x1b\\"
    wrapped = alerts.through("\x1b]9;x\x1b\\", {"TMUX": "1"})
    assert wrapped == "\x1bPtmux;\x1b\x1b]9;x\x1b\x1b\\\x1b\\"
