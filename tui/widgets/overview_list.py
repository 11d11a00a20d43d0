"""The list of an overview: conversation, quoted message, time, unread count. No store."""

from typing import ClassVar

from textual.binding import BindingType
from textual.strip import Strip
from textual.style import Style

from tui import keys
from tui.view.overview import OverviewRow
from tui.widgets.content_lines import Line, Run, cells, line_cells, padded, shortened, to_strips
from tui.widgets.message_list import MessageList
from tui.widgets.row_lists import Looks
from tui.widgets.row_styles import CURSOR, RowStyles
from tui.widgets.sidebar_rows import count_text, unread_counts


class OverviewList(MessageList[OverviewRow]):
    """Hidden until an overview is opened."""

    DEFAULT_CSS = """
    OverviewList { display: none; background: $background; color: $foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.OVERVIEW)]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(self._draw_row, id=id)
        self._looks = Looks("background")
        self._hinted: frozenset[str] = frozenset()

    def offers(self, action: str) -> bool:
        """Whether the hints show an action: one that applies to the row under the cursor."""
        act = action.removeprefix("screen.place('").removesuffix("')")
        return act == action or act in self._actions

    @property
    def _actions(self) -> frozenset[str]:
        return frozenset() if self.selected is None else self.selected.actions

    def _changed(self) -> None:
        super()._changed()
        if self._hinted != self._actions:
            self._hinted = self._actions
            self.refresh_bindings()  # the results of `offers` may differ now

    def _draw_row(self, row: OverviewRow, width: int, selected: bool) -> list[Strip]:
        self._looks.follow(self.app.theme_variables)
        look = self._looks.of(selected=selected)
        return draw_overview_row(row, width, look, selected=selected)


def draw_overview_row(
    row: OverviewRow, width: int, look: RowStyles, *, selected: bool = False
) -> list[Strip]:
    """Return two lines: the conversation with its count and time, and below the quoted message."""
    if row.conversation is None:
        heading: Line = [Run(f" {row.place}", look.muted + Style(bold=True))]
        return [Strip.blank(width), *to_strips([heading])]
    lines = [_head(row, width, look), _detail_line(row, width, look)]
    if selected:
        bar = Run(CURSOR, look.accent)
        lines = [[bar, first._replace(text=first.text[1:]), *rest] for first, *rest in lines]
    base = look.base.rich_style
    return [
        strip.apply_style(base)
        for strip in to_strips(padded(line, width, look.base) for line in lines)
    ]


def _head(row: OverviewRow, width: int, look: RowStyles) -> Line:
    counts = (
        unread_counts(row.count, row.mentions, look)
        if row.topic
        else [Run(count_text(row.count), look.accent)]  # direct messages are always for the user
    )
    right: Line = [Run("  ", look.base), *counts, Run(f"  {row.time:>5} ", look.muted)]
    room = width - line_cells(right) - 3
    weight = Style(bold=bool(row.count) and not row.is_muted)
    style = look.muted if row.is_muted else look.palette.base + weight
    channel = look.channel(row.color) + weight if row.color and not row.is_muted else style
    sign = "⚑ " if row.is_followed else "  "
    place = shortened(row.place, max(8, room // 2) if row.topic else max(8, room))
    left: Line = [Run(f" {sign}", look.accent), Run(place, channel)]
    if row.topic:
        left.append(Run(" › ", look.muted))
        left.append(Run(shortened(row.topic, max(4, width - line_cells(left + right))), style))
    gap = max(0, width - line_cells(left) - line_cells(right))
    return [*left, Run(" " * gap, look.base), *right]


def _detail_line(row: OverviewRow, width: int, look: RowStyles) -> Line:
    """Return the quoted message with its sender; a sign where the user has written too."""
    mark = " ↩ " if row.has_taken_part else "   "
    line: Line = [Run(mark, look.faint)]
    if row.sender:
        line.append(Run(f"{shortened(row.sender, 24)}: ", look.muted))
    room = max(2, width - line_cells(line) - 2)
    excerpt = shortened(row.line, room) if row.line else "…"
    return [*line, Run(excerpt if cells(excerpt) <= room else "", look.muted)]
