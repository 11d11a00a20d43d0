"""Message traffic of channels, counted from the messages themselves. SQL only."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final

import orjson

from server_lite.store.connection import Db
from server_lite.store.messages import first_since

HOUR_SECONDS: Final = 3600
WEEK_SECONDS: Final = 7 * 24 * 3600
ENOUGH_SECONDS: Final = WEEK_SECONDS
"""Minimum age of a channel with a traffic figure."""

RECENT_SECONDS: Final = 180 * 24 * 3600
"""A channel created or with a message in this time counts as active."""


def weekly(db: Db, ids: Collection[int], now: float) -> dict[int, int]:
    """Return messages per week, averaged over four weeks; 0 without any. Up to an hour old.

    Counting all messages of four weeks for every client that starts would cost more the busier the organization is.
    """
    by_hour = db.memo(weekly, "channel")
    hour = int(now // HOUR_SECONDS)
    known = by_hour.get(hour)
    if known is None:
        by_hour.clear()
        known = by_hour[hour] = {}
    unknown = [channel_id for channel_id in ids if channel_id not in known]
    if unknown:
        known.update(_counted(db, unknown, now))
    return known


def _counted(db: Db, ids: Collection[int], now: float) -> dict[int, int]:
    since = first_since(db, now - 4 * WEEK_SECONDS)
    if since is None:
        return dict.fromkeys(ids, 0)
    counts = db.rows(
        "SELECT value, (SELECT count(*) FROM message WHERE channel_id = value AND id >= ?)"
        " FROM json_each(?)",
        since,
        orjson.dumps(list(ids)).decode(),
    )
    return {channel_id: -(-count // 4) for channel_id, count in counts}


def recently_active(db: Db, ids: Collection[int], now: float) -> AbstractSet[int]:
    """Return channels with a message in the last 180 days, and perhaps others than those asked for.

    A channel that had one stays among them for up to an hour if its messages are deleted: looking at the newest
    message of each channel for every client that starts would read two pages each.
    """
    by_hour = db.memo(recently_active, "channel")
    hour = int(now // HOUR_SECONDS)
    active = by_hour.get(hour)
    if active is None:
        by_hour.clear()
        active = by_hour[hour] = set()
    unknown = [channel_id for channel_id in ids if channel_id not in active]
    if unknown:
        active |= _with_message_since(db, unknown, now - RECENT_SECONDS)
    return active


def _with_message_since(db: Db, ids: Collection[int], since: float) -> set[int]:
    return set(
        db.column(
            "SELECT value FROM json_each(?) WHERE (SELECT timestamp FROM message"
            " WHERE channel_id = value ORDER BY id DESC LIMIT 1) > ?",
            orjson.dumps(list(ids)).decode(),
            since,
        )
    )
