"""Keeps rows of the sidebar from one change to the next: only what changed is made again. Pure."""

from collections.abc import Hashable, Iterable
from typing import Final

from tui.api.model import ChannelId, Subscription
from tui.narrow import Conversation, DmNarrow, TopicNarrow
from tui.store.changes import Changes, Part
from tui.store.store import Store
from tui.view.sidebar_rows import SidebarRow

PRESENCE_SECONDS: Final = 60.0
"""Seconds after which presence is updated, also without an event."""
_NOT_LISTED: Final[frozenset[Part]] = frozenset({"drafts", "outbox", "starred"})
"""Parts that no row of a channel or of a person depends on."""


def concerns_rows(changes: Changes) -> bool:
    """Whether a change concerns rows in other ways than by unread counts and by the order of topics.

    Of a conversation in a channel its row shows nothing else: it stays as it is when a message comes that is read
    at once.
    """
    is_direct = any(isinstance(place, DmNarrow) for place in changes.conversations)
    others = changes.channels or changes.parts or changes.users or changes.people
    return changes.replaced or is_direct or bool(others)


class SidebarCache:
    """A cache of rows: only what changed according to `forget` is made again."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._parts: dict[Hashable, list[SidebarRow]] = {}
        self._pinned: list[ChannelId] = []
        self._others: list[ChannelId] = []
        self.stale: dict[ChannelId, Subscription] = {}
        """The channels whose rows are to be made again."""
        self._listed: dict[ChannelId, Subscription] | None = None
        self.direct: list[SidebarRow] | None = None
        self.topics: dict[TopicNarrow, SidebarRow] = {}
        """The rows of topics that did not change."""
        self.views: dict[str, SidebarRow] = {}
        """The rows of views as they were made last, by their labels."""
        self._joined: dict[bool, list[SidebarRow]] = {}
        """The rows of the pinned channels (True), and of the others."""
        self._begins: dict[Hashable, tuple[bool, int]] = {}
        """Where those of a channel begin among them."""
        self._looked = 0.0

    def forget(self, changes: Changes, places: Iterable[Conversation]) -> None:
        """Drop rows that a change concerns; `places` are conversations whose counts have changed."""
        if changes.replaced or changes.channels or changes.users or changes.parts - _NOT_LISTED:
            self._of = ()
        if changes.people:
            self.direct = None
        for place in (*changes.conversations, *places):
            if isinstance(place, DmNarrow):
                self.direct = None
            else:
                self._forget_channel(place.channel_id)
                self.topics.pop(place, None)
        if changes.moves:
            self.topics.clear()
        for channel_id in changes.topics:
            self._forget_channel(channel_id)

    def _forget_channel(self, channel_id: ChannelId) -> None:
        if self._listed is not None and channel_id in self._listed:
            self.stale[channel_id] = self._listed[channel_id]

    def begin(self, store: Store, now: float, of: tuple[object, ...]) -> None:
        """List all channels, as stale, if the inputs `of` that all rows depend on have changed."""
        if of != self._of or self._listed is None:
            self._of, self.direct = of, None
            self.topics.clear()
            channels = (each for each in store.channels.subscriptions() if not each.is_archived)
            listed = {each.channel_id: each for each in sorted(channels, key=by_name)}
            self._pinned = [each.channel_id for each in listed.values() if each.pin_to_top]
            self._others = [each.channel_id for each in listed.values() if not each.pin_to_top]
            self._listed, self.stale = listed, dict(listed)
            self._joined.clear()
            self._begins.clear()
        if abs(now - self._looked) >= PRESENCE_SECONDS:
            self._looked, self.direct = now, None

    def keep(self, part: Hashable, rows: Iterable[SidebarRow]) -> list[SidebarRow]:
        """Return the rows; for an unchanged one the object of the last time, which is found drawn at once."""
        kept = list(rows)
        for at, (old, new) in enumerate(zip(self._parts.get(part, ()), kept, strict=False)):
            if old is not new and old == new:
                kept[at] = old
        if (place := self._begins.get(part)) is not None:
            self._put(kept, len(self._parts[part]), *place)
        self._parts[part] = kept
        return kept

    def _put(self, rows: list[SidebarRow], before: int, is_pinned: bool, begin: int) -> None:
        """Exchange a channel's rows among those of all; join all anew if their number changed."""
        if is_pinned not in self._joined:
            return
        if len(rows) == before:
            self._joined[is_pinned][begin : begin + before] = rows
        else:
            del self._joined[is_pinned]

    def channels(self, *, pinned: bool) -> list[SidebarRow]:
        """Return the rows kept of the pinned channels, or of the others, in order."""
        joined = self._joined.get(pinned)
        if joined is None:
            joined = self._joined[pinned] = []
            for channel_id in self._pinned if pinned else self._others:
                self._begins[channel_id] = pinned, len(joined)
                joined += self._parts[channel_id]
        return joined


def by_name(subscription: Subscription) -> tuple[bool, str]:
    """Return the sort key of a channel: muted ones last."""
    return subscription.is_muted, subscription.name.casefold()
