"""Finding the first message since a time, also on servers that cannot go to a date. No Textual."""

from datetime import datetime

from tui.api.features import DATES
from tui.api.model import Anchor, Message, MessageId
from tui.api.routes import messages as routes
from tui.narrow import Narrow
from tui.sync.machine import Sync

AROUND = 25
"""Messages to fetch on each side of an anchor."""


async def first_since(sync: Sync, narrow: Narrow, moment: datetime) -> MessageId | None:
    """Return a narrow's first message not older than `moment`; None if all are. Raises ApiError."""
    if DATES.is_in(sync.store.realm.feature_level):
        return await routes.first_since(
            sync.connection, narrow=narrow.to_api(), moment=moment.isoformat()
        )
    return await _search(sync, narrow, moment.timestamp())


async def _search(sync: Sync, narrow: Narrow, moment: float) -> MessageId | None:
    """Search by halves: IDs grow with time. Each step costs one request, about 15 for a million messages."""
    newest = await _around(sync, narrow, "newest")
    if not newest or newest[-1].timestamp < moment:
        return None
    low, high = 0, newest[-1].id
    """The message has an ID above `low` and up to `high`."""
    seen = newest
    while True:
        older = [each.id for each in seen if each.timestamp < moment]
        newer = [each.id for each in seen if each.timestamp >= moment]
        low, high = max([low, *older]), min([high, *newer])
        if (older and newer) or high - low <= 1:
            return MessageId(high)
        middle = (low + high) // 2
        seen = await _around(sync, narrow, MessageId(middle))
        if not any(low < each.id < high for each in seen):
            return MessageId(high)  # nothing lies between


async def _around(sync: Sync, narrow: Narrow, anchor: Anchor) -> tuple[Message, ...]:
    fetched = await routes.fetch(
        sync.connection,
        narrow=narrow.to_api(),
        anchor=anchor,
        include_anchor=True,
        num_before=AROUND,
        num_after=AROUND,
        apply_markdown=False,
    )
    return fetched.messages
