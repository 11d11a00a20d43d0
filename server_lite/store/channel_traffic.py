"""How much is said in channels, counted from the messages themselves. SQL only."""

from collections.abc import Collection
from typing import Final

from server_lite.store.connection import Db
from server_lite.store.messages import first_since

WEEK_SECONDS: Final = 7 * 24 * 3600
ENOUGH_SECONDS: Final = WEEK_SECONDS
"""A channel younger than this has no traffic figure."""

RECENT_SECONDS: Final = 180 * 24 * 3600
"""A channel with a message in this time, or made in it, counts as active."""


def weekly(db: Db, ids: Collection[int], now: float) -> dict[int, int]:
    """Messages a week, averaged over four; channels with none are left out."""
    since = first_since(db, now - 4 * WEEK_SECONDS)
    if since is None:
        return {}
    counts = {
        channel_id: db.value(
            "SELECT count(*) FROM message WHERE channel_id = ? AND id >= ?", channel_id, since
        )
        for channel_id in ids
    }
    return {channel_id: -(-count // 4) for channel_id, count in counts.items() if count}


def recently_active(db: Db, ids: Collection[int], now: float) -> frozenset[int]:
    """Channels with a message in the last 180 days."""
    return frozenset(
        channel_id
        for channel_id in ids
        if (
            db.value(
                "SELECT timestamp FROM message WHERE channel_id = ? ORDER BY id DESC LIMIT 1",
                channel_id,
            )
            or 0.0
        )
        > now - RECENT_SECONDS
    )
