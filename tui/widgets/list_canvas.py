"""The part of the virtual list that paints: items to lines, lines to the screen. No keys.

It overrides parts of Textual's `ScrollView` (docs/decisions/0007): lines are painted from a cache without
Textual's style pass, so padding, borders and opacity of this widget do not show; put them on a container.
Text selection is here too, as it is about lines on the screen. Knows nothing of chat, no I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce
from itertools import zip_longest
from typing import ClassVar, Generic, NamedTuple, Self, TypeAlias

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.color import Color
from textual.content import Content
from textual.geometry import Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.theme import Theme
from textual.widget import Widget

from tui import frame_timer
from tui.frames import runs
from tui.widgets.finished_parts import filtered
from tui.widgets.list_item import ItemT
from tui.widgets.list_layout import ListLayout
from tui.widgets.selection_offsets import LineAddresses
from tui.widgets.strip_cache import StripCache
from tui.widgets.strip_text import addressed, extract, has_text, highlighted
from tui.widgets.thumb import ThumbView

Draw: TypeAlias = Callable[[ItemT, int, bool], list[Strip]]
"""(item, width in cells, selected) -> its lines."""


class TextPosition(NamedTuple):
    """A character of the list: index of its item, line in it, character in that line."""

    at: int
    line: int
    character: int


MOST_KNOWN = 160
"""Items whose lines are found without a cache lookup: a few screens of them."""
ENDLESS = 1 << 30
"""A character or line beyond every end."""


class ListCanvas(ThumbView, Generic[ItemT], inherit_bindings=False):
    """Paints a `ListLayout`; subclasses move it, and then call `project`."""

    DEFAULT_CSS = """
    ListCanvas {
        height: 1fr;
        overflow-y: scroll;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .list--marker { color: $text-muted; }
        & > .list--empty { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--marker", "list--empty"}
    FOLLOWS_END: ClassVar[bool] = True
    """Whether new items come at the end, as in a conversation."""
    KNOWS_HEIGHTS: ClassVar[bool] = False
    """Whether heights are known without drawing: the estimate is exact."""
    REPORTS_VIEWED: ClassVar[bool] = True
    """Whether `Viewed` is posted: nobody asks which rows beside a conversation were seen."""

    def __init__(
        self,
        draw: Draw[ItemT],
        *,
        empty: str,
        loading_above: str,
        loading_below: str,
        name: str | None,
        id: str | None,
        classes: str | None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._draw = draw
        self._empty = empty
        self._loading_above = loading_above
        self._loading_below = loading_below
        self._list = ListLayout[ItemT](
            self._estimate if self.KNOWS_HEIGHTS else self._measure, follows_end=self.FOLLOWS_END
        )
        self._strips = StripCache()
        self._addresses = LineAddresses()
        self._selected_key: object = None
        self._base_style = RichStyle.null()
        self._known_background: Color | None = None
        self._thumb: tuple[int, int] | None = None
        self._lines_of: dict[int, tuple[ItemT, list[Strip]]] = {}
        """The lines of items as they are drawn now, by the item's identity."""
        self._with_cursor: set[int] = set()
        """Those of them that were drawn with the cursor."""
        self._painted: list[Strip] = []
        self._is_painted = False
        """Whether `_painted` is up to date; anything that calls `refresh` may change it."""

    def redraw(self) -> None:
        """Draw every item again, since something outside of the items' revisions changed."""
        self._forget_lines()
        self._list.settle(to_end=self._list.following)
        self.project()

    def redraw_items(self, keys: Iterable[Hashable]) -> None:
        """Draw some items again whose heights are unchanged: nothing on screen moves."""
        for key in keys:
            self._strips.forget(key)
        self._lines_of.clear()
        self.refresh(self.size.region)

    def _redraw_cursor(self, item: ItemT | None) -> None:
        """Draw the items anew that the cursor leaves or comes to; lay out the list if their heights change."""
        layout, moved = self._list, {*self._with_cursor, id(item)}
        self._with_cursor.clear()
        for each in moved:
            self._lines_of.pop(each, None)
        placed = [each for each in layout.visible() if id(layout.items[each.at]) in moved]
        if any(layout.measure(layout.items[each.at]) != each.height for each in placed):
            layout.settle(to_end=layout.following)

    def set_empty(self, text: str) -> None:
        """Change the text that is shown when there are no items."""
        if text != self._empty:
            self._empty = text
            self.refresh()

    # Layout to screen

    def project(self) -> None:
        """Show the layout's state: Textual's scroll state, the scrollbar, the lines."""
        # An answer may come for a list that was closed.
        if not self._list.height or not self.is_attached:
            return
        y, lines = self._list.y, self._list.lines
        # Set without the watchers: those would lay out the whole screen for every line scrolled.
        self.set_reactive(Widget.virtual_size, Size(self._list.width, lines))
        self.set_reactive(Widget.scroll_y, float(y))
        self.set_reactive(Widget.scroll_target_y, float(y))
        self._move_thumb(y, lines)
        self._refresh_changed()

    def _exchange(self, items: Sequence[ItemT]) -> Sequence[int] | None:
        """Take items in the places of those before, and paint the lines of others; return which these are.

        None, and nothing done, if places change.
        """
        if not (self.KNOWS_HEIGHTS and self._is_painted and self.is_attached):
            return None
        if self.text_selection is not None:
            return None
        changed = self._list.exchange(items)
        if not changed:
            return changed
        painted, rows = self._painted, []
        for at in changed:
            if (placed := self._list.placed(at)) is None:
                continue
            for row, strip in enumerate(self._lines(items[at]), placed.row):
                if 0 <= row < len(painted) and painted[row] is not strip:
                    painted[row] = strip
                    rows.append(row)
        self._repaint(rows)
        return changed

    def _refresh_changed(self) -> None:
        """Repaint the rows that differ from those painted last."""
        before, self._painted = self._painted, self._rows()
        rows = [
            row
            for row, (old, new) in enumerate(zip_longest(before, self._painted))
            if old is not new
        ]
        self._repaint(rows)

    def _repaint(self, rows: Sequence[int]) -> None:
        """Draw rows of `_painted` with the next frame."""
        if rows:
            # Without the scrollbar beside them, which is painted when its thumb moves.
            width = self._list.width
            self.refresh(*(Region(0, row, width, count) for row, count in runs(rows)))
        self._is_painted = True

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As Textual's; also marks the rows as out of date."""
        self._is_painted = False
        if (
            regions
            and repaint
            and not layout
            and not recompose
            and frame_timer.draw(self, *regions)
        ):
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _set_dirty(self, *regions: Region) -> None:
        """As Textual's, without its cache of styled lines, which lists do not use, and without room for a border."""
        if not regions:
            super()._set_dirty()
        self._dirty_regions.update(regions)
        self._repaint_regions.update(regions)

    def _move_thumb(self, y: int, lines: int) -> None:
        """Update the scrollbar only when its thumb changes by an eighth of a cell."""
        height = self._list.height
        span = max(lines, 1)
        thumb = (max(1, height * height * 8 // span), y * height * 8 // span)
        if thumb != self._thumb:
            self._thumb = thumb
            bar = self.vertical_scrollbar
            bar.window_virtual_size = lines
            bar.window_size = height
            bar.position = y

    def _head(self, more_above: bool) -> int:
        """Return the lines of the marker above the items."""
        return int(more_above and bool(self._loading_above))

    def _foot(self, more_below: bool) -> int:
        """Return the lines of the marker below the items."""
        return int(more_below and bool(self._loading_below))

    def _at_row(self, row: int) -> tuple[int, int] | None:
        """Return index and line of the item on a screen row; None beyond the items."""
        for placed in self._list.visible():
            if placed.row <= row < placed.row + placed.height:
                return placed.at, row - placed.row
        return None

    # Textual's events

    def on_mount(self) -> None:
        """Follow the theme."""
        self._base_style = self.visual_style.rich_style
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)

    def _theme_changed(self, _theme: Theme) -> None:
        self.redraw()

    def notify_style_update(self) -> None:
        """Draw again if the colors below the items changed."""
        super().notify_style_update()
        self._known_background = None
        if self.is_mounted and (style := self.visual_style.rich_style) != self._base_style:
            self._base_style = style
            self.redraw()

    def _on_focus(self, event: events.Focus) -> None:
        """As Textual's, which paints the whole list: here only the cursor's item differs."""
        event.prevent_default()
        self.has_focus = True
        if self.parent is not None:
            self.parent.post_message(events.DescendantFocus(self))

    def _on_blur(self, event: events.Blur) -> None:
        """As Textual's; see `_on_focus`."""
        event.prevent_default()
        self.has_focus = False
        if self.parent is not None:
            self.parent.post_message(events.DescendantBlur(self))

    # Painting

    def _measure(self, item: ItemT) -> int:
        return len(self._lines(item))

    def _estimate(self, item: ItemT) -> int:
        return item.estimate(self._list.width)

    def _lines(self, item: ItemT) -> list[Strip]:
        """Return the lines of an item, drawing it if need be."""
        known = self._lines_of.get(id(item))
        if known is not None and known[0] is item:
            return known[1]
        selected = item.key == self._selected_key and self.has_focus
        strips = self._strips.get(item.key, item.revision, selected)
        if strips is None:
            drawn = self._draw(item, self._list.width, selected)
            strips = self._finish(drawn or [Strip.blank(self._list.width)])
            self._strips.put(item.key, item.revision, selected, strips)
        if len(self._lines_of) >= MOST_KNOWN:
            self._lines_of.clear()
        self._lines_of[id(item)] = item, strips
        if selected:
            self._with_cursor.add(id(item))
        return strips

    def _forget_lines(self) -> None:
        self._strips.clear()
        self._lines_of.clear()

    def _finish(self, strips: list[Strip]) -> list[Strip]:
        """Apply what Textual's style pass would do: base style, width, filters of the terminal.

        At once: a `Strip` keeps each one made of it, with caches of its own.
        """
        base, width = self._base_style, self._list.width
        filters, background = self.get_line_filters(), self._background
        finished: list[Strip] = []
        for strip in strips:
            segments = [*Segment.apply_style(strip, base)]
            if strip.cell_length < width:
                segments.append(Segment(" " * (width - strip.cell_length), base))
            elif strip.cell_length > width:
                segments = [*Strip(segments, strip.cell_length).crop(0, width)]
            finished.append(Strip(filtered(segments, filters, background), width))
        return finished

    @property
    def _background(self) -> Color:
        """The color behind the list, for filters; kept where no ancestor's color shows through."""
        if self._known_background is not None:
            return self._known_background
        background = self.background_colors[1]
        if self.styles.background.a == 1 and not self.styles.has_rule("background_tint"):
            self._known_background = background
        return background

    def _filtered(self, strips: Iterable[Strip]) -> list[Strip]:
        """Apply the terminal's color filters."""
        filters, background = self.get_line_filters(), self._background
        return [
            reduce(lambda line, each: line.apply_filter(each, background), filters, strip)
            for strip in strips
        ]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of a part of the screen; the same objects while nothing changes."""
        if not self._is_painted:
            self._painted, self._is_painted = self._rows(), True
        rows = self._painted[crop.y : crop.bottom]
        if len(rows) < crop.height:
            blank = Strip.blank(max(crop.width, self._list.width), self._base_style)
            rows += self._filtered([blank]) * (crop.height - len(rows))
        if crop.x or crop.width < self._list.width:
            return [row.crop(crop.x, crop.right) for row in rows]
        return rows

    def _rows(self) -> list[Strip]:
        """Return all rows on screen, from the first to the last line of the list."""
        layout = self._list
        if not layout.items:
            return self._centered(self._empty, "list--empty", layout.height)
        rows: list[Strip] = []
        if layout.line < 0:
            rows += self._centered(self._loading_above, "list--marker", -layout.line)
        bounds = self._bounds(self.text_selection)
        for placed in layout.visible():
            strips = self._lines(layout.items[placed.at])
            if bounds is not None:
                strips = self._lit(placed.at, strips, *bounds)
            rows += strips[max(0, -placed.row) :]
        if layout.at_end and layout.foot:
            rows += self._centered(self._loading_below, "list--marker", layout.foot)
        return rows[: layout.height]

    def _centered(self, text: str, component: str, height: int) -> list[Strip]:
        width = self._list.width
        style = self.get_component_rich_style(component)
        # Beside the scrollbar there may be no column left, and nothing wraps there.
        lines = [line.plain for line in Content(text).wrap(max(1, width))][:height]
        strips = [Strip([Segment(line, style)]) for line in lines]
        return self._filtered(
            Strip.align(strips, self._base_style, width, height, "center", "middle")
        )

    # Text selection

    def render_line(self, y: int) -> Strip:
        """Return one row with the address of every character, for the mouse; painting does not use it."""
        layout = self._list
        if (place := self._at_row(y)) is not None:
            index, line = place
            strip = self._lines(layout.items[index])[line]
            return addressed(strip, self._addresses.address(index, line))
        index = 0 if layout.line < 0 and y < -layout.line else len(layout.items)
        blank = Strip.blank(layout.width, self._base_style)
        return addressed(blank, self._addresses.address(index, 0))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text and the separator to the next widget's.

        An open side of the selection, which continues in another widget, ends at the edge of the screen.
        """
        if (bounds := self._bounds(selection)) is None:
            return None
        start, end = bounds
        texts: list[str] = []
        for index in range(start.at, end.at + 1):
            item = self._list.items[index]
            strips = self._lines(item)
            if not item.selectable and not has_text(strips):
                continue
            first = (start.character, start.line) if index == start.at else (0, 0)
            last = (end.character, end.line) if index == end.at else (ENDLESS, ENDLESS)
            texts.append(extract(strips, first, last))
        return "\n".join(texts), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002  # Textual's signature
        """Paint the selection."""
        self.refresh(self.size.region)

    def _bounds(self, selection: Selection | None) -> tuple[TextPosition, TextPosition] | None:
        """Return the first and the end character of a selection; None if it is empty."""
        visible = [] if selection is None else self._list.visible()
        if selection is None or not visible:
            return None
        first, last = visible[0], visible[-1]
        start = TextPosition(first.at, max(0, -first.row), 0)
        end = TextPosition(last.at, self._list.height - last.row - 1, ENDLESS)
        if selection.start is not None:
            start = TextPosition(*self._addresses.locate(selection.start.y), selection.start.x)
        if selection.end is not None:
            end = TextPosition(*self._addresses.locate(selection.end.y), selection.end.x)
        final = len(self._list.items) - 1
        start = max(start, TextPosition(0, 0, 0))
        end = min(end, TextPosition(final, ENDLESS, ENDLESS))
        return None if start >= end else (start, end)

    def _lit(
        self, index: int, strips: list[Strip], start: TextPosition, end: TextPosition
    ) -> list[Strip]:
        """Return the lines of an item with the selected part highlighted."""
        if not start.at <= index <= end.at:
            return strips
        style = self.screen.get_component_rich_style("screen--selection")
        if not self.screen.get_component_styles("screen--selection").color.a:
            style = RichStyle(bgcolor=style.bgcolor)  # transparent: the text keeps its colors
        marked = has_text(strips)
        lit: list[Strip] = []
        for line, strip in enumerate(strips):
            left = start.character if (index, line) == start[:2] else 0
            right = end.character if (index, line) == end[:2] else ENDLESS
            inside = start[:2] <= (index, line) <= end[:2]
            lit.append(highlighted(strip, left, right, style, marked) if inside else strip)
        return lit

    def _selection_bounds(self) -> tuple[TextPosition, TextPosition] | None:
        return self._bounds(self.text_selection) if self.is_mounted else None

    def _forget_text_selection(self) -> None:
        # A change may arrive for a list that was closed; Textual's `is_mounted` stays true for ever.
        if self.is_attached and self.text_selection is not None:
            self.screen.clear_selection()
