"""Generates the rows of `tests.large_organization`: users, channels, topics, messages. No events, no clock.

Written directly to the store: creating five thousand users one by one would send each to all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from random import Random
from typing import Any, Final

from server_lite.access.mentions import Names
from server_lite.actions.channels import render_description
from server_lite.actions.polls_and_todos import WIDGET, widget_of
from server_lite.ids import ChannelId, UserId
from server_lite.markup.render import render
from server_lite.markup.text import text_of
from server_lite.store import (
    alert_words,
    bots,
    channel_folders,
    channels,
    conversations,
    flags,
    keys,
    saved_snippets,
    settings,
    submessages,
    topics,
    unread_messages,
    user_topics,
    users,
)
from server_lite.store.bots import BotRow
from server_lite.store.database import Tx
from server_lite.store.user_topics import Policy
from server_lite.store.users import Role

ANN: Final = "Ann Archer"
BEN: Final = "Ben Birch"
BEGIN: Final = 1_748_860_000.0
"""UNIX seconds of the first message; the others follow in intervals of a minute."""


@dataclass(frozen=True, slots=True)
class Size:
    """The number of objects of each kind; `unread` are the newest messages, unread by Ann."""

    name: str
    people: int
    channels: int
    topics: int
    messages: int
    unread: int
    joined: int
    """Channels per user except Ann, who is subscribed to nearly all."""


_AREAS: Final = [
    "eng",
    "design",
    "sales",
    "support",
    "ops",
    "hr",
    "legal",
    "data",
    "mobile",
    "web",
    "infra",
    "qa",
    "press",
    "labs",
    "edu",
    "field",
    "board",
    "media",
    "care",
    "shop",
]
_KINDS: Final = [
    "general",
    "releases",
    "incidents",
    "ideas",
    "review",
    "hiring",
    "tools",
    "onboarding",
    "reports",
    "random",
    "planning",
    "bugs",
    "budget",
    "travel",
    "events",
    "metrics",
    "partners",
    "security",
    "docs",
    "archive",
    "retro",
    "standup",
    "demos",
    "roadmap",
    "help",
]
_FIRST: Final = [
    "Ada",
    "Bea",
    "Carl",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hana",
    "Ian",
    "Jun",
    "Kofi",
    "Lena",
    "Mei",
    "Nils",
    "Olga",
    "Pia",
    "Quinn",
    "Rosa",
    "Sven",
    "Tom",
    "Uma",
    "Vera",
    "Wim",
    "Xenia",
    "Yuki",
    "Zoe",
    "Åsa",
    "Łukasz",
    "山田",
    "Ibrahim",
]
_TOPICS: Final = (
    "cake on Friday",
    "release {n}",
    "✔ printer {n} is out of paper",
    "incident {n}: the database is slow",
    "どこで昼食をとるか {n}",
    "مرحبا {n}",
    "[bold]not markup[/bold] {n}",
    "a very long topic, as long as the names of topics may be",
    "🚢 ship it {n}",
    "✔ naming things {n}",
    "budget {n}/2",
    "stand-up {n}",
)
_TEXTS: Final = (
    "Morning all.",
    "I have looked at it, and the cause is the **cache**: it is never emptied.",
    "```python\ndef total(rows):\n    return sum(row.amount for row in rows)\n```",
    "| who | what | hours |\n|---|:--|--:|\n| Ann | scaffold | 12 |\n| Ben | glass and railing | 3.5 |",
    f"@**{ANN}** can you have a look at this today?",
    "> quoted once\n\nand answered: yes, *please*.",
    "1. first\n2. second\n   - with a detail\n3. third",
    "See https://example.com/plans/2025?page=3#costs and [the notes](https://example.com/notes).",
    "👍 :tada: done",
    "これは長い文です。" * 12,
    "שלום לכולם, הפגישה ב-10:00",
    "```spoiler The answer\nIt was forty-two.\n```",
    "$$\\int_0^1 x^2 dx$$",
    "/me goes for coffee",
    "/poll Where shall we meet?\nHarbour\nOffice\nOnline",
    "/todo Before the release\nnotes\ntests: all of them",
    "~~no~~ **yes**, `code` and a [bold]bracket[/bold] that is no markup",
    "The quick brown fox jumps over the lazy dog. " * 14,
    "one\ntwo\nthree\nfour\nfive",
    "`a_very_long_identifier_that_does_not_break_anywhere_at_all_in_eighty_columns_of_a_terminal_window`",
    "@*role:members* @**all** this is a silent one: @_**Ben Birch**",
    "* a\n* b\n* c",
)


def populate(tx: Tx, size: Size) -> None:
    """Fill a new organization with Ann as its owner."""
    _Builder(tx, size).build()


def key_of(user_id: int) -> str:
    """Return a user's API key."""
    return f"key{user_id:029d}"


@dataclass(slots=True)
class _Builder:
    tx: Tx
    size: Size
    random: Random = field(default_factory=lambda: Random(7))
    ann: UserId = users.NOTIFICATION_BOT  # until there are users
    people: list[UserId] = field(default_factory=list)
    """All senders: people and bots, Ann first."""
    guests: set[int] = field(default_factory=set)
    members: dict[ChannelId, list[UserId]] = field(default_factory=dict)
    """Subscribers of each channel."""
    topics: list[tuple[int, ChannelId, str]] = field(default_factory=list)
    """(id, channel, name)."""

    def build(self) -> None:
        owner = users.first_owner(self.tx)
        assert owner is not None
        self.ann = owner.id
        self._people()
        self._channels()
        self._topics()
        self._messages()
        self._of_ann()

    def _people(self) -> None:
        tx = self.tx
        self.people.append(self.ann)
        for at in range(1, self.size.people):
            first, n = _FIRST[at % len(_FIRST)], at // len(_FIRST)
            is_bot = at % 29 == 28
            name = BEN if at == 1 else f"{first} {_AREAS[n % len(_AREAS)].title()}{n or ''}"
            role = Role.GUEST if at % 17 == 16 and not is_bot else Role.MEMBER
            user_id = users.insert(
                tx,
                email="ben@example.com" if at == 1 else f"p{at}@example.com",
                full_name=f"{name} bot" if is_bot else name,
                role=Role.MODERATOR if at == 2 else role,
                now=BEGIN,
                password=None,
                bot_type=1 if is_bot else None,
                bot_owner_id=self.ann if is_bot else None,
            )
            if is_bot:
                bots.store(tx, BotRow(user_id=user_id, config_data={}))
            if role == Role.GUEST:
                self.guests.add(user_id)
            if at % 211 == 210:
                users.set_value(tx, user_id, "is_active", 0)
            self.people.append(user_id)
        for user_id in self.people[:40]:
            keys.insert(tx, user_id, key_of(user_id), "test", BEGIN)

    def _channels(self) -> None:
        tx = self.tx
        folders = [
            channel_folders.insert(
                tx,
                name=area.title(),
                description="",
                rendered="",
                creator_id=self.ann,
                now=BEGIN,
            )
            for area in _AREAS[:4]
        ]
        ann = self._row(self.ann)
        pairs = ((area, kind) for kind in _KINDS for area in _AREAS)
        for at, (area, kind) in enumerate(islice(pairs, self.size.channels - 1)):
            about = f"Everything about {kind} in **{area}**." if at % 3 else ""
            place = _AREAS.index(area)
            channel_id = channels.insert(
                tx,
                name=f"{area}-{kind}",
                description=about,
                rendered_description=render_description(tx, ann, about),
                creator_id=self.ann,
                now=BEGIN,
                invite_only=at % 7 == 6,
                is_web_public=False,
                history_public_to_subscribers=True,
                is_default=at % 20 == 0,
                message_retention_days=None,
                topics_policy="inherit",
                folder_id=folders[place] if place < len(folders) else None,
                group_settings={},
            )
            self.members[channel_id] = [] if at % 29 == 28 else [self.ann]
        self._join()

    def _join(self) -> None:
        """Subscribe users to a few channels, guests to one; Ann mutes and pins some of hers."""
        every = list(self.members)
        for at, user_id in enumerate(self.people[1:]):
            number = 1 if user_id in self.guests else min(self.size.joined, len(every))
            for step in range(number):
                self.members[every[(at * 7 + step * 13) % len(every)]].append(user_id)
        joined = [
            (user, channel) for channel, ids in self.members.items() for user in dict.fromkeys(ids)
        ]
        self.tx.many(
            "INSERT OR IGNORE INTO subscription (user_id, channel_id, color, is_muted, pin_to_top)"
            " VALUES (?, ?, ?, ?, ?)",
            [
                (
                    user,
                    channel,
                    f"#{(channel * 2654435761) & 0xFFFFFF:06x}",
                    *self._chosen(user, channel),
                )
                for user, channel in joined
            ],
        )
        self.tx.many(
            "INSERT OR IGNORE INTO membership (user_id, channel_id, after_id) VALUES (?, ?, 0)",
            joined,
        )

    def _chosen(self, user: int, channel: int) -> tuple[bool, bool]:
        return (user == self.ann and channel % 11 == 0, user == self.ann and channel % 19 == 0)

    def _topics(self) -> None:
        for at, channel_id in zip(range(self.size.topics), cycle(self.members), strict=False):
            n = at // len(self.members)
            name = _TOPICS[(at + n) % len(_TOPICS)].format(n=n)
            name = (
                name
                if "{n}" in _TOPICS[(at + n) % len(_TOPICS)]
                else f"{name} {n}".removesuffix(" 0")
            )
            topic = topics.get_or_create(self.tx, channel_id, name)
            self.topics.append((topic.id, channel_id, name))
            policy = Policy.MUTED if at % 23 == 22 else Policy.FOLLOWED if at % 31 == 30 else None
            if policy is not None:
                user_topics.store(self.tx, self.ann, channel_id, name, policy, BEGIN)

    def _messages(self) -> None:
        names = Names(self.tx, self._row(self.ann))
        ready = [(text, render(text, names)) for text in _TEXTS]
        rows, index_rows, unread, flagged = [], [], [], []
        first = self.tx.value("SELECT coalesce(max(id), 0) FROM message") + 1
        begun: dict[int, int] = {}
        newest: dict[int, int] = {}
        for at, message_id in zip(range(self.size.messages), count(first), strict=False):
            topic_id, channel_id, name, conversation, sender, ann_gets = self._place(at)
            # Most messages are short; each kind of text is frequent enough.
            text, html = ready[at % len(ready) if at % 3 == 0 else at % 2]
            plain = text_of(html.html)
            rows.append(
                (
                    message_id,
                    sender,
                    channel_id,
                    topic_id,
                    conversation,
                    text,
                    html.html,
                    plain,
                    BEGIN + 60 * at,
                    "website",
                    html.has_link,
                    html.has_image,
                    html.has_attachment,
                )
            )
            index_rows.append((message_id, name, plain))
            if channel_id is not None:
                begun.setdefault(channel_id, message_id)
                assert topic_id is not None
                newest[topic_id] = message_id
            else:
                assert conversation is not None
                conversations.raise_max_id(self.tx, conversation, message_id)
            if ann_gets and sender != self.ann:
                unread.append((self.ann, message_id))
                if self.ann in html.user_ids:
                    flagged.append((self.ann, flags.MENTIONS[0], message_id))
            if at % 97 == 96 and ann_gets:
                flagged.append((self.ann, "starred", message_id))
        self._store(rows, index_rows, unread[-self.size.unread :], flagged)
        unread_messages.rebuild_by_user(self.tx)
        self._newest(begun, newest)
        for row in rows:
            if (widget := widget_of(row[5])) is not None:
                submessages.insert(self.tx, row[0], row[1], WIDGET, widget)

    def _place(self, at: int) -> tuple[int | None, int | None, str, int | None, UserId, bool]:
        """Return topic, channel, topic's name, conversation, sender, and whether Ann gets the message."""
        if at % 20 == 19:
            others = self.random.sample(self.people[1:40], 1 if at % 3 else 3)
            there = conversations.ensure(self.tx, [self.ann, *others])
            sender = self.ann if at % 40 == 39 else others[0]
            return None, None, "", there.id, sender, True
        # Every topic starts with a message; then a few topics get more than others.
        if at < len(self.topics) * 20 // 19 + 20:
            which = (at - at // 20) % len(self.topics)
        else:
            which = int(len(self.topics) * self.random.random() ** 2)
        topic_id, channel_id, name = self.topics[which]
        there_are = self.members[channel_id]
        sender = there_are[self.random.randrange(len(there_are))]
        return topic_id, channel_id, name, None, sender, there_are[0] == self.ann

    def _store(
        self,
        rows: Sequence[tuple[Any, ...]],
        index_rows: Sequence[tuple[int, str, str]],
        unread: Sequence[tuple[int, int]],
        flagged: Sequence[tuple[int, str, int]],
    ) -> None:
        tx = self.tx
        tx.many(
            "INSERT INTO message (id, sender_id, channel_id, topic_id, conversation_id, content,"
            " rendered, plain, timestamp, client, has_link, has_image, has_attachment)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        tx.many("INSERT INTO message_text (rowid, topic, plain) VALUES (?, ?, ?)", index_rows)
        tx.run("UPDATE search_index_progress SET indexed = (SELECT max(id) FROM message)")
        tx.many("INSERT INTO unread (user_id, message_id) VALUES (?, ?)", unread)
        tx.many("INSERT INTO flag (user_id, flag, message_id) VALUES (?, ?, ?)", flagged)
        people = list(islice(cycle(self.people[1:12]), len(rows) // 50))
        tx.many(
            "INSERT INTO reaction (message_id, user_id, reaction_type, emoji_code, emoji_name)"
            " VALUES (?, ?, 'unicode_emoji', '1f44d', '+1')",
            [(rows[at * 50][0], user) for at, user in enumerate(people)],
        )

    def _newest(self, begun: dict[int, int], newest: dict[int, int]) -> None:
        self.tx.many(
            "UPDATE channel SET first_message_id = ? WHERE id = ?",
            [(message, channel) for channel, message in begun.items()],
        )
        self.tx.many(
            "UPDATE topic SET max_id = ? WHERE id = ?",
            [(message, topic) for topic, message in newest.items()],
        )

    def _of_ann(self) -> None:
        """Add Ann's personal data."""
        alert_words.insert(self.tx, self.ann, ["database", "cake"])
        for title, text in (("greeting", "Good morning,"), ("sign", "— Ann")):
            saved_snippets.insert(self.tx, self.ann, title, text, BEGIN)
        settings.store(self.tx, "description", "As large as they get.")

    def _row(self, user_id: UserId) -> users.UserRow:
        row = users.by_id(self.tx, user_id)
        assert row is not None
        return row
