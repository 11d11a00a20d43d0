"""Rows of a conversation -> lines ready to draw. Pure: no widget, no store.

Clickable parts have meta in their segments: that of `content` (`link`, `spoiler`, `user`, `picture`…), of
`ballot_lines` (`ballot`), and `chip` (index of a reaction), `react`, `sender`, `fold` (the line below a long
message), `act` (an action on an echo).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, assert_never

from textual.strip import Strip
from textual.style import Style

from tui.view.counts import counted
from tui.view.rows import (
    UNFOLDED,
    Chip,
    ConversationRow,
    DateRow,
    EchoRow,
    HeaderRow,
    MessageRow,
    UnreadRow,
)
from tui.widgets.content import draw
from tui.widgets.content_inline import Reader
from tui.widgets.content_lines import (
    Line,
    Run,
    cells,
    line_cells,
    padded,
    shortened,
    to_strips,
    wrap,
)
from tui.widgets.pictures import Pictures
from tui.widgets.poll_lines import draw_ballot
from tui.widgets.row_styles import CURSOR, RowStyles

GUTTER: Final = 3
"""Cells left of a message: the cursor's bar, its mark, and a space; as in the lists at the sides."""

READING_WIDTH: Final = 120
"""In cells; longer lines are hard to read."""

UNREAD: Final = "•"
MENTION: Final = "@"


@lru_cache(maxsize=64)
def meta(name: str, value: int | str) -> Style:
    """Return a style with only meta, for clicks."""
    data: dict[str, Any] = {name: value}
    return Style.from_meta(data)


def draw_row(
    row: ConversationRow,
    width: int,
    look: RowStyles,
    reader: Reader,
    *,
    selected: bool,
    pictures: Pictures | None = None,
    fold: int = 0,
) -> list[Strip]:
    """Return the lines of a row; `look` is that of a selected row where it is one.

    `fold`: a longer message shows so many lines until it is unfolded; 0: all of them.
    """
    match row:
        case MessageRow():
            return _message(row, width, look, reader, pictures, selected=selected, fold=fold)
        case EchoRow():
            return _echo(row, width, look, selected=selected)
        case DateRow():
            return _rule(row.text, width, look.faint, look.muted)
        case UnreadRow():
            text = "new" if row.count <= 1 else f"{row.count} new"
            return _rule(text, width, look.accent, look.accent)
        case HeaderRow():
            return _header(row, width, look)
        case _:
            assert_never(row)


def _text_width(width: int) -> int:
    return max(2, min(width - GUTTER - 1, READING_WIDTH))


def _message(
    row: MessageRow,
    width: int,
    look: RowStyles,
    reader: Reader,
    pictures: Pictures | None,
    *,
    selected: bool,
    fold: int,
) -> list[Strip]:
    inner = _text_width(width)
    palette = look.palette
    head: list[Line] = []
    body = row.nodes
    lead = look.person(row.sender_id) if not row.is_own else look.accent + Style(bold=True)
    if row.is_me:
        strips = draw(
            body,
            max(2, inner - cells(row.sender) - 1),
            palette,
            reader=reader,
            revealed=row.revealed,
        )
        name = to_strips([[Run(f"{row.sender} ", lead + meta("sender", row.sender_id))]])[0]
        blank = Strip.blank(name.cell_length)
        strips = [Strip.join([name if i == 0 else blank, each]) for i, each in enumerate(strips)]
    else:
        strips = (
            draw(body, inner, palette, reader=reader, revealed=row.revealed, pictures=pictures)
            if row.ballot is None
            else to_strips(draw_ballot(row.ballot, inner, look))
        )
        if row.leads:
            head = [_head(row, inner, look, lead)]
    if fold and row.ballot is None:
        strips = _folded(strips, fold, look, unfolded=UNFOLDED in row.revealed)
    if not row.leads or row.is_me:
        strips = _with_aside(strips, row, inner, look, selected=selected)
    tail = [_chips(line, look, selected) for line in _chip_lines(row.chips, inner)]
    lines = [*to_strips(head), *strips, *to_strips(tail)]
    return _guttered(lines, width, look, _mark(row, look), gap=row.gap, selected=selected)


FOLD_SLACK: Final = 4
"""Lines beyond the fold that are still shown: hiding fewer would not be worth a line of its own."""


def _folded(strips: list[Strip], most: int, look: RowStyles, *, unfolded: bool) -> list[Strip]:
    """Return the first lines of a long message, and a line with the number of hidden ones."""
    cut = most
    while cut < len(strips) and _is_picture(strips[cut]):
        cut += 1  # a picture is shown whole or not at all
    hidden = len(strips) - cut
    if hidden <= FOLD_SLACK:
        return strips
    label = "▾ Show less" if unfolded else f"▸ Show {counted(hidden, 'more line', 'more lines')}"
    clicked = meta("fold", 1)
    line: Line = [Run(label, look.accent + clicked), Run("  s", look.muted + clicked)]
    return [*(strips if unfolded else strips[:cut]), *to_strips([line])]


def _is_picture(strip: Strip) -> bool:
    return any(s.style is not None and "picture" in s.style.meta for s in strip)


def _mark(row: MessageRow, look: RowStyles) -> Run | None:
    """Return the sign of unread messages and mentions, which do not depend on color alone."""
    if row.is_mention and row.is_unread:
        return Run(MENTION, look.accent + Style(bold=True))
    if row.is_unread:
        return Run(UNREAD, look.accent)
    return None


def _head(row: MessageRow, width: int, look: RowStyles, lead: Style) -> Line:
    aside = _aside(row)
    note = f" {row.note}" if row.note else ""
    room = width - cells(aside) - cells(note) - 2
    line: Line = [Run(shortened(row.sender, max(room, 8)), lead + meta("sender", row.sender_id))]
    if note:
        line.append(Run(note, look.muted))
    line.append(Run("  ", look.muted))
    if row.is_starred:
        line.append(Run("★ ", look.accent))
    line.append(Run(aside, look.muted))
    return line


def _aside(row: MessageRow) -> str:
    """Return the small text beside a message: its time and marks."""
    return " · ".join((row.time, *row.marks))


def _with_aside(
    strips: list[Strip], row: MessageRow, width: int, look: RowStyles, *, selected: bool
) -> list[Strip]:
    """Add time and marks to a continued message, at the end of a line with room for them."""
    has_aside = row.marks or row.is_starred
    if not (selected or has_aside):
        return strips
    aside = _aside(row) if selected else " · ".join(row.marks)
    line: Line = [Run("★ ", look.accent)] if row.is_starred else []
    if aside:
        line.append(Run(aside, look.muted))
    size = line_cells(line)
    last = strips[-1] if strips else Strip.blank(0)
    room = width - last.cell_length - size - 2
    if room < 0:
        return [*strips, *to_strips([line])]
    joined = Strip.join([last, *to_strips([[Run("  ", look.muted), *line]])])
    return [*strips[:-1], joined]


def _chip_lines(chips: tuple[Chip, ...], width: int) -> list[list[tuple[int, Chip, str]]]:
    """Return chips with their indexes, as many in a line as fit."""
    lines: list[list[tuple[int, Chip, str]]] = []
    used = width
    for at, chip in enumerate(chips):
        text = f" {shortened(chip.text, 16)} {chip.count} "
        size = cells(text) + 1
        if used + size > width:
            lines.append([])
            used = 0
        lines[-1].append((at, chip, text))
        used += size
    return lines


def _chips(line: list[tuple[int, Chip, str]], look: RowStyles, selected: bool) -> Line:
    drawn: Line = []
    for at, chip, text in line:
        style = look.own_chip + Style(underline=True) if chip.is_own else look.chip
        drawn += [Run(text, style + meta("chip", at)), Run(" ", look.base)]
    if selected:
        drawn.append(Run(" + ", look.muted + meta("react", 1)))
    return drawn


_PROGRESS: Final = {
    "held": "sending soon: r send now, e edit",
    "waiting": "waiting for the connection",
    "sending": "sending…",
    "sent": "sent",
}
ECHO_BUTTONS: Final = (("r", "retry"), ("e", "edit"), ("x", "discard"))
"""Keys and labels of the actions on an unsent message."""


def _echo(row: EchoRow, width: int, look: RowStyles, *, selected: bool) -> list[Strip]:
    inner = _text_width(width)
    lines: list[Line] = []
    if row.leads:
        name = look.accent + Style(bold=True)
        lines.append([Run(row.sender, name), Run(f"  {row.time}", look.muted)])
    strips = [
        each.apply_style(look.muted.rich_style) for each in draw(row.nodes, inner, look.palette)
    ]
    mark = Run("◌", look.muted)
    state: list[Line] = [[Run(_PROGRESS.get(row.state, ""), look.muted + Style(italic=True))]]
    if row.state in ("failed", "unclear"):
        mark = Run("!", look.error + Style(bold=True))
        state = _trouble(row, inner, look)
    drawn = [*to_strips(lines), *strips, *to_strips(state)]
    return _guttered(drawn, width, look, mark, gap=row.gap, selected=selected)


def _trouble(row: EchoRow, width: int, look: RowStyles) -> list[Line]:
    """Return why a message was not sent, in full, and the actions on it."""
    what = "not sent" if row.state == "failed" else "perhaps sent"
    reason = f"{what}: {row.trouble}" if row.trouble else what
    actions: Line = []
    for key, name in ECHO_BUTTONS:
        actions += [
            Run(key, look.accent + Style(bold=True) + meta("act", name)),
            Run(f" {name}  ", look.muted + meta("act", name)),
        ]
    lines: list[Line] = [
        [run._replace(place=None) for run in line]
        for line in wrap([(reason, look.error)], width, 0)
    ]
    if line_cells(lines[-1]) + 2 + line_cells(actions) <= width:
        lines[-1] += [Run("  ", look.base), *actions]
    else:
        lines.append(actions)
    return lines


def _guttered(
    strips: list[Strip], width: int, look: RowStyles, mark: Run | None, *, gap: bool, selected: bool
) -> list[Strip]:
    """Return the lines after their mark, or the cursor's bar, on the row's background."""
    base = look.base
    if not selected:
        base = Style()
    space = Run(" ", base)
    bar = Run(CURSOR, look.accent) if selected else space
    lines: list[Strip] = [Strip.blank(width)] if gap else []
    for at, strip in enumerate(strips):
        sign = mark if at == 0 and mark is not None else space
        gutter = to_strips([[bar, sign, space]])[0]
        line = Strip.join([gutter, strip])
        if selected:
            line = line.adjust_cell_length(width).apply_style(base.rich_style)
        lines.append(line)
    return lines


def _rule(text: str, width: int, rule: Style, words: Style) -> list[Strip]:
    """Return a line across with words in its middle."""
    inner = max(2, min(width - GUTTER - 1, READING_WIDTH))
    label = f" {shortened(text, inner)} "
    left = max(0, (inner - cells(label)) // 2)
    right = max(0, inner - left - cells(label))
    line = [Run(" " * GUTTER + "─" * left, rule), Run(label, words), Run("─" * right, rule)]
    return [Strip.blank(width), *to_strips([line])]


def _header(row: HeaderRow, width: int, look: RowStyles) -> list[Strip]:
    """Return the header of a conversation, on a band of its own."""
    tint = look.tint
    where = meta("place", 1)
    color = look.channel(row.color) if row.color else look.base
    place = shortened(row.place, max(8, width // 2))
    line: Line = [Run(" " * GUTTER, tint), Run(place, color + Style(bold=True) + tint + where)]
    if row.topic:
        room = max(4, width - line_cells(line) - 5)
        topic = look.base + Style(italic=row.is_unnamed)
        line.append(Run(" › ", look.muted + tint))
        highlight = tint + look.palette.highlight
        for text, is_hit in _parts(shortened(row.topic, room), row.hits):
            line.append(Run(text, topic + (highlight if is_hit else tint) + where))
    return [Strip.blank(width), *to_strips([padded(line, width, tint)])]


def _parts(text: str, hits: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text, and whether each is one of the hits, which are looked for in order."""
    for hit in filter(None, hits):
        parts = text.partition(hit)
        if parts[1] and sum(map(cells, parts)) == cells(text):  # no characters that share a cell
            yield from ((parts[0], False), (parts[1], True))
            text = parts[2]
    yield text, False
