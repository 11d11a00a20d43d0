"""Generates a hard organization in a file of messages: thousands of users, nested groups, long lists.

Rows are written directly to the store, deterministically and without a clock. Measures nothing.
"""

import random
from collections.abc import Sequence
from typing import Final

from server_lite.actions.channels import NewChannel, create_channel
from server_lite.ids import UserId
from server_lite.store import conversations, keys, user_groups, users
from server_lite.store.database import Tx
from server_lite.store.users import Role

EVERYBODY: Final = "everybody"
"""The channel with all users."""
LEAVING: Final = "leaving"
"""A topic in it."""
CLOSED: Final = "closed"
"""A private channel with a tenth of all users, with a history that they all may read."""
OPENING: Final = "opening"
"""A group whose members may subscribe to a private channel."""
FOR_ALL: Final = {
    "called long ago": 150,
    "unread, to a public channel": 60,
    "unread, to a private channel": 60,
    "called, to a private channel": 30,
    "unread, to be deleted": 60,
    "called, to be deleted": 2,
    "called, to be edited": 2,
    "followed, to be renamed": 2,
    "followed, to be resolved": 2,
}
"""Topics in the channel with all users, with their number of messages: each is unread, followed, or calls, all of them."""
GROUPS: Final = 300
"""Each contains the previous one."""
QUIET: Final = 4_700
"""Users subscribed only to that channel, who have sent nothing."""
MORE_CHANNELS: Final = 480
"""Channels with a tenth of all users."""
PROFILE_FIELDS: Final = 100
"""Filled in by everybody."""
TOPICS: Final = 20_000
DIRECT: Final = 50_000
MARKED: Final = 20_000
"""Number of the owner's starred messages, messages with reactions, and files."""
TEXT: Final = "lorem ipsum dolor " * 550
NEW: Final = (
    "INSERT INTO message (id, sender_id, channel_id, topic_id, conversation_id, content, rendered, plain,"
    " timestamp, client, has_link, has_image, has_attachment)"
    " VALUES (?, ?, ?, ?, ?, 'x', '<p>x</p>', 'x', ?, 'benchmark', 0, 0, 0)"
)


def key_of(name: str) -> str:
    """Return the API key of a user of this file, by the local part of the address."""
    return name.rjust(32, "k")


def add_everything(tx: Tx, talkers: Sequence[UserId]) -> None:
    """Fill the file; the first of `talkers` owns the organization, and most of what is added."""
    rnd = random.Random(11)
    owner = talkers[0]
    everyone = [*talkers, *_quiet(tx)]
    _together(tx, everyone)
    _groups(tx, owner, everyone, rnd)
    _topics(tx, talkers, rnd)
    _direct(tx, talkers, rnd)
    _marks(tx, talkers, everyone, rnd)
    _lists(tx, owner)
    _more_channels(tx, everyone[::10])
    _profiles(tx, everyone)
    _leaving(tx, owner)
    _for_all(tx, owner, everyone)
    for number in range(10):
        keys.insert(tx, talkers[number], key_of(f"p{number}"), "benchmark", tx.now)


def _quiet(tx: Tx) -> list[UserId]:
    made = [
        users.insert(
            tx,
            email=f"q{number}@example.com",
            full_name=f"Quiet {number}",
            role=Role.MEMBER if number % 20 else Role.GUEST,
            now=tx.now,
            password=None,
        )
        for number in range(QUIET)
    ]
    for number in range(10):
        keys.insert(tx, made[number], key_of(f"q{number}"), "benchmark", tx.now)
    return made


def _together(tx: Tx, everyone: Sequence[UserId]) -> None:
    channel = create_channel(tx, None, name=EVERYBODY)
    there = [(user_id, channel.id) for user_id in everyone]
    tx.many("INSERT INTO subscription (user_id, channel_id, color) VALUES (?, ?, '#aabbcc')", there)
    tx.many("INSERT INTO membership (user_id, channel_id, after_id) VALUES (?, ?, 0)", there)
    tx.run(
        "INSERT INTO presence (user_id, last_active, last_connected, update_id)"
        " SELECT id, ?1 - id, ?1 - id, id FROM user WHERE bot_type IS NULL",
        tx.now,
    )
    tx.many(
        "INSERT INTO alert_word (user_id, word, word_key) VALUES (?, ?, ?)",
        [(one, word, word) for one in everyone for word in (f"alert{one}", "tea")],
    )


def _groups(tx: Tx, owner: UserId, everyone: list[UserId], rnd: random.Random) -> None:
    inner: list[int] = []
    for number in range(GROUPS):
        group_id = user_groups.insert(
            tx,
            name=f"group {number}",
            description="",
            creator_id=owner,
            now=tx.now,
            group_settings={},
        )
        user_groups.add_members(tx, group_id, rnd.sample(everyone, 500))
        user_groups.add_subgroups(tx, group_id, inner)
        inner = [group_id]


def _more_channels(tx: Tx, people: Sequence[UserId]) -> None:
    for number in range(MORE_CHANNELS):
        channel = create_channel(tx, None, name=f"more {number}")
        there = [(user_id, channel.id) for user_id in people]
        tx.many(
            "INSERT INTO subscription (user_id, channel_id, color) VALUES (?, ?, '#aabbcc')", there
        )
        tx.many("INSERT INTO membership (user_id, channel_id, after_id) VALUES (?, ?, 0)", there)


def _profiles(tx: Tx, people: Sequence[UserId]) -> None:
    for number in range(PROFILE_FIELDS):
        tx.run(
            "INSERT INTO profile_field (type, position, name) VALUES (1, ?1, 'field ' || ?1)",
            number,
        )
        field_id = tx.value("SELECT max(id) FROM profile_field")
        new = "INSERT INTO profile_value (user_id, field_id, value) VALUES (?, ?, 'hello')"
        tx.many(new, [(user_id, field_id) for user_id in people])


def _leaving(tx: Tx, owner: UserId) -> None:
    """A topic of 300 messages in the channel with all users, to be moved."""
    channel_id = tx.value("SELECT id FROM channel WHERE name = ?", EVERYBODY)
    first = _next_id(tx)
    tx.run(
        "INSERT INTO topic (channel_id, name, name_key, max_id) VALUES (?1, ?2, ?2, ?3)",
        channel_id,
        LEAVING,
        first + 299,
    )
    topic: int = tx.value("SELECT max(id) FROM topic")
    tx.many(NEW, [(first + n, owner, channel_id, topic, None, tx.now - n) for n in range(300)])


def _for_all(tx: Tx, owner: UserId, everyone: Sequence[UserId]) -> None:
    """Add topics that concern everybody: many of their rows lie on pages of each person."""
    channel_id = tx.value("SELECT id FROM channel WHERE name = ?", EVERYBODY)
    for name, count in FOR_ALL.items():
        first = _next_id(tx)
        tx.run(
            "INSERT INTO topic (channel_id, name, name_key, max_id) VALUES (?1, ?2, ?2, ?3)",
            channel_id,
            name,
            first + count - 1,
        )
        topic: int = tx.value("SELECT max(id) FROM topic")
        ids = range(first, first + count)
        tx.many(NEW, [(one, owner, channel_id, topic, None, tx.now) for one in ids])
        pairs = [(user_id, one) for one in ids for user_id in everyone]
        if name.startswith("unread"):
            tx.many("INSERT INTO unread (user_id, message_id) VALUES (?, ?)", pairs)
        for flag in ("stream_wildcard_mentioned", "has_alert_word"):
            if name.startswith("called"):
                new = f"INSERT INTO flag (user_id, flag, message_id) VALUES (?, '{flag}', ?)"
                tx.many(new, pairs)
        if name.startswith("followed"):
            tx.many(
                "INSERT INTO user_topic VALUES (?1, ?2, ?3, ?3, ?4, 0)",
                [(one, channel_id, name, 3 - 2 * (one % 2)) for one in everyone],
            )
    whole = NewChannel(invite_only=True, history_public_to_subscribers=True)
    closed = create_channel(tx, None, name=CLOSED, options=whole)
    there = [(user_id, closed.id) for user_id in [owner, *everyone[::10]]]
    tx.many(
        "INSERT OR IGNORE INTO subscription (user_id, channel_id, color) VALUES (?, ?, '')", there
    )
    tx.many(
        "INSERT OR IGNORE INTO membership (user_id, channel_id, after_id) VALUES (?, ?, 0)", there
    )
    group_id = user_groups.insert(
        tx, name=OPENING, description="", creator_id=owner, now=tx.now, group_settings={}
    )
    opened = NewChannel(invite_only=True, group_settings={"can_subscribe_group": group_id})
    create_channel(tx, None, name="opened by a group", options=opened)


def _next_id(tx: Tx) -> int:
    newest: int = tx.value("SELECT max(id) FROM message")
    return newest + 1


def _topics(tx: Tx, talkers: Sequence[UserId], rnd: random.Random) -> None:
    first = _next_id(tx)
    tx.many(
        "INSERT INTO topic (channel_id, name, name_key, max_id) VALUES (5, ?1, ?1, ?2)",
        [(f"many {number}", first + number) for number in range(TOPICS)],
    )
    topic: int = tx.value("SELECT id FROM topic WHERE name = 'many 0'")
    tx.many(
        NEW,
        [
            (first + n, rnd.choice(talkers), 5, topic + n, None, tx.now - 2e5 + n)
            for n in range(TOPICS)
        ],
    )
    tx.many(
        "INSERT INTO user_topic VALUES (?1, 5, ?2, ?2, 1, 0)",
        [(talkers[0], f"many {number}") for number in range(0, TOPICS, 4)],
    )


def _direct(tx: Tx, talkers: Sequence[UserId], rnd: random.Random) -> None:
    pairs = [conversations.ensure(tx, [talkers[0], other]).id for other in talkers[1:]]
    first = _next_id(tx)
    tx.many(
        NEW,
        [
            (first + n, talkers[0], None, None, rnd.choice(pairs), tx.now - 1e5 + n)
            for n in range(DIRECT)
        ],
    )
    tx.run(
        "UPDATE conversation SET max_id"
        " = ifnull((SELECT max(id) FROM message WHERE conversation_id = conversation.id), 0)"
    )


def _marks(
    tx: Tx, talkers: Sequence[UserId], everyone: Sequence[UserId], rnd: random.Random
) -> None:
    newest = _next_id(tx) - DIRECT - TOPICS - 1
    ids = rnd.sample(range(10, newest), min(MARKED, newest // 2))
    tx.many(
        "INSERT INTO flag (user_id, flag, message_id) VALUES (?, 'starred', ?)",
        [(talkers[0], one) for one in ids],
    )
    new = (
        "INSERT INTO reaction (message_id, user_id, reaction_type, emoji_code, emoji_name)"
        " VALUES (?, ?, 'unicode_emoji', ?, ?)"
    )
    tx.many(new, [(one, rnd.choice(talkers), "1f44d", "+1") for one in ids])
    tx.many(new, [(3, one, code, code) for one in everyone for code in ("1f600", "1f601")])
    tx.many(
        "INSERT OR IGNORE INTO unread (user_id, message_id) VALUES (?, ?)",
        [(one, newest - number) for one in talkers[1:] for number in range(1_000)],
    )
    tx.run(
        "INSERT OR IGNORE INTO unread (user_id, message_id)"
        " SELECT ?, id FROM message WHERE sender_id = ? LIMIT 50000",
        talkers[1],
        talkers[0],
    )


def _lists(tx: Tx, owner: UserId) -> None:
    tx.many(
        "INSERT INTO upload (user_id, name, path_id, content_type, size, created, is_complete)"
        " VALUES (?, 'x.txt', ?, 'text/plain', 5, ?, 1)",
        [(owner, f"1/ab/{number}/x.txt", tx.now) for number in range(MARKED)],
    )
    tx.run("INSERT INTO upload_link (upload_id, message_id) SELECT id, id FROM upload")
    for table, rest in (
        ("draft (user_id, content, type, recipient, topic, timestamp)", "'stream', '[1]', 't', 0"),
        ("saved_snippet (user_id, content, title, date_created)", "'t', 0"),
    ):
        tx.many(f"INSERT INTO {table} VALUES (?, ?, {rest})", [(owner, TEXT)] * 1_000)
    tx.many(
        "INSERT INTO scheduled_message (user_id, channel_id, people, topic, content, rendered, due, client)"
        " VALUES (?1, 1, '[]', 't', ?2, ?2, 4102444800, 'benchmark')",
        [(owner, TEXT)] * 999,
    )
