"""Message traffic of channels, counted from the messages themselves. SQL only."""

from collections.abc import Collection
from typing import Final

import orjson

from server_lite.store.connection import Db
from server_lite.store.messages import first_since

WEEK_SECONDS: Final = 7 * 24 * 3600
ENOUGH_SECONDS: Final = WEEK_SECONDS
"""Minimum age of a channel with a traffic figure."""

RECENT_SECONDS: Final = 180 * 24 * 3600
"""A channel created or with a message in this time counts as active."""


def weekly(db: Db, ids: Collection[int], now: float) -> dict[int, int]:
    """Return messages per week, averaged over four weeks; channels without any are left out."""
    since = first_since(db, now - 4 * WEEK_SECONDS)
    if since is None:
        return {}
    counts = db.rows(
        "SELECT value, (SELECT count(*) FROM message WHERE channel_id = value AND id >= ?)"
        " FROM json_each(?)",
        since,
        orjson.dumps(list(ids)).decode(),
    )
    return {channel_id: -(-count // 4) for channel_id, count in counts if count}


def recently_active(db: Db, ids: Collection[int], now: float) -> frozenset[int]:
    """Return IDs of channels with a message in the last 180 days."""
    return frozenset(
        db.column(
            "SELECT value FROM json_each(?) WHERE (SELECT timestamp FROM message"
            " WHERE channel_id = value ORDER BY id DESC LIMIT 1) > ?",
            orjson.dumps(list(ids)).decode(),
            now - RECENT_SECONDS,
        )
    )
