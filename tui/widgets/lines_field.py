"""Textual's field for several lines, with fixes. Knows nothing of messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import Selection, TextAreaTheme

from tui import dispatch, frame_timer
from tui.content import pasted
from tui.widgets import typed_row
from tui.widgets.typed_row import RowLook

Row: TypeAlias = tuple[object, ...]
"""All that a row shows: its text, whether the cursor is in its line, and the cursor or selection in it."""

LINE_BREAKS: Final = frozenset({"alt+enter", "shift+enter", "ctrl+j"})
"""Beside Enter; a composer has its own, which the user can change."""


class LinesField(TextArea):
    """A text area whose pastes are freed of control characters."""

    selection: Reactive[Selection] = Reactive(
        Selection(), init=False, always_update=True, repaint=False
    )
    """As Textual's; only the rows that look different are painted anew, of a long text and the lines around it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._rows: list[Row] = []
        """The rows as they were when the text or the selection changed last; empty if unknown."""
        self._look: RowLook | None = None
        """The look of the cursor's row as it was drawn last by Textual; None if rows like it cannot be derived."""
        self._above = 0
        """Rows of borders and padding above the text."""
        self._styled_theme: TextAreaTheme | None = None
        """The theme whose styles are up to date."""
        super().__init__(*args, **options)

    def post_message(self, message: Message) -> bool:
        """As Textual's; what changed goes to those above, who alone are interested in it.

        A field without the focus uses its own queue: those above ask for the focus, which is still on its way.
        """
        if self.has_focus and isinstance(message, TextArea.Changed | TextArea.SelectionChanged):
            return dispatch.post_up(self, message)
        return super().post_message(message)

    def notify_style_update(self) -> None:
        """Compute the theme's styles again."""
        self._styled_theme = self._look = None
        super().notify_style_update()

    def render_lines(self, crop: Region) -> list[Strip]:
        """As Textual's, which computes the theme's styles anew for each character."""
        if self._styled_theme is not self._theme:
            self._styled_theme = self._theme
            self._theme.apply_css(self)
        if (strip := self._drawn_as_before(crop)) is not None:
            return [strip]
        strips = super(TextArea, self).render_lines(crop)
        self._look = self._look_of(crop, strips)
        return strips

    def render_line(self, y: int) -> Strip:
        """As Textual's, which cannot wrap the placeholder where padding leaves no column for it."""
        return super().render_line(y) if self.content_size.width > 0 else Strip([])

    def on_resize(self) -> None:
        """Keep the cursor in sight where other line breaks move it."""
        self.call_next(self.scroll_cursor_visible)  # Textual breaks the lines after this

    def _drawn_as_before(self, crop: Region) -> Strip | None:
        """Return the cursor's row in the look it had, if that is still its look."""
        look = self._look
        if not typed_row.holds(look, self, crop):
            return None
        text, at = self._cursor_row(crop.y - self._above)
        if not text or len(text) > look.width:
            return None
        return typed_row.draw(look, text, at if self._draw_cursor else None)

    def _look_of(self, crop: Region, strips: list[Strip]) -> RowLook | None:
        """Return the look of the cursor's row if it was drawn, whole, with the cursor; else None."""
        if (crop.x, crop.width) != (0, self._styles_cache._width) or not self._draw_cursor:
            return None
        gutter, width = self.styles.gutter, self.content_size.width
        if self.show_vertical_scrollbar or not typed_row.has_fixed_colors(self):
            return None
        self._above = gutter.top
        for y, strip in enumerate(strips, crop.y - gutter.top):
            text, at = self._cursor_row(y)
            if text:
                return typed_row.look_of(strip, gutter.left, width, text, at)
        return None

    def _cursor_row(self, y: int) -> tuple[str, int]:
        """Return the text of a row, and the place of the cursor in it; no text where it is not the cursor's row,
        or shows more than plain text and the cursor. `y` does not count borders and padding.
        """
        if not 0 <= y < self.size.height:
            return "", 0
        special = self._matching_bracket_location is not None or self._highlights or self.suggestion
        if special or not self.soft_wrap or self.show_line_numbers or not self.selection.is_empty:
            return "", 0
        wrapped, (row, column) = self.wrapped_document, self.selection.end
        rows = wrapped._offset_to_line_info[self.scroll_offset.y + y :][:1]
        if not rows or rows[0][0] != row:
            return "", 0
        text = self.document.get_line(row) + " "  # for the cursor at the end
        start, end = 0, len(text)
        if offsets := wrapped.get_offsets(row):
            section = rows[0][1]
            start, end = [0, *offsets][section], [*offsets, end][section]
        text = text[start:end]
        if not start <= column < end or not typed_row.is_plain(text) or not text.strip():
            return "", 0
        return text, column - start

    def _watch_selection(self, previous_selection: Selection, selection: Selection) -> None:
        super()._watch_selection(previous_selection, selection)
        before, self._rows = self._rows, list(self._shown_rows()) if self.is_mounted else []
        if len(before) != len(self._rows) or not before:
            self.refresh()
            return
        changed = [row for row, shown in enumerate(self._rows) if shown != before[row]]
        regions = [Region(0, row, self.size.width, 1) for row in changed]
        if regions and not frame_timer.draw(self, *regions):
            self.refresh(*regions)

    def _rewrap_and_refresh_virtual_size(self) -> None:
        super()._rewrap_and_refresh_virtual_size()
        self._rows = []
        self.refresh()

    def _shown_rows(self) -> Iterator[Row]:
        """Yield the rows on screen; none where other rows than the cursor's may look different."""
        if not self.text or self._matching_bracket_location is not None:
            return
        wrapped, top = self.wrapped_document, self.scroll_offset.y
        (first, _), (last, _) = sorted(self.selection)
        row, column = self.selection.end
        for line, section in wrapped._offset_to_line_info[top : top + self.size.height]:
            text = self.document.get_line(line)
            start, end = 0, len(text)
            if offsets := wrapped.get_offsets(line):
                start, end = [0, *offsets][section], [*offsets, end][section]
            place: object = None
            if not self.selection.is_empty and first <= line <= last:
                place = self.selection
            elif row == line and start <= column <= end:
                place = column - start
            # The width of a tab depends on what is before it.
            shown = text if "\t" in text else text[start:end]
            yield shown, section, row == line, place, top

    async def _on_key(self, event: events.Key) -> None:
        if event.key in LINE_BREAKS:
            event.prevent_default()
            event.stop()
            self.put_in("\n")
            return
        await super()._on_key(event)

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.put_in(pasted.fit(event.text)[0])

    def put_in(self, text: str) -> None:
        """Replace the selection by `text`, as one step of undo."""
        if not text:
            return
        self.history.checkpoint()
        result = self.replace(text, *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)
        self.history.checkpoint()

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """As Textual's, which computes regions to find that wrapped text need not scroll."""
        if center or animate or not (self.soft_wrap and self._has_cursor):
            return super().scroll_cursor_visible(center, animate)
        self._recompute_cursor_offset()
        if 0 <= self._cursor_offset[1] - self.scroll_offset.y < self.size.height:
            return Offset()
        return super().scroll_cursor_visible()

    def _recompute_cursor_offset(self) -> None:
        # While many lines are undone, and the scrollbar goes with them, the cursor is still where they were:
        # Textual looks it up there, and crashes.
        at = self.clamp_visitable(self.cursor_location)
        self._cursor_offset = self.wrapped_document.location_to_offset(at)
