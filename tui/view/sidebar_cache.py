"""Keeps rows of the sidebar from one change to the next: only what changed is made again. Pure."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Final

from tui.api.model import ChannelId, Subscription
from tui.narrow import Conversation, DmNarrow, TopicNarrow
from tui.store.changes import Changes, Part
from tui.store.store import Store
from tui.view.sidebar_rows import Section, SidebarRow, Target
from tui.view.sidebar_sections import in_sections

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
        self.sections: dict[Section, tuple[str, list[ChannelId]]] = {}
        """The sections of channels in order, with their titles."""
        self.stale: dict[ChannelId, set[TopicNarrow] | None] = {}
        """The channels whose rows are to be made again, with those of these topics; None: of all."""
        self.listed: dict[ChannelId, Subscription] = {}
        """The channels that have rows."""
        self.direct: list[SidebarRow] | None = None
        self.topics: dict[TopicNarrow, SidebarRow] = {}
        """The rows of topics that did not change."""
        self.views: dict[str, SidebarRow] = {}
        """The rows of views as they were made last, by their labels."""
        self._headings: dict[Section, SidebarRow] = {}
        self._joined: dict[Section, list[SidebarRow]] = {}
        """The rows of a section's channels."""
        self._begins: dict[Hashable, tuple[Section, int]] = {}
        """Where those of a channel begin among them."""
        self._topics_at: dict[Hashable, dict[Target, int]] = {}
        """Where topics are among the rows of their channel, if that was asked for."""
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
                self._forget_topic(place)
                self.topics.pop(place, None)
        if changes.moves:
            self.topics.clear()
        moved = (each.channel_id for move in changes.moves for each in (move.source, move.target))
        for channel_id in (*changes.topics, *moved):
            if channel_id in self.listed:
                self.stale[channel_id] = None

    def _forget_topic(self, place: TopicNarrow) -> None:
        if place.channel_id in self.listed:
            topics = self.stale.setdefault(place.channel_id, set())
            if topics is not None:
                topics.add(place)

    def begin(self, store: Store, now: float, of: tuple[object, ...]) -> None:
        """List all channels, as stale, if the inputs `of` that all rows depend on have changed."""
        if of != self._of:
            self._of, self.direct = of, None
            self.topics.clear()
            channels = (each for each in store.channels.subscriptions() if not each.is_archived)
            listed = {each.channel_id: each for each in sorted(channels, key=by_name)}
            self.sections = in_sections(store, listed.values())
            self.listed, self.stale = listed, dict.fromkeys(listed)
            self._joined.clear()
            self._begins.clear()
        if abs(now - self._looked) >= PRESENCE_SECONDS:
            self._looked, self.direct = now, None

    def heading(
        self,
        section: Section,
        title: str,
        *,
        is_collapsed: bool = False,
        count: int = 0,
        mentions: int = 0,
    ) -> SidebarRow:
        """Return the heading of a section: the object of the last time, if it is unchanged."""
        kept, now = self._headings.get(section), (title, is_collapsed, count, mentions)
        if kept is not None and (kept.label, kept.is_collapsed, kept.count, kept.mentions) == now:
            return kept
        heading = self._headings[section] = SidebarRow(
            kind="section",
            target=None,
            label=title,
            section=section,
            is_collapsed=is_collapsed,
            count=count,
            mentions=mentions,
        )
        return heading

    def keep(self, part: Hashable, rows: Iterable[SidebarRow]) -> list[SidebarRow]:
        """Return the rows; for an unchanged one the object of the last time, which is found drawn at once."""
        kept = list(rows)
        for at, (old, new) in enumerate(zip(self._parts.get(part, ()), kept, strict=False)):
            if old is not new and old == new:
                kept[at] = old
        if (place := self._begins.get(part)) is not None:
            self._put(kept, len(self._parts[part]), *place)
        self._parts[part] = kept
        self._topics_at.pop(part, None)
        return kept

    def topics_at(self, channel_id: ChannelId) -> Mapping[Target, int]:
        """Return where topics are among the rows of a channel."""
        if channel_id not in self._topics_at:
            rows = enumerate(self._parts[channel_id])
            self._topics_at[channel_id] = {r.target: at for at, r in rows if r.kind == "topic"}
        return self._topics_at[channel_id]

    def topic_at(self, channel_id: ChannelId, at: int) -> TopicNarrow:
        """Return the topic in one of these places, as its row has it: narrows are equal whatever their case is."""
        target = self._parts[channel_id][at].target
        assert isinstance(target, TopicNarrow)
        return target

    def exchange(self, channel_id: ChannelId, rows: Mapping[int, SidebarRow]) -> None:
        """Put rows in the places of others of a channel; an unchanged one stays the object that it is."""
        kept, joined = self._parts[channel_id], None
        if (place := self._begins.get(channel_id)) is not None:
            joined = self._joined.get(place[0])
        for at, row in rows.items():
            if kept[at] != row:
                kept[at] = row
                if joined is not None and place is not None:
                    joined[place[1] + at] = row

    def _put(self, rows: list[SidebarRow], before: int, section: Section, begin: int) -> None:
        """Exchange a channel's rows among those of its section; join these anew if their number changed."""
        if section not in self._joined:
            return
        if len(rows) == before:
            self._joined[section][begin : begin + before] = rows
        else:
            del self._joined[section]

    def channels(self, section: Section) -> list[SidebarRow]:
        """Return the rows kept of a section's channels, in order."""
        joined = self._joined.get(section)
        if joined is None:
            joined = self._joined[section] = []
            for channel_id in self.sections[section][1]:
                self._begins[channel_id] = section, len(joined)
                joined += self._parts[channel_id]
        return joined


def by_name(subscription: Subscription) -> tuple[bool, str]:
    """Return the sort key of a channel: muted ones last."""
    return subscription.is_muted, subscription.name.casefold()
