"""Windows: the known messages of a narrow, as stretches without gaps. No I/O.

A narrow's messages in the order of their IDs are a line, and a window knows parts of it. An `Interval`
claims: of all IDs from `low` to `high`, exactly `ids` are messages of the narrow. A jump into the past makes
a second stretch; stretches that meet become one. An ID outside of all stretches is not known, so a new
message there is left out until it is fetched.
"""

import bisect
from collections.abc import Iterable
from dataclasses import field

from tui.api.model import MessageId
from tui.dataclass import dataclass

OLDEST = 0
NEWEST = 2**62
"""Beyond every ID: a stretch that ends here gets new messages."""


@dataclass(slots=True)
class Interval:
    """A part of a narrow without gaps; `ids` ascend."""

    low: int
    high: int
    ids: list[MessageId]

    @property
    def found_oldest(self) -> bool:
        """Whether no message is older."""
        return self.low <= OLDEST

    @property
    def found_newest(self) -> bool:
        """Whether no message is newer, so that new ones are appended."""
        return self.high >= NEWEST

    def __contains__(self, message_id: MessageId) -> bool:
        index = bisect.bisect_left(self.ids, message_id)
        return index < len(self.ids) and self.ids[index] == message_id


@dataclass(slots=True)
class Window:
    """The known messages of a narrow. `undecided`: only the server can say whether they belong."""

    stretches: list[Interval] = field(default_factory=list)
    undecided: set[MessageId] = field(default_factory=set)

    def at(self, message_id: int | None) -> Interval | None:
        """Return the stretch that covers an ID, None for the end; None if there is none."""
        target = NEWEST if message_id is None else message_id
        for stretch in self.stretches:  # each message that comes is looked for in all windows
            if stretch.low <= target <= stretch.high:
                return stretch
        return None

    def __contains__(self, message_id: MessageId) -> bool:
        stretch = self.at(message_id)
        return stretch is not None and message_id in stretch

    def ids(self) -> Iterable[MessageId]:
        """Yield the known messages, oldest first; gaps are not marked."""
        for stretch in self.stretches:
            yield from stretch.ids

    def cover(self, low: int, high: int, ids: Iterable[MessageId]) -> None:
        """Claim that `ids` are all messages between `low` and `high` (both included)."""
        apart = [s for s in self.stretches if s.high < low - 1 or s.low > high + 1]
        met = [s for s in self.stretches if not (s.high < low - 1 or s.low > high + 1)]
        covered_ids = set(ids).union(*(s.ids for s in met))
        joined = Interval(
            min([low, *(s.low for s in met)]),
            max([high, *(s.high for s in met)]),
            sorted(covered_ids),
        )
        self.stretches = sorted([*apart, joined], key=lambda stretch: stretch.low)

    def shorten(self, near: int | None, most: int) -> frozenset[MessageId]:
        """Keep at most `most` messages of a stretch, those nearest to an ID; return the others.

        None is the end. The rest claims less: it begins and ends with a message of its own.
        """
        stretch = self.at(near)
        if stretch is None or len(stretch.ids) <= most:
            return frozenset()
        middle = len(stretch.ids) if near is None else bisect.bisect_left(stretch.ids, near)
        first = max(0, min(middle - most // 2, len(stretch.ids) - most))
        kept = stretch.ids[first : first + most]
        gone = frozenset(stretch.ids).difference(kept)
        if first > 0:
            stretch.low = kept[0]
        if first + most < len(stretch.ids):
            stretch.high = kept[-1]
        stretch.ids = kept
        return gone

    def keep_end(self, most: int) -> None:
        """Keep the newest stretch, at most `most` messages at its end."""
        self.stretches = self.stretches[-1:]
        if self.stretches:
            self.shorten(self.stretches[0].high, most)

    def place(self, message_id: MessageId, *, inside: bool) -> bool:
        """Insert or remove a message; False if nothing changed or the ID is not covered."""
        self.undecided.discard(message_id)
        stretch = self.at(message_id)
        if stretch is None or inside == (message_id in stretch):
            return False
        if inside:
            bisect.insort(stretch.ids, message_id)
        else:
            stretch.ids.remove(message_id)
        return True
