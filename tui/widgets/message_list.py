"""The virtual list of a conversation: any number of items, drawn when they get on screen.

Knows nothing of chat: it gets items and a function that draws one. No I/O, no clock, no queries of other
widgets. Here are its interface, keys and mouse; `list_layout` computes positions, `list_canvas` paints.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp

from tui import dispatch, frame_timer, keys
from tui.widgets.list_canvas import MOST_KNOWN, Draw, ListCanvas
from tui.widgets.list_cursor import ListCursor
from tui.widgets.list_edges import ListEdges
from tui.widgets.list_heading import mark_headings
from tui.widgets.list_item import ItemT
from tui.widgets.list_layout import Position


class MessageList(ListCanvas[ItemT], can_focus=True, inherit_bindings=False):
    """A list of items; `draw(item, width, selected)` returns an item's lines, once it gets on screen.

    Segments whose meta has an `offset`, as Textual's `Content` makes them, are text that can be selected;
    others are not.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.LISTS)]

    class ListMessage(Message):
        """The base of this list's messages."""

        def __init__(self, sender: MessageList[Any]) -> None:
            super().__init__()
            self.message_list = sender

        @property
        def control(self) -> MessageList[Any]:
            """The list that posted the message."""
            return self.message_list

    class NearTop(ListMessage):
        """Posted when older items will be needed soon.

        Once until `open`, or an `update` that adds some above or says `more_above` (again).
        """

    class NearBottom(ListMessage):
        """Posted when newer items will be needed soon; as often as `NearTop`."""

    class NewestRequested(ListMessage):
        """Posted when the user goes to the newest message.

        `loaded`: nothing is missing below, and the list is at its end already.
        """

        def __init__(self, sender: MessageList[Any], *, loaded: bool) -> None:
            super().__init__(sender)
            self.loaded = loaded

    class Selected(ListMessage):
        """Posted when the cursor moves to another item; `key` is None without one."""

        def __init__(self, sender: MessageList[Any], key: Hashable | None) -> None:
            super().__init__(sender)
            self.key = key

    class Activated(ListMessage):
        """Posted on Enter or a double click on an item."""

        def __init__(self, sender: MessageList[Any], key: Hashable) -> None:
            super().__init__(sender)
            self.key = key

    class Clicked(ListMessage):
        """Posted on a click on an item, selectable or not.

        `meta` is the meta of the drawn segment under the mouse (links, reactions, ...); `click` is Textual's
        event with buttons, modifiers and place.
        """

        def __init__(
            self,
            sender: MessageList[Any],
            key: Hashable,
            meta: Mapping[str, Any],
            click: events.Click,
        ) -> None:
            super().__init__(sender)
            self.key = key
            self.meta = meta
            self.click = click

    class Viewed(ListMessage):
        """Posted for selectable items that were on screen from first line to last since `open`.

        Perhaps one part after the other; of an item taller than the screen its last line is enough.
        """

        def __init__(self, sender: MessageList[Any], keys: tuple[Hashable, ...]) -> None:
            super().__init__(sender)
            self.keys = keys

    class TailChanged(ListMessage):
        """Posted when it changes whether the newest item is on screen, or how many came below unseen."""

        def __init__(self, sender: MessageList[Any], *, at_tail: bool, below: int) -> None:
            super().__init__(sender)
            self.at_tail = at_tail
            self.below = below

    def __init__(
        self,
        draw: Draw[ItemT],
        *,
        empty: str = "",
        loading_above: str = "",
        loading_below: str = "",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`empty` is shown when there are no items; the others are the markers where more can be loaded."""
        super().__init__(
            draw,
            empty=empty,
            loading_above=loading_above,
            loading_below=loading_below,
            name=name,
            id=id,
            classes=classes,
        )
        self._cursor = ListCursor(self._list)
        self._pending_cursor: tuple[Hashable, int | None] | None = None
        self._report_due = False
        self.edges = ListEdges()
        self._viewed: set[Hashable] = set()
        self._begun: set[Hashable] = set()
        """Items whose first line has been on screen since `open`."""
        self._told_tail: tuple[bool, int] = (True, 0)

    # Interface for the screen

    @property
    def items(self) -> Sequence[ItemT]:
        """The items shown now; not to be changed."""
        return self._list.items

    @property
    def selected(self) -> ItemT | None:
        """The item under the cursor, or None."""
        return self._cursor.item

    @property
    def cursor_place(self) -> Offset | None:
        """The screen position of the item under the cursor; None if it is not in sight."""
        at = self._cursor.index
        placed = next((each for each in self._list.visible() if each.at == at), None)
        if placed is None:
            return None
        return self.content_region.offset + Offset(0, max(0, placed.row))

    @property
    def at_tail(self) -> bool:
        """Whether the newest message is on screen and the list follows it."""
        return self._list.following

    @property
    def position(self) -> Position | None:
        """The scroll position, for a later `open`; None at the tail."""
        if self._list.following:
            return None
        for placed in self._list.visible():
            item = self._list.items[placed.at]
            if item.selectable:
                return Position(item.key, placed.row)
        return None

    def open(
        self,
        items: Sequence[ItemT],
        *,
        at: Hashable | None = None,
        row: int | None = None,
        more_above: bool = False,
        more_below: bool = False,
    ) -> None:
        """Show another conversation, or another part of it.

        The view begins at the newest item, or has the item `at` on screen row `row` (None: a third down;
        `position` has both). `more_above` and `more_below`: more items can be loaded.
        """
        self._forget_text_selection()
        self._forget_lines()
        self._viewed.clear()
        self._begun.clear()
        self.edges.open()
        self._list.open(
            items,
            more_above=more_above,
            more_below=more_below,
            head=self._head(more_above),
            foot=self._foot(more_below),
        )
        self._cursor.index = None
        self._pending_cursor = None if at is None else (at, row)
        if self._pending_cursor is None:
            self._list.to_end()
        self._go_to_pending()
        self._changed()

    def update(
        self,
        items: Sequence[ItemT],
        *,
        replaced: Mapping[Hashable, Hashable] | None = None,
        more_above: bool | None = None,
        more_below: bool | None = None,
    ) -> None:
        """Show the next state of the same items; what is on screen stays where it is.

        `items` are compared with the old ones by key, and drawn again when their revisions changed.
        `replaced` maps old keys to new ones of the same item. None leaves `more_*` as they are.
        """
        if not replaced and more_above is None and more_below is None:
            exchanged = self._exchange(items)
            if exchanged:
                self._report_later()
            if exchanged is not None or list(items) == self._list.items:
                return
        marked = self._selection_bounds()
        if replaced and self._selected_key in replaced:
            self._selected_key = replaced[self._selected_key]
        change = self._list.update(items, replaced)
        self._cursor.follow(change)
        if marked and not self._addresses.follow(change, marked[0][0], marked[1][0]):
            self._forget_text_selection()
        self.edges.came(
            above=more_above is not None or not change.head,
            below=more_below is not None or not change.tail,
        )
        above = self._list.more_above if more_above is None else more_above
        below = self._list.more_below if more_below is None else more_below
        self._list.set_ends(
            more_above=above, more_below=below, head=self._head(above), foot=self._foot(below)
        )
        self._changed()

    def stay(self) -> None:
        """Keep what is on screen in its place at the next `update`, at the end of the list too."""
        self._list.stays = True

    def select(self, key: Hashable | None) -> bool:
        """Put the cursor on an item and scroll to it; False if it is not in the list."""
        index = None if key is None else self._list.find(key)
        if key is not None and index is None:
            return False
        self._cursor.index = index
        if index is not None:
            self._list.reveal(index, index)
        self._changed()
        return True

    def scroll_to_newest(self) -> None:
        """Scroll to the end of the items."""
        self._list.to_end()
        self._changed()

    def shows(self, key: Hashable) -> bool:
        """Whether the whole item is on screen, or was seen in parts down to its end."""
        return key in self._whole()

    @property
    def read_to(self) -> Hashable | None:
        """The last selectable item that ends on the screen; None if none does."""
        layout = self._list
        ends = [p.at for p in layout.visible() if p.row + p.height <= layout.height]
        keys = [layout.items[at].key for at in ends if layout.items[at].selectable]
        return keys[-1] if keys else None

    @property
    def at_end(self) -> bool:
        """Whether the last of the items is on screen to its end."""
        return self._list.at_end

    def take_viewed(self) -> tuple[Hashable, ...]:
        """Return the keys that `Viewed` would report with the next frame; it does not any more."""
        layout = self._list
        self._begun.update(layout.items[p.at].key for p in layout.visible() if p.row >= 0)
        fresh = tuple(key for key in self._whole() if key not in self._viewed)
        self._viewed.update(fresh)
        if len(self._begun) > len(layout.items) + MOST_KNOWN:
            listed = {item.key for item in layout.items}
            self._begun &= listed
            self._viewed &= listed
        return fresh

    def report_viewed(self) -> None:
        """Report the items on screen again, as if none had been reported."""
        self._viewed.clear()
        self._report_later()

    # Keys

    def action_step(self, direction: int) -> None:
        """Move the cursor to the next (+1) or previous (-1) item."""
        self._cursor.step(direction)
        self._moved()

    def action_page(self, direction: int, parts: int = 1) -> None:
        """Scroll by a screen, or by a fraction `1 / parts` of it."""
        self._cursor.page(direction, parts)
        self._moved()

    def action_line(self, direction: int) -> None:
        """Scroll by a line."""
        self._scroll_lines(direction)

    def action_center(self) -> None:
        """Scroll the item under the cursor to the middle of the screen."""
        self._cursor.center()
        self._changed()

    def action_oldest(self) -> None:
        """Go to the first of the items, with the cursor."""
        self._cursor.to_start()
        self._moved()

    def action_newest(self) -> None:
        """Go to the end of the items, and request the newest of the conversation."""
        loaded = not self._list.more_below
        if loaded:
            self._list.to_end()
            self._cursor.keep_on_screen()
            self._moved()
        self.post_message(self.NewestRequested(self, loaded=loaded))

    def action_activate(self) -> None:
        """Open the item under the cursor; without a cursor, put one on the screen."""
        if (item := self._cursor.item) is None:
            self.action_step(-1)
        else:
            self.post_message(self.Activated(self, item.key))

    # Mouse

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by whole lines as drawn, not by estimates."""
        self._wheel(event, +1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """As down."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, direction: int) -> None:
        self._scroll_lines(direction * max(1, int(self.app.scroll_sensitivity_y)))
        event.stop()
        event.prevent_default()

    def on_scroll_up(self, event: ScrollUp) -> None:
        """Scroll up by a page: a click above the scrollbar's thumb."""
        self._scroll_lines(-max(1, self._list.height - 1))
        event.prevent_default()

    def on_scroll_down(self, event: ScrollDown) -> None:
        """Scroll down by a page: a click below the scrollbar's thumb."""
        self._scroll_lines(max(1, self._list.height - 1))
        event.prevent_default()

    def on_scroll_to(self, event: ScrollTo) -> None:
        """Follow the scrollbar's thumb, which spans the loaded items."""
        if event.y is not None:
            self._list.to_line(round(event.y))
            self._moved()
        event.prevent_default()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:  # noqa: ARG002  # Textual calls it
        """Follow a scroll by Textual itself: while text is selected beyond the edge, or for a caller."""
        lines = round(new_value) - self._list.y
        if not lines:
            return
        if abs(lines) <= self._list.height:
            self._list.move(lines)
        else:
            self._list.to_line(round(new_value))
        self._changed()

    async def _on_click(self, event: events.Click) -> None:
        """Select the clicked item and post it; replaces Textual's select-all by a double click."""
        event.prevent_default()
        await self.broker_event("click", event)
        place = self._at_row(event.y)
        if place is None or self.text_selection is not None:
            return
        item = self._list.items[place[0]]
        if item.selectable:
            self._cursor.index = place[0]
            self._changed()
        self.post_message(self.Clicked(self, item.key, event.style.meta, event))
        if item.selectable and event.chain == 2:
            self.post_message(self.Activated(self, item.key))

    # Textual's events

    def on_resize(self) -> None:
        """Lay out for the new size; drawing can begin with the first one."""
        size = self.scrollable_content_region.size
        if size.width != self._list.width:
            self._forget_lines()
            self._forget_text_selection()
        self._list.resize(size.width, size.height)
        self._thumb = None
        self._go_to_pending()
        self._changed()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Draw the cursor only while the list has the focus; no style of a list depends on it."""
        # Of two lists below one heading the other may have it: then the heading stays as it is.
        mark_headings(self.parent, self.screen.focused if self.is_attached else None)
        self._redraw_cursor(self._cursor.item)
        self._changed()

    # Layout to screen

    def _go_to_pending(self) -> None:
        """Scroll to the target of `open`, once the size of the screen is known."""
        if self._pending_cursor is None or not self._list.height:
            return
        (key, row), self._pending_cursor = self._pending_cursor, None
        index = self._list.find(key)
        if index is None:
            self._list.to_end()
        else:
            self._list.place(index, self._list.height // 3 if row is None else row)

    def _scroll_lines(self, lines: int) -> None:
        self._list.move(lines)
        self._moved()

    def _moved(self) -> None:
        """Follow a movement by the user: as `_changed`, and failed requests may be repeated."""
        self.edges.moved()
        self._changed()

    def _changed(self) -> None:
        """Project the layout onto Textual's scroll state, paint, and post messages about the changes."""
        item = self._cursor.item
        key = None if item is None else item.key
        if key != self._selected_key:
            self._selected_key = key
            self._redraw_cursor(self._cursor.item)
            dispatch.post_up(self, self.Selected(self, key))
        self.project()
        self._report_later()

    def _report_later(self) -> None:
        if not self._report_due:
            self._report_due = True
            frame_timer.report_drawn(self, self._report)

    def _report(self) -> None:
        """Post, once per frame, what the frame showed."""
        self._report_due = False
        layout = self._list
        tail = layout.following, layout.below
        if tail != self._told_tail:
            self._told_tail = tail
            dispatch.post_up(self, self.TailChanged(self, at_tail=tail[0], below=tail[1]))
        if self.REPORTS_VIEWED and (fresh := self.take_viewed()):
            dispatch.post_up(self, self.Viewed(self, fresh))
        if self.edges.wants_above(layout):
            dispatch.post_up(self, self.NearTop(self))
        if self.edges.wants_below(layout):
            dispatch.post_up(self, self.NearBottom(self))

    def _whole(self) -> list[Hashable]:
        """Return the keys of items that end on screen and were seen whole (see `Viewed`)."""
        layout = self._list
        placed = [each for each in layout.visible() if layout.items[each.at].selectable]
        return [
            layout.items[each.at].key
            for each in placed
            if each.row + each.height <= layout.height
            and (layout.items[each.at].key in self._begun or each.height > layout.height)
        ]
