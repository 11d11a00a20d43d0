"""Messages by ID, and the windows of narrows. No I/O, no clock.

Fetches overlap with events: events since a fetch began are applied again to its messages, so that an
answer that is older than an event never undoes it. Messages out of use are dropped, so that memory does
not grow with the traffic; they are fetched again where they are needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from tui.api import events as ev
from tui.api.model import ChannelId, Message, MessageId
from tui.dataclass import dataclass
from tui.narrow import (
    AllDms,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    TopicNarrow,
    Unread,
)
from tui.store import edits
from tui.store.edits import MessageChange
from tui.store.fetched_page import Page
from tui.store.unreads import MENTION_FLAGS
from tui.store.windows import Window

MOST_MESSAGES = 2_000
"""Above it messages are dropped, and again after each further quarter."""
MAX_WINDOWS = 40
MOST_IN_WINDOWS, MOST_IN_WINDOW = 1_000, 500
"""Messages kept for windows that are not open: those at the ends of the most recently used."""
LONGEST_STRETCH, SHORTENED_STRETCH = 1_000, 600
"""Messages of an open conversation that are kept: past the first number, those nearest to the reader."""
KEPT_ARRIVALS = KEPT_LOOKUPS = 500
"""The newest messages, and those last fetched by ID, stay, listed or not: they are still in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """HTML of a message that a search found, with the matches marked."""

    content: str | None
    topic: str | None


@dataclass(frozen=True, slots=True)
class ChannelGone:
    """A channel became invisible, or its known messages became void."""

    channel_id: ChannelId


ConcurrentChange: TypeAlias = "MessageChange | Message | ChannelGone"
"""An event while a fetch was on its way."""


class Messages:
    """The known messages; `channel_names` is kept current by its owner."""

    def __init__(self, channel_names: Mapping[ChannelId, str]) -> None:
        self._names = channel_names
        self.by_id: dict[MessageId, Message] = {}
        self.windows: dict[Narrow, Window] = {}
        self.matches: dict[tuple[Narrow, MessageId], Match] = {}
        self.pending_lookups: set[MessageId] = set()
        """Moved messages that a window may have to list, to be fetched by their IDs."""
        self._looked_up: deque[MessageId] = deque(maxlen=KEPT_LOOKUPS)
        self._trim_above = MOST_MESSAGES
        self._borrowed: set[MessageId] = set()
        self._borrowed_windows: set[Narrow] = set()
        self._fetches: dict[int, list[ConcurrentChange]] = {}
        self._tickets = 0

    def get(self, message_id: MessageId) -> Message | None:
        """Return the message; None if it is not known."""
        return self.by_id.get(message_id)

    def knows_of(self, channel_id: ChannelId) -> bool:
        """Whether messages or windows of a channel are known, or perhaps on their way."""
        if self._fetches:
            return True
        return any(m.channel_id == channel_id for m in self.by_id.values()) or any(
            isinstance(narrow, (ChannelNarrow, TopicNarrow)) and narrow.channel_id == channel_id
            for narrow in self.windows
        )

    def window(self, narrow: Narrow) -> Window:
        """Return the window of a narrow, and make it the most recently used."""
        window = self.windows.pop(narrow, None) or Window()
        self.windows[narrow] = window
        return window

    # Fetches

    def begin_fetch(self) -> int:
        """Return a ticket for a request of messages, to be given back with its answer."""
        self._tickets += 1
        self._fetches[self._tickets] = []
        return self._tickets

    def cancel_fetch(self, ticket: int) -> None:
        """End a fetch that has no answer."""
        self._fetches.pop(ticket, None)

    def finish_fetch(self, ticket: int, page: Page) -> frozenset[MessageId]:
        """Take in a page; return the messages that are new or look different."""
        changes_since = self._fetches.pop(ticket)
        narrow, window = page.narrow, self.window(page.narrow)
        messages = [
            m for each in page.messages if (m := self._replay(each, changes_since)) is not None
        ]
        fresh = self._take(narrow, messages)
        if not any(
            isinstance(entry, ChannelGone) and _is_about(narrow, entry) for entry in changes_since
        ):
            window.cover(page.low, page.high, [message.id for message in messages])
        for entry in changes_since:
            for message_id in self._ids(entry):
                self._show(narrow, window, message_id)
            if not isinstance(entry, (Message, ChannelGone)):
                self._want(entry)
        return fresh

    def finish_lookup(self, ticket: int, messages: Iterable[Message]) -> set[Narrow]:
        """Take in messages that were fetched by ID; return the narrows whose lists changed."""
        changes_since = self._fetches.pop(ticket)
        affected: set[Narrow] = set()
        for each in messages:
            message = self._replay(each, changes_since)
            if message is not None:
                self._know(message)
                self._looked_up.append(message.id)
                affected |= self._show_everywhere(message.id)
        return affected

    # Cached messages, while the server cannot be asked

    def show_cached(self, page: Page) -> frozenset[MessageId]:
        """Show a cached page, which may be out of date; return the messages that were not known."""
        fresh = frozenset(message.id for message in page.messages if message.id not in self.by_id)
        self.by_id |= {message.id: message for message in page.messages if message.id in fresh}
        self.window(page.narrow).cover(page.low, page.high, [each.id for each in page.messages])
        self._borrowed |= fresh
        self._borrowed_windows.add(page.narrow)
        return fresh

    def is_borrowed(self, message_id: MessageId) -> bool:
        """Whether a message is known from the cache alone."""
        return message_id in self._borrowed

    def is_known_empty(self, narrow: Narrow) -> bool:
        """Whether a narrow is known to have no messages."""
        window = self.windows.get(narrow)
        stretch = window.at(None) if window is not None and not window.undecided else None
        return stretch is not None and stretch.found_oldest and not stretch.ids

    def has_borrowed(self, narrow: Narrow) -> bool:
        """Whether a window shows cached messages."""
        return narrow in self._borrowed_windows

    def drop_cached(self) -> tuple[frozenset[MessageId], frozenset[Narrow]]:
        """Drop cached messages since the server answers again; return messages and windows.

        An event may have put one into another window, which is then dropped, too.
        """
        messages, windows = frozenset(self._borrowed), frozenset(self._borrowed_windows)
        for message_id in messages:
            self.by_id.pop(message_id, None)
        if messages:
            listed = (
                n for n, each in self.windows.items() if not messages.isdisjoint(_listed(each))
            )
            windows = windows.union(listed)
        for narrow in windows:
            self.windows[narrow] = Window()
        self._borrowed.clear()
        self._borrowed_windows.clear()
        return messages, windows

    def apply_matches(
        self, narrow: Narrow, message_ids: Iterable[MessageId], inside: frozenset[MessageId]
    ) -> bool:
        """Apply the server's answer which messages match; False if the window is unchanged."""
        window = self.windows.get(narrow)
        if window is None:
            return False
        again = set(window.undecided)  # changed since they were asked about
        changed = [window.place(i, inside=i in inside and i in self.by_id) for i in message_ids]
        window.undecided |= again
        return any(changed)

    # Events

    def receive(self, message: Message) -> set[Narrow]:
        """Add a new message; return the narrows that list it."""
        self._note(message)
        self._know(message)
        return self._show_everywhere(message.id)

    def change(self, event: MessageChange) -> tuple[frozenset[MessageId], set[Narrow]]:
        """Apply an event; return the messages that look different, and the narrows whose lists changed."""
        self._note(event)
        if isinstance(event, ev.DeleteMessageEvent):
            return self._delete(event.message_ids)
        message_ids = self._ids(event)
        affected = frozenset(i for i in message_ids if self._change(i, event))
        flag = getattr(event, "flag", None)
        narrows: set[Narrow] = set()
        # All of them, not only the affected ones: a fetch may have brought the change before its event.
        for message_id in message_ids:
            narrows |= self._show_everywhere(
                message_id,
                # A message just read stays in the list of unread messages that the user is reading.
                keep=flag == "read",
                edited=isinstance(event, ev.UpdateMessageEvent),
            )
        self._want(event)
        return affected, narrows

    def forget_channel(self, channel_id: ChannelId) -> tuple[frozenset[MessageId], set[Narrow]]:
        """Drop a channel that became invisible; return as `change` does."""
        self._note(ChannelGone(channel_id))
        gone = self._delete([m.id for m in self.by_id.values() if m.channel_id == channel_id])
        for narrow in list(self.windows):
            if isinstance(narrow, (ChannelNarrow, TopicNarrow)) and narrow.channel_id == channel_id:
                self.windows[narrow] = Window()
        return gone

    def forget_history(self, channel_id: ChannelId) -> tuple[frozenset[MessageId], set[Narrow]]:
        """Drop the messages of a channel that was or is not subscribed to: they may be out of date.

        Feeds may have missed some of its messages, so they are dropped as well.
        """
        messages, windows = self.forget_channel(channel_id)
        feeds = {narrow for narrow in self.windows if _is_feed(narrow)}
        for narrow in feeds:
            self.windows[narrow] = Window()
        return messages, windows | feeds

    def forget_by_policy(self) -> set[Narrow]:
        """Drop searches by visibility policy, since policies have changed; return their narrows."""
        stale = {narrow for narrow in self.windows if _depends_on_policies(narrow)}
        for narrow in stale:
            self.windows[narrow] = Window()
        return stale

    def trim(self, open_narrows: Collection[Narrow]) -> None:
        """Forget what was not looked at for long, if there is much more than after the last time.

        Of windows that are not open the ends are kept, as many as there is room for.
        """
        if len(self.by_id) <= self._trim_above:
            return
        kept = self._kept_unlisted()
        for narrow in open_narrows:
            if narrow in self.windows:
                kept |= _listed(self.windows[narrow])
        room = len(kept) + MOST_IN_WINDOWS
        for count, (narrow, window) in enumerate(reversed(list(self.windows.items()))):
            if narrow in open_narrows:
                continue
            window.keep_end(MOST_IN_WINDOW)
            with_these = kept | _listed(window)
            if count >= MAX_WINDOWS or len(with_these) > room:
                del self.windows[narrow]
            else:
                kept = with_these
        self.by_id = {i: message for i, message in self.by_id.items() if i in kept}
        self.matches = {
            key: match
            for key, match in self.matches.items()
            if key[0] in self.windows and key[1] in self.by_id
        }
        self._trim_above = max(MOST_MESSAGES, len(self.by_id) * 5 // 4)

    def shorten(self, narrow: Narrow, near: MessageId | None) -> bool:
        """Drop messages far from the reader; False if there are not many."""
        window = self.windows.get(narrow)
        stretch = window.at(near) if window is not None else None
        if window is None or stretch is None or len(stretch.ids) <= LONGEST_STRETCH:
            return False
        gone = window.shorten(near, SHORTENED_STRETCH)
        others = [each for each in self.windows.values() if each is not window]
        for message_id in gone - self._kept_unlisted():
            if not any(message_id in each for each in others):
                self.by_id.pop(message_id, None)
                self.matches.pop((narrow, message_id), None)
        return True

    def _know(self, message: Message) -> None:
        """Take a message from the server, in the place of one from the cache."""
        self.by_id[message.id] = message
        self._borrowed.discard(message.id)

    def _kept_unlisted(self) -> set[MessageId]:
        """Messages that are kept although no window may list them."""
        return {*sorted(self.by_id)[-KEPT_ARRIVALS:], *self._looked_up}

    def _note(self, entry: ConcurrentChange) -> None:
        for changes_since in self._fetches.values():
            changes_since.append(entry)

    def _replay(self, message: Message, changes_since: list[ConcurrentChange]) -> Message | None:
        after: Message | None = message
        arrivals = [
            n for n, e in enumerate(changes_since) if isinstance(e, Message) and e.id == message.id
        ]
        # Events before the message arrived are not about it: "all" means all that existed.
        for entry in changes_since[arrivals[0] :] if arrivals else changes_since:
            if after is None:
                return None
            if isinstance(entry, ChannelGone):
                after = None if after.channel_id == entry.channel_id else after
            elif not isinstance(entry, Message):
                after = edits.changed(after, entry, self._names)
        return after

    def _take(self, narrow: Narrow, messages: Iterable[Message]) -> frozenset[MessageId]:
        fresh = set()
        for message in messages:
            if message.match_content is not None or message.match_topic is not None:
                match = Match(content=message.match_content, topic=message.match_topic)
                self.matches[narrow, message.id] = match
                message = replace(message, match_content=None, match_topic=None)
            if self.by_id.get(message.id) != message:
                fresh.add(message.id)
            self._know(message)
            if message.id in self.pending_lookups:
                self._show_everywhere(message.id)
        return frozenset(fresh)

    def _ids(self, entry: ConcurrentChange) -> Iterable[MessageId]:
        """Return the IDs of known messages that an event is about."""
        match entry:
            case Message():
                ids: Iterable[MessageId] = (entry.id,)
            case ChannelGone():
                ids = ()
            case ev.UpdateMessageFlagsAddEvent(all=True):
                ids = list(self.by_id)
            case _:
                ids = _meant(entry)
        return [message_id for message_id in ids if message_id in self.by_id]

    def _change(self, message_id: MessageId, event: MessageChange) -> bool:
        before = self.by_id[message_id]
        after = edits.changed(before, event, self._names)
        assert after is not None, "only a deletion removes a message"
        self.by_id[message_id] = after
        return after != before

    def _delete(self, ids: Iterable[MessageId]) -> tuple[frozenset[MessageId], set[Narrow]]:
        gone = frozenset(ids)
        self.pending_lookups -= gone
        narrows = {
            narrow
            for narrow, window in self.windows.items()
            if sum(window.place(message_id, inside=False) for message_id in gone)
        }
        deleted_ids = gone & self.by_id.keys()
        for message_id in deleted_ids:
            del self.by_id[message_id]
        return deleted_ids, narrows

    def _show_everywhere(
        self, message_id: MessageId, *, keep: bool = False, edited: bool = False
    ) -> set[Narrow]:
        """Update every window for one message; return the narrows whose lists changed."""
        self.pending_lookups.discard(message_id)
        return {
            narrow
            for narrow, window in self.windows.items()
            # Channel, topic and direct windows do not depend on read flags, and a thousand messages are read
            # at once.
            if (not keep or isinstance(narrow, (Search, Unread)))
            and self._show(narrow, window, message_id, keep=keep, edited=edited)
        }

    def _show(
        self,
        narrow: Narrow,
        window: Window,
        message_id: MessageId,
        *,
        keep: bool = False,
        edited: bool = False,
    ) -> bool:
        if window.at(message_id) is None:
            return False
        inside = narrow.contains(self.by_id[message_id])
        if inside is None:
            if edited or message_id not in window:
                window.undecided.add(message_id)
            return False
        if keep and not inside:
            return False
        return window.place(message_id, inside=inside)

    def _want(self, event: MessageChange) -> None:
        """Note unknown messages that changed: windows that cover their IDs may have to list them."""
        windows = [w for narrow, w in self.windows.items() if _may_enter(narrow, event)]
        if windows:
            self.pending_lookups |= {
                message_id
                for message_id in _meant(event)
                # A move between channels may add a known message to the user's history, or remove it.
                if (
                    message_id not in self.by_id
                    or message_id in self._borrowed  # as of when it was cached
                    or _changes_channel(event)
                )
                and any(window.at(message_id) for window in windows)
            }


def _listed(window: Window) -> set[MessageId]:
    return {*window.ids(), *window.undecided}


def _is_feed(narrow: Narrow) -> bool:
    """Whether messages of any channel may be in the narrow."""
    return not isinstance(narrow, (ChannelNarrow, TopicNarrow, DmNarrow, AllDms))


def _is_about(narrow: Narrow, gone: ChannelGone) -> bool:
    """Whether a page of the narrow may be wrong because of an event about a channel."""
    if isinstance(narrow, (ChannelNarrow, TopicNarrow)):
        return narrow.channel_id == gone.channel_id
    return _is_feed(narrow)


def _changes_channel(event: MessageChange) -> bool:
    return isinstance(event, ev.UpdateMessageEvent) and event.new_channel_id is not None


def _meant(event: MessageChange) -> Iterable[MessageId]:
    match event:
        case ev.UpdateMessageEvent():
            return {event.message_id, *event.message_ids}
        case (
            ev.DeleteMessageEvent()
            | ev.UpdateMessageFlagsAddEvent()
            | ev.UpdateMessageFlagsRemoveEvent()
        ):
            return event.message_ids
        case _:
            return (event.message_id,)


def _may_enter(narrow: Narrow, event: MessageChange) -> bool:
    """Whether the event may add messages to the narrow."""
    match narrow, event:
        case _, ev.UpdateMessageEvent() if edits.moves(event):
            return True
        case Search(), _:
            return True
        case Mentions(), ev.UpdateMessageEvent():
            return True
        case Mentions(), ev.UpdateMessageFlagsAddEvent():
            return event.flag in MENTION_FLAGS
        case Starred(), ev.UpdateMessageFlagsAddEvent():
            return event.flag == "starred"
        case Unread(), ev.UpdateMessageFlagsRemoveEvent():
            return event.flag == "read"
        case _:
            return False


def _depends_on_policies(narrow: Narrow) -> bool:
    terms = narrow.terms() if isinstance(narrow, Search) else ()
    return any(
        (term.operator, term.operand) in (("is", "followed"), ("is", "muted"), ("in", "home"))
        for term in terms
    )
