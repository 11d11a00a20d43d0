"""Rows of topics: one per channel and name, ignoring case. SQL only.

`max_id` is the newest message; a topic without messages keeps its row, with 0, and is not listed.
"""

from collections.abc import Collection, Hashable, Sequence
from typing import Final, NamedTuple

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, MessageId, TopicId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A row of `topic`; an empty name is the empty topic."""

    id: TopicId
    channel_id: ChannelId
    name: str
    max_id: int


class KnownTopic(NamedTuple):
    """What stays the same with each new message of a topic."""

    id: TopicId
    name: str
    is_empty: bool


KNOWN: Final = 1_000
"""Limit of topics that are kept for their next message."""
KNOWN_NAMES: Final = 10_000
"""Limit of topics whose names are kept."""
TopicName = tuple[ChannelId, str, TopicId]
"""A topic's channel, name and ID."""
_FEW: Final = 8
"""How many times as many names are kept as are wanted, from which on these are sorted rather than found in order."""
_ROWS: Final = Rows(TopicRow, "topic")


class _KnownNames:
    """Names of topics, by ID and in order."""

    __slots__ = ("by_id", "sorted")

    def __init__(self) -> None:
        self.by_id: dict[int, TopicName] = {}
        self.sorted: list[TopicName] = []
        """All of `by_id`, if there are as many."""


def name_key(name: str) -> str:
    """Return the key that is equal for two spellings of the same topic."""
    return name.casefold()


def by_id(db: Db, topic_id: TopicId) -> TopicRow | None:
    """Return the topic with this ID."""
    return _ROWS.one(db, "WHERE id = ?", topic_id)


def by_name(db: Db, channel_id: ChannelId, name: str) -> TopicRow | None:
    """Return the topic with this name, ignoring case."""
    return _ROWS.one(db, "WHERE channel_id = ? AND name_key = ?", channel_id, name_key(name))


def names(db: Db, ids: Collection[int]) -> list[TopicName]:
    """Return the topics with these IDs, sorted. Kept until a topic changes: many users have unread messages in the same."""
    memo: dict[Hashable, _KnownNames] = db.memo(_KnownNames, "topic")
    kept = memo.setdefault("names", _KnownNames())
    wanted = frozenset(ids)
    unknown = wanted.difference(kept.by_id)
    read = _names(db, unknown) if unknown else {}
    if len(kept.by_id) + len(read) > KNOWN_NAMES:
        known = [kept.by_id[topic_id] for topic_id in wanted.difference(unknown)]
        return sorted([*known, *read.values()])
    kept.by_id.update(read)
    if len(wanted) * _FEW < len(kept.by_id):
        return sorted([kept.by_id[topic_id] for topic_id in wanted])
    in_order = kept.sorted
    if len(in_order) < len(kept.by_id):
        # The local one is complete: another thread may store a shorter one now.
        in_order = kept.sorted = sorted(kept.by_id.values())
    return [topic for topic in in_order if topic[2] in wanted]


def _names(db: Db, ids: Collection[int]) -> dict[int, TopicName]:
    # Three arrays as texts: rows of many topics would take twice as long.
    row = db.row(
        "SELECT json_group_array(topic.channel_id), json_group_array(topic.name),"
        " json_group_array(topic.id) FROM json_each(?) CROSS JOIN topic ON topic.id = value",
        orjson.dumps(sorted(ids)).decode(),  # in the order of their pages
    )
    assert row is not None
    return {topic[2]: topic for topic in zip(*map(orjson.loads, row), strict=True)}


def get_or_create(db: Db, channel_id: ChannelId, name: str) -> KnownTopic:
    """Return the topic with this name; a topic without messages adopts the new spelling."""
    known = db.memo(_get_or_create, "topic")
    place = (channel_id, name_key(name))
    topic = known.get(place)
    if topic is None:
        topic = _get_or_create(db, channel_id, name)
        if not topic.is_empty:
            if len(known) >= KNOWN:
                known.clear()
            known[place] = topic
    return topic


def _get_or_create(db: Db, channel_id: ChannelId, name: str) -> KnownTopic:
    topic = by_name(db, channel_id, name)
    if topic is None:
        topic_id = db.insert(
            "INSERT INTO topic (channel_id, name, name_key, max_id) VALUES (?, ?, ?, 0)",
            channel_id,
            name,
            name_key(name),
        )
        return KnownTopic(TopicId(topic_id), name, is_empty=True)
    if topic.max_id == 0 and topic.name != name:
        rename(db, topic.id, name)
        return KnownTopic(topic.id, name, is_empty=True)
    return KnownTopic(topic.id, topic.name, topic.max_id == 0)


def rename(db: Db, topic_id: TopicId, name: str) -> None:
    """Change the name; the caller made sure that no other topic of the channel has it."""
    db.run("UPDATE topic SET name = ?, name_key = ? WHERE id = ?", name, name_key(name), topic_id)


def raise_max_id(
    db: Db, topic_id: TopicId, message_id: MessageId, *, was_empty: bool = True
) -> None:
    """Store the topic's newest message. `was_empty`: it may be the first one."""
    run = db.run if was_empty else db.run_unnoticed  # of a topic is kept that it has messages
    run("UPDATE topic SET max_id = max(max_id, ?) WHERE id = ?", message_id, topic_id)


def recount(db: Db, topic_id: TopicId) -> int:
    """Recompute the topic's newest message after messages left; returns its ID, 0 if none is left."""
    newest: int = db.value("SELECT coalesce(max(id), 0) FROM message WHERE topic_id = ?", topic_id)
    db.run("UPDATE topic SET max_id = ? WHERE id = ?", newest, topic_id)
    return newest


def of_channel(db: Db, channel_id: ChannelId) -> list[TopicRow]:
    """Return the topics with messages, most recent first."""
    return _ROWS.all(db, "WHERE channel_id = ? AND max_id > 0 ORDER BY max_id DESC", channel_id)


def within(
    db: Db, channel_id: ChannelId, periods: Sequence[tuple[int, int | None]]
) -> list[TopicRow]:
    """Return the topics with messages in these periods (after_id, until_id), most recent first."""
    newest: dict[int, TopicRow] = {}
    for after, until in periods:
        for row in db.rows(
            "SELECT topic.id, topic.channel_id, topic.name, max(message.id) FROM message"
            " JOIN topic ON topic.id = message.topic_id"
            " WHERE message.channel_id = ? AND message.id > ? AND (? IS NULL OR message.id <= ?)"
            " GROUP BY topic.id",
            channel_id,
            after,
            until,
            until,
        ):
            topic_row = TopicRow(*row)
            newest_known = newest.get(topic_row.id)
            if newest_known is None or newest_known.max_id < topic_row.max_id:
                newest[topic_row.id] = topic_row
    return sorted(newest.values(), key=lambda topic: -topic.max_id)
