"""The rows of the lists at the sides -> lines ready to draw. Pure: no widget, no store."""

from typing import Final

from textual.strip import Strip
from textual.style import Style

from tui.view.people import PersonRow
from tui.view.presence import PresenceState
from tui.view.sidebar import SidebarRow
from tui.widgets.content_lines import Line, Run, line_cells, padded, shortened, to_strips
from tui.widgets.look import CURSOR, Look

_DOTS: Final[dict[PresenceState, str]] = {
    "active": "●",
    "idle": "◐",
    "offline": "○",
    "bot": "⚙",
}


def dot(state: PresenceState, look: Look) -> Run:
    """Presence as a sign that also differs by shape."""
    style = look.good if state == "active" else look.muted
    return Run(_DOTS[state], style)


def count_text(count: int) -> str:
    """An unread count that never needs more than four cells."""
    return "" if not count else str(count) if count < 1000 else "999+"


def draw_sidebar_row(row: SidebarRow, width: int, look: Look) -> list[Strip]:
    """One line, with its count at the right; headings have an empty line above."""
    if row.kind == "section":
        line: Line = [Run(f" {row.label}", look.muted + Style(bold=True))]
        return [Strip.blank(width), *to_strips([line])]
    label, count = _styles(row, look)
    left = _left(row, look)
    number = count_text(row.count)
    if row.is_mention and number and row.kind != "direct":
        number = f"@{number}" if row.kind != "view" else number
    room = width - line_cells(left) - len(number) - (2 if number else 1)
    line = [*left, Run(shortened(row.label, max(room, 2)), label)]
    missing = width - line_cells(line) - len(number) - 1
    line += [Run(" " * max(missing, 0), look.base), Run(number, count), Run(" ", look.base)]
    if row.is_open:
        line[0] = Run(CURSOR, look.accent)
    return _filled([line], width, look)


def _left(row: SidebarRow, look: Look) -> Line:
    """The edge, the indent and the mark of a row."""
    edge = Run(" ", look.base)
    match row.kind:
        case "topic":
            sign = "⚑" if row.is_followed else " "
            return [edge, Run("  ", look.base), Run(f"{sign} ", look.muted)]
        case "more":
            return [edge, Run("    " if row.channel_id else "+ ", look.muted)]
        case "direct":
            mark = dot(row.presence, look) if row.presence else Run(row.mark or " ", look.muted)
            return [edge, mark, Run(" ", look.base)]
        case _:
            style = look.channel(row.color) if row.color and not row.is_muted else look.muted
            return [edge, Run(row.mark, style), Run(" ", look.base)]


def _styles(row: SidebarRow, look: Look) -> tuple[Style, Style]:
    """How the name and the count look."""
    count = look.faint if row.is_quiet else look.accent + Style(bold=row.is_mention)
    if row.kind == "more" or row.is_muted:
        return look.muted, count
    if row.count and not row.is_quiet and row.kind != "view":
        return look.unread, count
    return look.palette.base, count


def draw_person_row(row: PersonRow, width: int, look: Look) -> list[Strip]:
    """Presence, name, and what they say under it."""
    if row.user_id is None:
        heading: Line = [
            Run(f" {row.name} ", look.muted + Style(bold=True)),
            Run(str(row.count), look.faint),
        ]
        return [Strip.blank(width), *to_strips([heading])]
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
        said = shortened(row.status, max(2, width - 4))
        lines.append([edge, Run("  ", look.base), Run(said, look.muted)])
    return _filled(lines, width, look)


def _filled(lines: list[Line], width: int, look: Look) -> list[Strip]:
    """The lines on the look's own background, from edge to edge."""
    base = look.base.rich_style
    return [
        strip.apply_style(base)
        for strip in to_strips(padded(line, width, look.base) for line in lines)
    ]
