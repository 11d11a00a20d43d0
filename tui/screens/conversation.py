"""The open conversation: its messages, position and unread line. Draws nothing itself."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date

from tui.api.model import Anchor, LocalId, MessageId
from tui.content.extracts import spoilers
from tui.content.sanitize import sanitize_line
from tui.errors import NO_VERDICT, TuiError
from tui.keys import keyboard_of
from tui.narrow import (
    AllMessages,
    ChannelNarrow,
    Conversation,
    DmNarrow,
    Narrow,
    Search,
    TopicNarrow,
    Unread,
    conversation_of,
)
from tui.screens.session import Session
from tui.store import Changes, Store
from tui.store.changes import TopicMove
from tui.store.windows import Interval
from tui.view import messages as message_view
from tui.view.messages import ViewState
from tui.view.rows import HIDDEN, UNFOLDED, ConversationRow, MessageRow
from tui.view.times import Times
from tui.view.titles import emptied, empty
from tui.widgets.list_layout import Position
from tui.widgets.row_lists import ConversationList

UNREAD_ROW = 3
"""Screen row of the unread line at opening."""

LOADING = "loading…"
NOTHING_KEPT = "Offline: no matches in the messages kept on this machine."
MOST_SPARE = 500
"""Rows kept of messages that are not open now."""

LINED = (TopicNarrow, DmNarrow, ChannelNarrow, AllMessages, Unread)
"""Narrows that open at the first unread message; others open at the newest."""


class OpenConversation:
    """Fills a `ConversationList` with a narrow, and keeps it up to date."""

    def __init__(
        self,
        view: ConversationList,
        session: Callable[[], "Session"],
        *,
        times: Times,
        today: Callable[[], date],
        trouble: Callable[[str], None],
    ) -> None:
        """`trouble` shows the user an error sentence."""
        self._view = view
        self._session = session
        self.times = times
        self.is_dense = False
        """No empty lines between messages of different senders."""
        self._today = today
        self._trouble = trouble
        self.narrow: Narrow | None = None
        self._near: MessageId | None = None
        self._line: tuple[MessageId | None, int] = (None, 0)
        self._revealed: dict[MessageId, frozenset[int]] = {}
        self._positions: dict[Narrow, Position] = {}
        self._selected: dict[Narrow, MessageId] = {}
        self._ends: tuple[bool, bool] = (False, False)
        self._kept_rows = message_view.KeptRows()
        self._changed: frozenset[MessageId] | None = None
        """Messages that changed since rows were made; None: anything may have."""
        self._is_shown = False
        self.is_missing = False
        """Whether the server could not be asked: the narrow is opened again when it is back."""

    @property
    def _store(self) -> Store:
        return self._session().store

    async def open(self, narrow: Narrow, near: MessageId | None = None) -> None:
        """Show a narrow at `near`, else the first unread message, the last position, or the end."""
        self._leave()
        self.narrow = narrow
        self._changed = None
        self._line = (None, 0)
        self._is_shown = self.is_missing = False
        place = self._positions.get(narrow)
        target = near or self._first_unread(narrow)
        if target is None and place is not None and isinstance(place.key, int):
            target = MessageId(place.key)
        self._near = target
        self._session().sync.watch(narrow, target)
        if self._stretch() is None:
            await self._load(target or self._anchor(narrow))
        if self.narrow == narrow:
            self._show(near, place)

    def is_left_by(self, move: TopicMove) -> bool:
        """Whether the open topic moved away: as a whole, or with the message under the cursor.

        A message that was moved alone does not take its reader along.
        """
        if self.narrow != move.source:
            return False
        row = self._view.selected
        under_cursor = isinstance(row, MessageRow) and row.message_id in move.message_ids
        return move.is_whole or (move.goes_on and under_cursor)

    async def go_along(self, target: TopicNarrow) -> None:
        """Show the topic that the visible messages are in now; they stay where they are on screen."""
        assert self.narrow is not None
        self._session().sync.unwatch(self.narrow)
        self._near = self._standing()
        self.narrow = target
        self._session().sync.watch(target, self._near)
        self._is_shown = self.is_missing = False
        if self._stretch() is None:
            try:
                await self._session().sync.history.around(target, self._near or "newest")
            except TuiError as error:
                self.is_missing = True
                self._trouble(str(error))
        stretch = self._stretch()
        if stretch is None or self.narrow != target:
            return
        self._is_shown = True
        self._view.set_empty(self._empty(target))
        self._ends = (not stretch.found_oldest, not stretch.found_newest)
        self._view.update(self._rows(stretch), more_above=self._ends[0], more_below=self._ends[1])

    def _empty(self, narrow: Narrow) -> str:
        """Return the sentence for a narrow without messages."""
        return empty(narrow, keyboard_of(self._view.app).key)

    def renamed(self, source: TopicNarrow, target: TopicNarrow) -> None:
        """Keep the position and the selected message of a topic that was renamed."""
        place = self._positions.pop(source, None)
        if place is not None:
            self._positions.setdefault(target, place)
        selected = self._selected.pop(source, None)
        if selected is not None:
            self._selected.setdefault(target, selected)

    def is_shown(self, narrow: Narrow) -> bool:
        """Whether the narrow is open, with its messages on screen."""
        return self._is_shown and self.narrow == narrow

    @property
    def is_lost(self) -> bool:
        """Whether the visible messages were dropped from the store, and have to be fetched again."""
        return self._is_shown and self._stretch() is None

    def _leave(self) -> None:
        if self.narrow is None:
            return
        self._session().sync.unwatch(self.narrow)
        self._selected.pop(self.narrow, None)
        if isinstance(row := self._view.selected, MessageRow):
            self._selected[self.narrow] = row.message_id
        place = self._view.position
        if place is None:
            self._positions.pop(self.narrow, None)
        elif self._is_shown:
            self._positions[self.narrow] = place

    def left_at(self, place: Narrow | str) -> MessageId | None:
        """Return the message that was selected when the narrow was left; None for an overview."""
        return None if isinstance(place, str) else self._selected.get(place)

    @property
    def current_message(self) -> MessageId | None:
        """The message to come back to: the selected one, else the last that is loaded."""
        row = self._view.selected
        if not isinstance(row, MessageRow):
            row = next((r for r in reversed(self._view.items) if isinstance(r, MessageRow)), None)
        return None if row is None else row.message_id

    def _first_unread(self, narrow: Narrow) -> MessageId | None:
        store = self._store
        match narrow:
            case TopicNarrow() | DmNarrow():
                return min(store.unread_ids(narrow), default=None)
            case ChannelNarrow(channel_id):
                ids = [
                    message_id
                    for place in store.unreads.conversations()
                    if isinstance(place, TopicNarrow) and place.channel_id == channel_id
                    for message_id in store.unread_ids(place)
                ]
                return min(ids, default=None)
            case _:
                return None

    def _anchor(self, narrow: Narrow) -> "Anchor":
        feeds_of_unread = isinstance(narrow, AllMessages | Unread) and len(self._store.unreads) > 0
        return "first_unread" if feeds_of_unread else "newest"

    async def _load(self, anchor: "Anchor") -> None:
        narrow = self.narrow
        assert narrow is not None
        self._view.open([])
        self._view.set_empty(LOADING)
        self.is_missing = False
        try:
            near = await self._session().sync.history.around(narrow, anchor)
        except TuiError as error:
            if self.narrow == narrow:
                self.is_missing = True
                searched = isinstance(narrow, Search) and isinstance(error, NO_VERDICT)
                self._view.set_empty(NOTHING_KEPT if searched else sanitize_line(str(error)))
            return
        if self.narrow != narrow:
            return
        if self._store.messages.has_borrowed(narrow):
            self.is_missing = True
            if isinstance(narrow, Search):
                self._trouble("Offline: searched the messages kept on this machine.")
        if not isinstance(anchor, int):
            self._near = near

    def _stretch(self) -> Interval | None:
        if self.narrow is None or not self._session().has_store:
            return None
        return self._store.messages.window(self.narrow).at(self._near)

    def _show(self, near: MessageId | None, place: Position | None) -> None:
        stretch = self._stretch()
        if stretch is None or self.narrow is None:
            return
        self._is_shown = True
        first, count = None, 0
        if isinstance(self.narrow, LINED):
            first, count = message_view.first_unread(self._store, stretch.ids)
        if isinstance(self.narrow, TopicNarrow | DmNarrow):
            count = max(count, self._store.unread_count(self.narrow))
        self._line = (first, count)
        at: Hashable | None = None
        row: int | None = None
        if near is not None and (place is None or near != self.left_at(self.narrow)):
            at = near
        elif first is not None and near is None:
            at, row = "unread", UNREAD_ROW
        elif place is not None:
            at, row = place
        self._ends = (not stretch.found_oldest, not stretch.found_newest)
        self._view.set_empty(self._empty(self.narrow))
        self._view.open(
            self._rows(stretch), at=at, row=row, more_above=self._ends[0], more_below=self._ends[1]
        )
        if near is not None:
            self._view.select(near)

    def _rows(
        self, stretch: Interval, read_with_this: AbstractSet[MessageId] = frozenset()
    ) -> list[ConversationRow]:
        assert self.narrow is not None
        changed, self._changed = self._changed, frozenset()
        reading = ViewState(
            narrow=self.narrow,
            times=self.times,
            today=self._today(),
            line_above=self._line[0],
            line_count=self._line[1],
            revealed=self._revealed,
            is_dense=self.is_dense,
            read_with_this=read_with_this,
            kept_rows=self._kept_rows,
        )
        if len(self._kept_rows.steps) > len(stretch.ids) + MOST_SPARE:
            self._kept_rows.keep(stretch.ids)
        return message_view.rows(
            self._store,
            reading,
            stretch.ids,
            with_outbox=stretch.found_newest,
            changed=changed,
        )

    # Changes

    def note(self, changes: Changes) -> None:
        """Note what `refresh` has to look at; of every change of the store, seen here or not."""
        if self._changed is not None:
            self._changed = self._changed | changes.messages if changes.is_of_messages else None

    def needs_refresh(self, changes: Changes) -> bool:
        """Whether a change can be seen here."""
        return bool(
            changes.replaced
            or self.narrow in changes.windows
            or self._lists(changes.messages)
            or changes.users
            or changes.channels
            or changes.echoes
            or "outbox" in changes.parts
        )

    def _lists(self, messages: Iterable[MessageId]) -> bool:
        """Whether one of these messages is loaded here."""
        stretch = self._stretch()
        if stretch is None:
            return False
        ids = stretch.ids
        places = ((message_id, bisect_left(ids, message_id)) for message_id in messages)
        return any(at < len(ids) and ids[at] == message_id for message_id, at in places)

    def refresh(
        self,
        echoes: Mapping[LocalId, MessageId] | None = None,
        *,
        read_with_this: AbstractSet[MessageId] = frozenset(),
    ) -> None:
        """Show the current state of the store; visible rows stay where they are.

        `read_with_this`: messages shown as read, which the store learns next.
        """
        self._shorten()
        stretch = self._stretch()
        if stretch is None or not self._is_shown:
            return
        ends = (not stretch.found_oldest, not stretch.found_newest)
        above, below = (
            None if now == before else now for now, before in zip(ends, self._ends, strict=True)
        )
        self._ends = ends
        replaced: dict[Hashable, Hashable] = {
            ("echo", local_id): message_id for local_id, message_id in (echoes or {}).items()
        }
        rows = self._rows(stretch, read_with_this)
        if self._view.items and not rows and self.narrow is not None:
            self._view.set_empty(emptied(self.narrow) or self._empty(self.narrow))
        self._view.update(
            rows,
            replaced=replaced,
            more_above=above,
            more_below=below,
        )

    def unread_of(self, message_ids: Iterable[MessageId]) -> frozenset[MessageId]:
        """Return those of the messages that are listed here and unread."""
        store = self._store
        unread = store.pending.read(each for each in message_ids if each in store.unreads)
        return frozenset(each for each in unread if self._lists((each,)))

    def note_arrival_unseen(self, changes: Changes) -> None:
        """Draw the unread line above a message that arrived while the user was away."""
        if self._line[0] is not None or not isinstance(self.narrow, LINED):
            return
        stretch = self._stretch()
        if stretch is None:
            return
        first, count = message_view.first_unread(self._store, stretch.ids)
        if first is not None and first in changes.arrived:
            self._line = (first, count)
            self._changed = None

    async def load_older(self) -> None:
        """Load older messages, since the user is near the oldest loaded one."""
        stretch = self._stretch()
        if stretch is None or stretch.found_oldest or not stretch.ids or self.narrow is None:
            return
        await self._fetch(self._session().sync.history.older, stretch.ids[0])

    async def load_newer(self) -> None:
        """Load newer messages, since the user is near the newest loaded one."""
        stretch = self._stretch()
        if stretch is None or stretch.found_newest or not stretch.ids or self.narrow is None:
            return
        await self._fetch(self._session().sync.history.newer, stretch.ids[-1])

    async def _fetch(self, fetch: Callable[..., object], than: MessageId) -> None:
        narrow = self.narrow
        try:
            await fetch(narrow, than)  # type: ignore[misc]  # both are coroutine functions
        except TuiError as error:
            self._trouble(str(error))
            self._view.edges.failed()
        if self.narrow == narrow:
            self._shorten()

    def _shorten(self) -> None:
        """Forget what is far from what is on screen, to be fetched when it is needed again."""
        stretch = self._stretch()
        if self.narrow is None or not self._is_shown or stretch is None:
            return
        standing = self._standing()
        self._near = self._near if standing is None and not stretch.found_newest else standing
        self._session().sync.shorten(self.narrow, self._near)

    async def go_to_newest(self) -> None:
        """Go to the end of the narrow."""
        narrow = self.narrow
        if narrow is None:
            return
        self._near = None
        self._positions.pop(narrow, None)
        self._session().sync.watch(narrow, None)
        self._is_shown = False
        if self._stretch() is None:
            await self._load("newest")
        stretch = self._stretch()
        if stretch is None or self.narrow != narrow:
            return
        self._is_shown = True
        self._ends = (not stretch.found_oldest, not stretch.found_newest)
        self._view.open(self._rows(stretch), more_above=self._ends[0], more_below=self._ends[1])

    def retry_paging(self) -> None:
        """Allow paging again after the connection is back."""
        if self._is_shown:
            self._view.update(self._view.items, more_above=self._ends[0], more_below=self._ends[1])

    def remember_position(self) -> None:
        """Keep the visible messages loaded after a new snapshot."""
        if self.narrow is None or not self._is_shown:
            return
        self._session().sync.watch(self.narrow, self._standing())

    def _standing(self) -> MessageId | None:
        """Return the first message on screen; None at the end."""
        place = self._view.position
        key = place.key if place is not None else None
        return MessageId(key) if isinstance(key, int) else None

    def suggested(self) -> Conversation | None:
        """Return the destination suggested in a feed: of the message under the cursor, or else the newest."""
        row = self._view.selected
        if row is None:
            row = next((r for r in reversed(self._view.items) if isinstance(r, MessageRow)), None)
        message = self._store.message(row.message_id) if isinstance(row, MessageRow) else None
        if message is not None:
            return conversation_of(message)
        return (
            TopicNarrow(self.narrow.channel_id, "")
            if isinstance(self.narrow, ChannelNarrow)
            else None
        )

    def reveal(self, message_id: MessageId, spoiler: int | None = None) -> None:
        """Open or close a spoiler of a message, or all of its lines (`UNFOLDED`); None: all of that."""
        row = next(
            (r for r in self._view.items if isinstance(r, MessageRow) and r.key == message_id), None
        )
        if row is None:
            return
        every = frozenset(range(len(spoilers(row.nodes))))
        opened = self._revealed.get(message_id, frozenset())
        if row.is_hidden or HIDDEN in opened:
            every, opened, spoiler = frozenset({HIDDEN}), opened & {HIDDEN}, None
        elif spoiler is None and self._view.is_folded(message_id):
            every |= {UNFOLDED}
        if spoiler is not None:
            self._revealed[message_id] = opened ^ {spoiler}
        else:
            self._revealed[message_id] = frozenset() if opened else every
        self._view.stay()
        self._changed = None
        self.refresh()
