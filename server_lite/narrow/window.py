"""The part of a narrow around an anchor: its messages, and whether an end was reached. Reads only."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, zip_longest
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.errors import ApiError, MissingParameter
from server_lite.narrow.query import UNREAD, Query, query
from server_lite.narrow.terms import Term
from server_lite.store import messages
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

NEWEST: Final = 10_000_000_000_000_000
"""The anchor after all messages, as clients know it."""
MAX_MESSAGES: Final = 5000
MAX_BYTES: Final = 16 * 2**20
"""Bytes of text in one answer: each is in memory several times, until its client has read it."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,100}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """IDs ascending; `found_oldest` and `found_newest` say whether there are no messages beyond."""

    anchor: int
    ids: list[int]
    found_anchor: bool
    found_oldest: bool
    found_newest: bool


def anchor_of(
    db: Db, user: UserRow, narrow: Sequence[Term], search: Query, anchor: str, date: str | None
) -> int:
    """Return the message ID that an anchor stands for; 0 and `NEWEST` are the ends."""
    if anchor == "newest":
        return NEWEST
    if anchor == "oldest":
        return 0
    if anchor == "first_unread":
        unread = query(db, user, [*narrow, UNREAD]).ids(db, limit=1)
        return unread[0] if unread else NEWEST
    if anchor == "date":
        if date is None:
            raise MissingParameter("anchor_date")
        first = messages.first_since(db, moment(date))
        message_ids = [] if first is None else search.ids(db, above=first - 1, limit=1)
        return message_ids[0] if message_ids else NEWEST
    if not _NUMBER.fullmatch(anchor):
        raise ApiError("Invalid anchor")
    return max(0, min(int(anchor), NEWEST))


def moment(date: str) -> float:
    """Return UNIX seconds of an ISO 8601 date or time; UTC by default."""
    try:
        parsed = datetime.fromisoformat(date)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise ApiError("Invalid anchor_date") from error


def window(
    db: Db, search: Query, anchor: int, *, before: int, after: int, include_anchor: bool = True
) -> Window:
    """Return at most `before` messages below the anchor, the anchor itself, at most `after` above it."""
    # Each query may be a full-text search, so that empty ranges are not queried.
    below = search.ids(db, below=anchor + 1, limit=before + 2, newest=True) if anchor > 0 else []
    at = [anchor] if include_anchor and below[:1] == [anchor] else []
    older = [message_id for message_id in below if message_id != anchor]
    newer = search.ids(db, above=anchor, limit=after + 1) if anchor < NEWEST else []
    return Window(
        anchor=anchor,
        ids=[*older[:before][::-1], *at, *newer[:after]],
        found_anchor=bool(at),
        found_oldest=len(older) <= before,
        found_newest=len(newer) <= after,
    )


def nearest(part: Window, sizes: Mapping[int, int], most: int) -> Window:
    """Return the messages nearest to the anchor that have at most `most` bytes together, at least one."""
    older = [message_id for message_id in reversed(part.ids) if message_id < part.anchor]
    newer = [message_id for message_id in part.ids if message_id >= part.anchor]
    ids: list[int] = []
    for message_id in chain.from_iterable(zip_longest(newer, older)):
        if message_id is None:  # of the shorter side
            continue
        most -= sizes.get(message_id, 0)
        if most < 0 and ids:
            break
        ids.append(message_id)
    ids.sort()
    return replace(
        part,
        ids=ids,
        found_oldest=part.found_oldest and ids[:1] == part.ids[:1],
        found_newest=part.found_newest and ids[-1:] == part.ids[-1:],
    )


def check_excluded_anchor(include_anchor: bool, before: int, after: int) -> None:
    """Refuse to exclude an anchor in the middle of the range."""
    if not include_anchor and before > 0 and after > 0:
        raise ApiError("The anchor can only be excluded at an end of the range")


def reduced(before: int, after: int) -> tuple[int, int]:
    """Return the part of the range to process at once: the messages nearest to the anchor."""
    half = MAX_MESSAGES // 2
    if before + after <= MAX_MESSAGES:
        return before, after
    if before <= half:
        return before, MAX_MESSAGES - before
    if after <= half:
        return MAX_MESSAGES - after, after
    return half, half


def check_counts(before: int | None, after: int | None) -> tuple[int, int]:
    """Return the requested counts; refuses negative and too large numbers."""
    if before is None:
        raise MissingParameter("num_before")
    if after is None:
        raise MissingParameter("num_after")
    if before < 0:
        raise ApiError("num_before is too small")
    if after < 0:
        raise ApiError("num_after is too small")
    if before + after > MAX_MESSAGES:
        raise ApiError(f"Too many messages requested (maximum {MAX_MESSAGES}).")
    return before, after
