"""A list of lines to choose from, drawn only when they get on screen. Knows no choices.

Textual's list makes and measures all of them at each letter, and renders each row again. Its keys move the
cursor where a dialog lets it have the focus; where a field keeps that, they are the dialog's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import ClassVar, Literal, Self, TypeAlias

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from tui import dispatch, frame_timer
from tui.widgets.finished_parts import filtered
from tui.widgets.thumb import ThumbView

Part: TypeAlias = tuple[str, Style]
"""Sanitized text, with a style over that of the line."""
Look: TypeAlias = Literal["plain", "cursor", "hover"]


class ChoiceList(ThumbView, can_focus=False, inherit_bindings=False):
    """Shows lines of one row each; the cursor stands on a line that can be chosen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice-list--cursor", "choice-list--hover"}
    DEFAULT_CSS = """
    ChoiceList {
        overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1;
        & > .choice-list--hover { background: $block-hover-background; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "Next", show=False),
        Binding("up", "move(-1)", "Previous", show=False),
        Binding("pagedown", "move_page(1)", "Page down", show=False),
        Binding("pageup", "move_page(-1)", "Page up", show=False),
        Binding("home", "move_all(-1)", "First line", show=False),
        Binding("end", "move_all(1)", "Last line", show=False),
        Binding("enter", "choose", "Choose", show=False),
    ]

    class Moved(Message):
        """Posted when the cursor or the lines change."""

    class Chosen(Message):
        """Posted when a line is chosen by a click or Enter, with its index."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None, can_focus: bool = False) -> None:
        super().__init__(id=id)
        self.can_focus = can_focus
        self.count = 0
        self._draw: Callable[[int], Sequence[Part]] = lambda _: ()
        self._fixed: AbstractSet[int] = frozenset()
        self._cursor: int | None = None
        self._hovered: int | None = None
        self._strips: dict[tuple[int, Look], Strip] = {}
        self._bases: dict[Look, RichStyle] = {}

    def show(
        self,
        count: int,
        draw: Callable[[int], Sequence[Part]],
        *,
        at: int | None,
        fixed: AbstractSet[int] = frozenset(),
    ) -> None:
        """Show `count` lines, each drawn by `draw` when it is on screen; those in `fixed` cannot be chosen.

        The cursor stands on line `at`; what was scrolled stays so where that shows it. Without lines, `draw(0)` says
        that there are none.
        """
        if not count:
            count, at, fixed = 1, None, {0}
        self.count, self._draw, self._fixed = count, draw, fixed
        self._cursor, self._hovered = at, None
        self._strips.clear()
        if self.virtual_size.height != count:
            self.virtual_size = Size(0, count)
        self._reveal()
        self.refresh()
        dispatch.post_up(self, self.Moved())

    def take_rows(self, most: int) -> None:
        """Take as many rows as there are lines, at most `most`."""
        self.styles.height = max(1, min(self.count, most))
        if not self.size:
            # The first layout has a place for the scrollbar: Textual makes one after it, and another layout.
            self.set_reactive(Widget.show_vertical_scrollbar, self.count > most)

    @property
    def cursor(self) -> int | None:
        """The index of the line under the cursor."""
        return self._cursor

    @cursor.setter
    def cursor(self, at: int | None) -> None:
        if at != self._cursor:
            before, self._cursor = self._cursor, at
            self._refresh_lines(before, at)
            self._reveal()
            dispatch.post_up(self, self.Moved())

    @property
    def lines(self) -> list[str]:
        """The texts of all lines."""
        return ["".join(text for text, _ in self._draw(index)) for index in range(self.count)]

    def action_move(self, lines: int) -> None:
        """Move the cursor by so many lines that can be chosen, at most to the first or the last."""
        if self._cursor is None:
            return
        step, end = (1, self.count) if lines > 0 else (-1, -1)
        there = (at for at in range(self._cursor + step, end, step) if at not in self._fixed)
        self.cursor = [self._cursor, *islice(there, abs(lines))][-1]

    def action_move_page(self, pages: int) -> None:
        """Move the cursor by so many windows."""
        self.action_move(pages * max(1, self.scrollable_content_region.height - 1))

    def action_move_all(self, way: int) -> None:
        """Move the cursor to the first line (-1) or the last (1)."""
        self.action_move(way * self.count)

    def action_choose(self) -> None:
        """Choose the line under the cursor."""
        if self._cursor is not None:
            self.post_message(self.Chosen(self._cursor))

    def _reveal(self) -> None:
        """Scroll to the cursor; on the first line, to the headings above it."""
        at, height = self._cursor, self.scrollable_content_region.height
        if at is None:
            self._scroll(0)
        if at is None or not height:
            return
        top = max(0, min(self.scroll_offset.y, self.count - height))
        if all(index in self._fixed for index in range(at)):
            top = 0
        self._scroll(min(max(top, at - height + 1), at))

    def _scroll(self, top: int) -> None:
        if top != self.scroll_y:
            # Without the watchers, which lay out the whole screen.
            self.set_reactive(Widget.scroll_y, float(top))
            self.set_reactive(Widget.scroll_target_y, float(top))
            self.vertical_scrollbar.position = top
            self.refresh()

    def _refresh_lines(self, *indexes: int | None) -> None:
        top, size = self.scroll_offset.y, self.size
        rows = [each - top for each in indexes if each is not None]
        if regions := [Region(0, row, size.width, 1) for row in rows if 0 <= row < size.height]:
            self.refresh(*regions)

    def on_resize(self) -> None:
        """Draw at the new width, with the cursor on screen."""
        self._strips.clear()
        self._reveal()

    def notify_style_update(self) -> None:
        """Draw in the new colors."""
        super().notify_style_update()
        self._strips.clear()
        self._bases.clear()

    # The mouse

    def _at(self, event: events.MouseEvent) -> int | None:
        """Return the line at the mouse, None if it cannot be chosen."""
        index = event.y + self.scroll_offset.y
        return index if 0 <= index < self.count and index not in self._fixed else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the line that a click would choose."""
        self._hover(self._at(event))

    def on_leave(self) -> None:
        """Remove the highlight."""
        self._hover(None)

    def _hover(self, at: int | None) -> None:
        if at != self._hovered:
            before, self._hovered = self._hovered, at
            self._refresh_lines(before, at)

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked line."""
        if (index := self._at(event)) is not None:
            self.cursor = index
            self.post_message(self.Chosen(index))

    # Painting

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As Textual's, with the next frame of the screen: no other task is woken for it."""
        if repaint and not layout and not recompose and frame_timer.draw(self, *regions):
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows of a region; each line is drawn once and cached."""
        top, width = self.scroll_offset.y, self.scrollable_content_region.width
        indexes = range(top + crop.y, top + crop.bottom)
        missing = [each for each in indexes if (each, self._look(each)) not in self._strips]
        if missing:
            filters, background = self.get_line_filters(), self.background_colors[1]
            lines = [self._drawn(index, width) for index in missing]
            # Filters change one segment after the other.
            parts = iter(filtered([each for line in lines for each in line], filters, background))
            for index, line in zip(missing, lines, strict=True):
                self._strips[index, self._look(index)] = Strip(islice(parts, len(line)), width)
        rows = [self._strips[index, self._look(index)] for index in indexes]
        if crop.x or crop.width < width:
            return [row.crop(crop.x, crop.right) for row in rows]
        return rows

    def _look(self, index: int) -> Look:
        if index == self._cursor:
            return "cursor"
        return "hover" if index == self._hovered else "plain"

    def _drawn(self, index: int, width: int) -> list[Segment]:
        """Return a line: its text, cut or padded to the width."""
        base = self._base(self._look(index))
        parts = self._draw(index) if index < self.count else ()
        segments = [Segment(text, base + style.rich_style) for text, style in parts if text]
        filled = sum(each.cell_length for each in segments)
        if filled > width:
            cut = [*Strip(segments, filled).crop(0, max(0, width - 1))]
            segments = [*cut, Segment("…", cut[-1].style if cut else base)]
            filled = sum(each.cell_length for each in segments)
        if filled < width:
            segments.append(Segment(" " * (width - filled), base))
        return segments

    def _base(self, look: Look) -> RichStyle:
        if (base := self._bases.get(look)) is None:
            plain = look == "plain"
            visual = self.visual_style if plain else self.get_visual_style(f"choice-list--{look}")
            base = self._bases[look] = visual.rich_style
        return base
