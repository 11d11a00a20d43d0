"""Rows of the lists at the sides -> lines of styled text. Pure: no widget, no store."""

from typing import Final

from textual.style import Style

from tui.view.people import PersonRow
from tui.view.presence import PresenceState
from tui.view.sidebar_rows import SidebarRow
from tui.widgets.content_lines import Line, Run, cells, line_cells, padded, shortened
from tui.widgets.row_styles import CURSOR, RowStyles

_DOTS: Final[dict[PresenceState, str]] = {
    "active": "●",
    "idle": "◐",
    "offline": "○",
    "bot": "⚙",
}


def dot(state: PresenceState, look: RowStyles) -> Run:
    """Return presence as a sign that also differs by shape."""
    style = look.good if state == "active" else look.muted
    return Run(_DOTS[state], style)


def count_text(count: int) -> str:
    """Format an unread count in at most four cells."""
    return "" if not count else str(count) if count < 1000 else "999+"


def draw_sidebar_row(row: SidebarRow, width: int, look: RowStyles) -> list[Line]:
    """Return one line, with its count at the right; headings but the first have an empty one above."""
    left = _left(row, look)
    counts = _counts(row, look)
    taken = line_cells(left) + line_cells(counts)
    label = shortened(row.label, max(width - taken - (2 if counts else 1), 2))
    missing = width - taken - cells(label) - 1
    line: Line = [*left, Run(label, _label(row, look))]
    line += [Run(" " * max(missing, 0), look.base), *counts, Run(" ", look.base)]
    if row.is_open:
        line[0] = Run(CURSOR, look.accent)
    return [line] if row.height == 1 else [[], line]


def _counts(row: SidebarRow, look: RowStyles) -> Line:
    """Return the unread counts. Direct messages and mentions need only one number."""
    if not row.count:
        return []
    number = count_text(row.count)
    if row.is_quiet:
        return [Run(number, look.muted)]
    if row.mentions and row.kind in ("view", "direct"):
        return [Run(number, look.accent + Style(bold=True))]
    return unread_counts(row.count, row.mentions, look)


def unread_counts(count: int, mentions: int, look: RowStyles) -> Line:
    """Return `24`, or `@2 24`: mentions and direct messages in the accent's color, then all messages."""
    number = Run(count_text(count), look.palette.base)
    if not count or not mentions:
        return [number] if count else []
    line = [Run(f"@{count_text(mentions)}", look.accent + Style(bold=True))]
    return [*line, number._replace(text=f" {number.text}")] if mentions < count else line


def _left(row: SidebarRow, look: RowStyles) -> Line:
    """Return the edge, the indent and the mark of a row."""
    edge = Run(" ", look.base)
    match row.kind:
        case "section":
            return [edge, Run("▸ " if row.is_collapsed else "▾ ", look.muted)]
        case "topic":
            sign = "⚑" if row.is_followed else " "
            return [edge, Run("  ", look.base), Run(f"{sign} ", look.muted)]
        case "more":
            indent = "    " if row.channel_id else "+ " if row.target else "  "
            return [edge, Run(indent, look.muted)]
        case "direct":
            mark = dot(row.presence, look) if row.presence else Run(row.mark or " ", look.muted)
            return [edge, mark, Run(" ", look.base)]
        case _:
            style = look.channel(row.color) if row.color and not row.is_muted else look.muted
            return [edge, Run(row.mark, style), Run(" ", look.base)]


def _label(row: SidebarRow, look: RowStyles) -> Style:
    """Return the style of the name."""
    if row.kind == "section":
        return look.muted + Style(bold=True)
    if row.kind == "more" or row.is_muted:
        return look.muted
    if row.count and not row.is_quiet and row.kind != "view":
        return look.unread
    return look.palette.base


def draw_person_row(row: PersonRow, width: int, look: RowStyles) -> list[Line]:
    """Return presence and name, and below them the status."""
    if row.user_id is None:
        heading: Line = [
            Run(f" {row.name} ", look.muted + Style(bold=True)),
            Run(str(row.count), look.faint),
        ]
        return [[], heading]
    edge = Run(" ", look.base)
    number = count_text(row.count)
    style = look.muted if row.presence == "offline" else look.palette.base
    if row.count:
        style = look.unread
    room = width - 4 - len(number)
    line: Line = [
        edge,
        dot(row.presence, look),
        Run(" ", look.base),
        Run(shortened(row.name, max(2, room)), style),
    ]
    missing = width - line_cells(line) - len(number) - 1
    line += [Run(" " * max(missing, 0), look.base), Run(number, look.accent), Run(" ", look.base)]
    lines = [line]
    if row.status:
        status = shortened(row.status, max(2, width - 4))
        lines.append([edge, Run("  ", look.base), Run(status, look.muted)])
    return [padded(line, width, look.base) for line in lines]
