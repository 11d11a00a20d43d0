"""An example account: a store with objects of every kind, and a server that never answers."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import httpx

from tests import eg
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.api.model import ChannelId, MessageId, Presence, Topic, UnreadTopic, UserId, UserStatus
from tui.cache.account_folder import AccountFolder
from tui.narrow import AllMessages, ChannelNarrow, DmNarrow, Narrow, TopicNarrow
from tui.screens.session import Session, assemble
from tui.store import Store
from tui.store.fetched_page import Page
from tui.store.windows import NEWEST, OLDEST
from tui.sync.machine import Sync
from tui.sync.status import Listener

NOW = eg.NOW + 3 * 3600
ZONE = UTC

ANN = eg.user(2, "Ann Arbor")
BEN = eg.user(3, "Ben Bitdiddle")
CLEO = eg.user(5, "Cleo Quist")
DEV = eg.user(6, "Devendra Rao")
PEOPLE = (eg.ME, ANN, BEN, CLEO, DEV, eg.BOT)

DESIGN = eg.subscription(
    9, "design", color="#e0a13b", pin_to_top=True, description="What it looks like, and why",
    subscribers=frozenset(UserId(i) for i in (1, 2, 3, 5)),
)  # fmt: skip
GENERAL = eg.subscription(10, "general", color="#76ce90", description="Everything else")
OPS = eg.subscription(11, "operations", color="#5a9bd8", invite_only=True, description="Keep it up")
NOISE = eg.subscription(12, "build-noise", color="#999999", is_muted=True)
CHANNELS = (DESIGN, GENERAL, OPS, NOISE)

CODE = (
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>'
    '<span class="k">def</span> <span class="nf">readable</span><span class="p">(</span>'
    '<span class="n">color</span><span class="p">):</span>\n'
    '    <span class="k">return</span> <span class="n">color</span>'
    '<span class="o">.</span><span class="n">contrast</span> <span class="o">&gt;</span> '
    '<span class="mf">4.5</span>\n</code></pre></div>'
)


def _messages() -> list[object]:
    yesterday = eg.NOW - 20 * 3600
    say = partial(eg.message, channel=DESIGN, topic="colors")
    up = eg.reaction
    return [
        say(101, sender=ANN, timestamp=yesterday, flags=frozenset({"read"}),
            content="<p>The sidebar is too loud. Could it be one calm tone, with a single accent?</p>"),
        say(102, sender=ANN, timestamp=yesterday + 60, flags=frozenset({"read", "starred"}),
            content="<p>Amber, say, for what is <strong>yours</strong> to see: unread counts, mentions, your own reactions.</p>",
            reactions=(up(BEN), up(CLEO), up(eg.ME),
                       up(CLEO, emoji_name="art", emoji_code="1f3a8"))),
        say(103, sender=eg.ME, timestamp=yesterday + 300, flags=frozenset({"read"}),
            last_edit_timestamp=yesterday + 400,
            content="<p>Agreed. I tried it, and people's names get colors that stay readable:</p>" + CODE),
        say(104, sender=BEN, timestamp=eg.NOW, flags=frozenset({"read"}),
            content='<blockquote><p>a single accent</p></blockquote><p>Yes please. See <a href="https://example.com/contrast">the contrast notes</a>.</p>'),
        say(105, sender=CLEO, timestamp=eg.NOW + 120, flags=frozenset(),
            content="<p>Two more questions before this is done:</p><ul><li>what does a muted channel look like?</li><li>and a terminal with 16 colors?</li></ul>"),
        say(106, sender=CLEO, timestamp=eg.NOW + 180, flags=frozenset({"mentioned"}),
            content='<p><span class="user-mention" data-user-id="1">@Iris Self</span> can you check the light theme?</p>'),
        say(107, sender=DEV, timestamp=eg.NOW + 900, flags=frozenset(), is_me_message=True,
            content="<p>/me is looking at it right now</p>"),
        eg.message(108, sender=eg.BOT, channel=GENERAL, topic="releases", timestamp=eg.NOW + 1000,
            flags=frozenset(), content="<p>Build <code>214</code> is green.</p>"),
        eg.dm(109, sender=BEN, to=(eg.ME,), timestamp=eg.NOW + 1100, flags=frozenset(),
            content="<p>lunch?</p>"),
        eg.dm(110, sender=CLEO, to=(eg.ME, ANN), timestamp=eg.NOW + 1200, flags=frozenset({"read"}),
            content="<p>The three of us should write this down.</p>"),
    ]  # fmt: skip


def store() -> Store:
    """Return a store with some channels, topics, users and messages; five are unread."""
    unread = eg.unread_messages(
        count=5,
        topics=(
            UnreadTopic(channel_id=ChannelId(9), topic="colors", unread_message_ids=(MessageId(105), MessageId(106), MessageId(107))),
            UnreadTopic(channel_id=ChannelId(10), topic="releases", unread_message_ids=(MessageId(108),)),
        ),
        mentions=frozenset({MessageId(106)}),
    )  # fmt: skip
    snapshot = eg.snapshot(
        users=PEOPLE,
        channels=CHANNELS,
        unread_messages=unread,
        starred_messages=frozenset({MessageId(102)}),
        max_message_id=MessageId(110),
        presences={
            UserId(2): Presence(active_timestamp=NOW - 20, idle_timestamp=NOW - 20),
            UserId(3): Presence(active_timestamp=NOW - 900, idle_timestamp=NOW - 30),
        },
        user_status={
            UserId(2): eg.make(UserStatus, status_text="painting", emoji_name="art", emoji_code="1f3a8", reaction_type="unicode_emoji"),
        },
        realm=eg.realm_settings(name="Example & Co"),
    )  # fmt: skip
    known = Store.from_snapshot(snapshot)
    messages = _messages()
    for narrow in _narrows():
        _load(known, narrow, messages)
    known.topics.load(
        ChannelId(9),
        [
            Topic(name="colors", max_id=MessageId(107)),
            Topic(name="typography of the terminal", max_id=MessageId(90)),
            Topic(name="✔ logo", max_id=MessageId(80)),
        ],
    )
    for message in messages:
        known.direct_messages.receive(message)  # type: ignore[arg-type]  # the example's own, of the right kind
    return known


def _narrows() -> list[Narrow]:
    return [
        AllMessages(),
        ChannelNarrow(ChannelId(9)),
        TopicNarrow(ChannelId(9), "colors"),
        TopicNarrow(ChannelId(10), "releases"),
        DmNarrow(frozenset({UserId(1), UserId(3)})),
        DmNarrow(frozenset({UserId(1)})),
    ]


def _load(known: Store, narrow: Narrow, messages: list[object]) -> None:
    inside = tuple(m for m in messages if narrow.contains(m))  # type: ignore[arg-type]  # the example's own, of the right kind
    ticket = known.messages.begin_fetch()
    known.messages.finish_fetch(
        ticket,
        Page(narrow=narrow, low=OLDEST, high=NEWEST, messages=inside),  # type: ignore[arg-type]  # the example's own, of the right kind
    )


def load_empty(known: Store, narrow: Narrow) -> None:
    """Mark a narrow as loaded and empty."""
    _load(known, narrow, [])


async def _never(request: httpx.Request) -> httpx.Response:
    await asyncio.Event().wait()
    raise AssertionError(request)


def session(folder: Path, listener: Listener, known: Store | None = None) -> Session:
    """Return a session with the store `known`, of a server that never answers."""
    connection = Connection(
        parse_base_url("http://127.0.0.1:1", allow_http=True),
        credentials=Credentials("iris@example.com", "key"),
        transport=httpx.MockTransport(_never),
    )
    places = AccountFolder(state=folder, cache=folder)
    return assemble(Sync(connection, cached=known), places, listener)


TODAY = datetime.fromtimestamp(NOW, ZONE).date()
