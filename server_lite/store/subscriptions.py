"""Rows of subscriptions, and of the periods of each user's subscription, in message IDs. SQL only.

A row stays when a user unsubscribes (`active` 0): its color and settings are restored on return.
`membership` contains the periods: messages with `after_id < id <= until_id` (None: still subscribed)
were sent while the user was subscribed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId
from server_lite.store import guest_channels, users
from server_lite.store.connection import Db, Row, placeholders
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True)
class SubscriptionRow:
    """A row of `subscription`; None in a notification setting inherits the user's default."""

    user_id: UserId
    channel_id: ChannelId
    active: bool
    color: str
    is_muted: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    audible_notifications: bool | None
    push_notifications: bool | None
    email_notifications: bool | None
    wildcard_mentions_notify: bool | None


Periods = tuple[tuple[int, int | None], ...]
"""(after_id, until_id) of each period of a user's subscription, ascending."""
_ROWS: Final = Rows(SubscriptionRow, "subscription", keeps=True)
_BUT_USER: Final = _ROWS.columns.removeprefix("subscription.user_id, ")
# The + keeps SQLite from looking up each user in each channel.
_NOBODY_GONE: Final = "+user_id NOT IN (SELECT id FROM user WHERE NOT is_active)"
_NOT_AMONG: Final = "+user_id NOT IN (SELECT value FROM json_each(?))"
PROPERTIES: Final = frozenset(
    (
        "color",
        "is_muted",
        "pin_to_top",
        "desktop_notifications",
        "audible_notifications",
        "push_notifications",
        "email_notifications",
        "wildcard_mentions_notify",
    )
)
"""The columns that a user may change."""


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def get(db: Db, user_id: UserId, channel_id: ChannelId) -> SubscriptionRow | None:
    """Return the user's row for the channel, active or not."""
    return _ROWS.one(
        db,
        "WHERE user_id = ? AND channel_id = ?",
        user_id,
        channel_id,
    )


def of_user(db: Db, user_id: UserId) -> list[SubscriptionRow]:
    """Return all of a user's rows, active or not, by channel ID."""
    return _ROWS.all(db, "WHERE user_id = ? ORDER BY channel_id", user_id)


def of_user_alike(
    db: Db, user_id: UserId
) -> list[tuple[SubscriptionRow, list[tuple[ChannelId, str]]]]:
    """Return a user's rows, one of those that differ in nothing but color, and the channels and colors of all of these.

    Most rows of a user are alike, and a long list of them need not become as many objects.
    """
    alike: dict[Row, tuple[SubscriptionRow, list[tuple[ChannelId, str]]]] = {}
    for row in _ROWS.rows(db, "WHERE user_id = ? ORDER BY channel_id", user_id):
        channel_id, color, others = row[1], row[3], (row[2], *row[4:])
        if others not in alike:
            alike[others] = _ROWS.read(row), []
        alike[others][1].append((channel_id, color))
    return [*alike.values()]


def of_channel_alike(db: Db, channel_id: ChannelId) -> list[tuple[SubscriptionRow, list[UserId]]]:
    """Return active rows of a channel whose users are active: one of those that differ in nothing but the user, with
    the users of all of these.
    """
    rows = db.rows(
        f"SELECT json_group_array(user_id), {_ROWS.columns} FROM subscription"
        f" WHERE channel_id = ? AND active AND {_NOBODY_GONE} GROUP BY {_BUT_USER}",
        channel_id,
    )
    return [(_ROWS.read(row[1:]), orjson.loads(row[0])) for row in rows]


def ever_in_channel(db: Db, channel_id: ChannelId) -> list[SubscriptionRow]:
    """Return the rows of all current and former subscribers, active users or not, by user ID."""
    return _ROWS.all(db, "WHERE channel_id = ? ORDER BY user_id", channel_id)


def is_subscribed(db: Db, user_id: UserId, channel_id: ChannelId) -> bool:
    """Whether the user is subscribed now."""
    return bool(
        db.value(
            "SELECT active FROM subscription WHERE user_id = ? AND channel_id = ?",
            user_id,
            channel_id,
        )
    )


def channel_ids(db: Db, user_id: UserId) -> frozenset[int]:
    """Return the user's subscribed channels, archived ones included."""
    return frozenset(
        db.column("SELECT channel_id FROM subscription WHERE user_id = ? AND active", user_id)
    )


def muted_channel_ids(db: Db, user_id: UserId) -> frozenset[int]:
    """Return the channels that the user muted, subscribed or not."""
    return frozenset(
        db.column("SELECT channel_id FROM subscription WHERE user_id = ? AND is_muted", user_id)
    )


def active_by_channel(db: Db, user_id: UserId) -> dict[ChannelId, bool]:
    """Return the channels that the user is or was subscribed to: True if they are now."""
    rows = db.rows("SELECT channel_id, active FROM subscription WHERE user_id = ?", user_id)
    return {channel_id: bool(active) for channel_id, active in rows}


def subscriber_ids(db: Db, channel_id: ChannelId) -> tuple[UserId, ...]:
    """Return active subscribers of the channel, ascending."""
    return db.cached(_subscriber_ids, channel_id)


def _subscriber_ids(db: Db, channel_id: ChannelId) -> tuple[UserId, ...]:
    ids: list[UserId] = orjson.loads(
        db.value(  # thousands are read faster as an array
            "SELECT json_group_array(user_id) FROM subscription CROSS JOIN user ON user.id = user_id"
            " AND is_active WHERE channel_id = ? AND active",
            channel_id,
        )
    )
    return tuple(sorted(ids))


def subscribers_of(
    db: Db, ids: Collection[int], *, with_deactivated: bool = False
) -> dict[int, list[UserId]]:
    """Return active subscribers of many channels at once, or all; every requested ID is a key."""
    ids_by_channel: dict[int, list[UserId]] = {channel_id: [] for channel_id in ids}
    sorted_ids = sorted(ids)
    for channel_id, user_ids in db.rows(
        "SELECT channel_id, json_group_array(user_id) FROM subscription"
        f" WHERE channel_id IN ({placeholders(sorted_ids)}) AND active"
        f"{'' if with_deactivated else f' AND {_NOBODY_GONE}'} GROUP BY channel_id",
        *sorted_ids,
    ):
        ids_by_channel[channel_id] = sorted(orjson.loads(user_ids))
    return ids_by_channel


def late_subscribers(db: Db, channel_id: ChannelId, first: int, count: int) -> list[UserId]:
    """Return the next subscribers of a channel, from the user `first` on, who joined after its oldest message.

    Of active accounts or not, by ID.
    """
    return db.column(
        "SELECT subscription.user_id FROM subscription CROSS JOIN membership"
        " ON membership.user_id = subscription.user_id AND membership.channel_id = subscription.channel_id"
        " AND membership.until_id IS NULL AND membership.after_id >="
        " (SELECT min(id) FROM message WHERE message.channel_id = ?1)"
        " WHERE subscription.channel_id = ?1 AND active AND subscription.user_id >= ?2"
        " ORDER BY subscription.user_id LIMIT ?3",
        *(channel_id, first, count),
    )


def subscriber_counts(
    db: Db, ids: Collection[int], *, with_deactivated: bool = False
) -> dict[int, int]:
    """Return the number of active subscribers by channel, or of all; channels without any are left out."""
    sorted_ids = sorted(ids)
    return dict(
        db.rows(
            f"SELECT channel_id, count(*) FROM subscription WHERE channel_id IN ({placeholders(sorted_ids)})"
            f" AND active{'' if with_deactivated else f' AND {_NOBODY_GONE}'} GROUP BY channel_id",
            *sorted_ids,
        )
    )


def all_subscriber_counts(db: Db) -> Mapping[int, int]:
    """Return the number of active subscribers of all channels."""
    return db.cached(_counts_without, users.deactivated_ids(db))


def all_subscribers(db: Db) -> Mapping[int, tuple[int, bytes]]:
    """Return the number of active subscribers of each channel, and their IDs as JSON; ascending."""
    return db.cached(_subscribers_without, users.deactivated_ids(db))


def _counts_without(db: Db, gone: frozenset[int]) -> dict[int, int]:
    return dict(
        db.rows(
            f"SELECT channel_id, count(*) FROM subscription WHERE active AND {_NOT_AMONG} GROUP BY channel_id",
            orjson.dumps(sorted(gone)).decode(),
        )
    )


def _subscribers_without(db: Db, gone: frozenset[int]) -> dict[int, tuple[int, bytes]]:
    return {
        channel_id: (count, ids.encode())
        for channel_id, count, ids in db.rows(
            "SELECT channel_id, count(*), json_group_array(user_id ORDER BY user_id)"
            f" FROM subscription WHERE active AND {_NOT_AMONG} GROUP BY channel_id",
            orjson.dumps(sorted(gone)).decode(),
        )
    }


def active_among(
    db: Db, user_ids: Collection[UserId], channel_ids: Collection[ChannelId]
) -> frozenset[tuple[UserId, ChannelId]]:
    """Return which of these users are subscribed to which of these channels."""
    rows = db.rows(
        "SELECT user_id, channel_id FROM json_each(?) AS person CROSS JOIN json_each(?) AS wanted"
        " CROSS JOIN subscription ON user_id = person.value AND channel_id = wanted.value WHERE active",
        *map(_json, (user_ids, channel_ids)),
    )
    return frozenset((user_id, channel_id) for user_id, channel_id in rows)


class Colors(NamedTuple):
    """Colors of a user's channels."""

    used: list[str]
    """Those of active subscriptions."""
    former: dict[ChannelId, str]
    """Those that ended subscriptions have again when they start."""


def colors(db: Db, user_ids: Collection[UserId]) -> dict[UserId, Colors]:
    """Return the colors of the channels of each of these users."""
    by_user: dict[UserId, Colors] = {user_id: Colors([], {}) for user_id in user_ids}
    for user_id, used, former in db.rows(
        "SELECT user_id, json_group_array(color) FILTER (WHERE active),"
        " json_group_array(json_array(channel_id, color)) FILTER (WHERE NOT active) FROM subscription"
        " WHERE user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id",
        _json(user_ids),
    ):
        by_user[user_id] = Colors(orjson.loads(used), dict(orjson.loads(former)))
    return by_user


def start(
    db: Db, colors: Mapping[tuple[UserId, ChannelId], str], *, newest: int
) -> list[SubscriptionRow]:
    """Subscribe users to channels, who are not; an old row is reactivated, with its own color. Returns the rows.

    `newest` is the highest message ID so far.
    """
    pairs = sorted(colors)
    before = db.generations("subscription")
    rows = db.rows(
        "INSERT INTO subscription (user_id, channel_id, color)"
        " SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE TRUE"
        f" ON CONFLICT (user_id, channel_id) DO UPDATE SET active = 1 RETURNING {_ROWS.columns}",
        orjson.dumps([(*pair, colors[pair]) for pair in pairs]).decode(),
    )
    guest_channels.note_subscriptions(db, before, _by_user(pairs), active=True)
    # Subscribed again before any new message: continue the period, so that none is empty or doubled.
    db.many(
        "UPDATE membership SET until_id = NULL WHERE user_id = ? AND channel_id = ?"
        " AND until_id >= ?",
        [(*pair, newest) for pair in pairs],
    )
    db.many(
        "INSERT INTO membership (user_id, channel_id, after_id) SELECT ?1, ?2, ?3 WHERE NOT EXISTS"
        " (SELECT 1 FROM membership WHERE user_id = ?1 AND channel_id = ?2 AND until_id IS NULL)",
        [(*pair, newest) for pair in pairs],
    )
    return [_ROWS.read(row) for row in rows]


def _by_user(pairs: Iterable[tuple[UserId, ChannelId]]) -> dict[UserId, list[ChannelId]]:
    channels_by_user: defaultdict[UserId, list[ChannelId]] = defaultdict(list)
    for user_id, channel_id in pairs:
        channels_by_user[user_id].append(channel_id)
    return channels_by_user


def _json(ids: Iterable[int]) -> str:
    return orjson.dumps(sorted(ids)).decode()


def start_first(db: Db, user_id: UserId, colors: Mapping[ChannelId, str], *, newest: int) -> None:
    """Subscribe a user who never was in any of these channels; `newest` as for `start`."""
    before = db.generations("subscription")
    db.many(
        "INSERT INTO subscription (user_id, channel_id, color) VALUES (?, ?, ?)",
        [(user_id, channel_id, color) for channel_id, color in colors.items()],
    )
    guest_channels.note_subscriptions(db, before, {user_id: colors.keys()}, active=True)
    db.many(
        "INSERT INTO membership (user_id, channel_id, after_id) VALUES (?, ?, ?)",
        [(user_id, channel_id, newest) for channel_id in colors],
    )


def end(db: Db, pairs: Collection[tuple[UserId, ChannelId]], *, newest: int) -> None:
    """Unsubscribe users from channels, keeping the rows."""
    before = db.generations("subscription")
    db.many(
        "UPDATE subscription SET active = 0 WHERE user_id = ? AND channel_id = ?", sorted(pairs)
    )
    guest_channels.note_subscriptions(db, before, _by_user(pairs), active=False)
    db.many(
        "UPDATE membership SET until_id = max(?, after_id)"
        " WHERE user_id = ? AND channel_id = ? AND until_id IS NULL",
        [(newest, *pair) for pair in sorted(pairs)],
    )


def set_property(
    db: Db, user_id: UserId, channel_id: ChannelId, column: str, value: str | bool | None
) -> None:
    """Change one of `PROPERTIES`."""
    assert column in PROPERTIES
    before = db.generations("subscription")
    db.run(
        f"UPDATE subscription SET {column} = ? WHERE user_id = ? AND channel_id = ?",
        value,
        user_id,
        channel_id,
    )
    guest_channels.note_subscriptions(db, before, {user_id: [channel_id]}, active=None)


def periods(db: Db, user_id: UserId, channel_id: ChannelId) -> Sequence[tuple[int, int | None]]:
    """Return (after_id, until_id) of each period of the user's subscription, ascending."""
    return [
        (after, until)
        for after, until in db.rows(
            "SELECT after_id, until_id FROM membership WHERE user_id = ? AND channel_id = ?"
            " ORDER BY after_id",
            user_id,
            channel_id,
        )
    ]


def people_by_periods(db: Db, channel_id: ChannelId) -> Mapping[Periods, frozenset[UserId]]:
    """Return all current and former subscribers of a channel, active users or not, by their periods."""
    return db.cached(_people_by_periods, channel_id)


def _people_by_periods(db: Db, channel_id: ChannelId) -> Mapping[Periods, frozenset[UserId]]:
    users_by_period: list[tuple[tuple[int, int | None], list[UserId]]] = [
        ((after, until), orjson.loads(user_ids))
        for after, until, user_ids in db.rows(
            # Only subscriptions, which stay when they end, are indexed by channel.
            "SELECT after_id, until_id, json_group_array(membership.user_id)"
            " FROM subscription CROSS JOIN membership"
            " ON membership.user_id = subscription.user_id AND membership.channel_id = subscription.channel_id"
            " WHERE subscription.channel_id = ? GROUP BY after_id, until_id",
            channel_id,
        )
    ]
    periods_by_user: defaultdict[UserId, list[tuple[int, int | None]]] = defaultdict(list)
    met, again = set[UserId](), set[UserId]()
    for _, user_ids in users_by_period:
        again |= met.intersection(user_ids)
        met.update(user_ids)
    people: defaultdict[Periods, set[UserId]] = defaultdict(set)
    for period, user_ids in users_by_period:  # ascending
        people[(period,)] |= set(user_ids) - again
        for user_id in again.intersection(user_ids):
            periods_by_user[user_id].append(period)
    for user_id, theirs in periods_by_user.items():
        people[tuple(theirs)].add(user_id)
    return {theirs: frozenset(alike) for theirs, alike in people.items() if alike}


def outside(db: Db, user_id: UserId, messages: Iterable[tuple[int, ChannelId | None]]) -> list[int]:
    """Return which of these messages, given with their channels, were sent while the user was not subscribed."""
    periods_by_channel: dict[int, list[tuple[int, float]]] = {}
    for channel_id, after, until in db.rows(
        "SELECT channel_id, after_id, ifnull(until_id, 9e18) FROM membership WHERE user_id = ?",
        user_id,
    ):
        periods_by_channel.setdefault(channel_id, []).append((after, until))
    never: list[tuple[int, float]] = []
    ids: list[int] = []
    for message_id, channel_id in messages:
        if channel_id is None:
            continue
        for after, until in periods_by_channel.get(channel_id, never):
            if after < message_id <= until:
                break
        else:
            ids.append(message_id)
    return ids
