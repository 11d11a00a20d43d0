"""A poll, to-do list or bot's choice -> lines ready to draw. Pure: no widget, no store.

Clickable parts have meta in their segments: `ballot` is the index of an option or task, and -1 adds one.
"""

from typing import Any, Final

from textual.style import Style

from tui.view.counts import counted
from tui.view.polls import BallotLine, PollView
from tui.widgets.content_lines import Line, Run, cells, line_cells, shortened, wrap
from tui.widgets.row_styles import RowStyles

BAR: Final = 8
"""Cells of the bar of an option with all votes."""

ADD: Final = -1
"""The index in the meta of the part that adds an option or task."""

_SIGNS: Final = {"poll": ("◉", "○"), "todo": ("☑", "☐"), "offers": ("▸", "▸")}
_ADDS: Final = {"poll": "add an option", "todo": "add a task"}
_ACTS: Final = {"poll": "Vote", "todo": "Complete", "offers": "Answer"}
_NO_TITLE: Final = {"poll": "A poll", "todo": "Tasks", "offers": "Choose"}


def draw_ballot(ballot: PollView, width: int, look: RowStyles) -> list[Line]:
    """Return the title, a line or two for each option or task, and the actions."""
    title = ballot.title or _NO_TITLE[ballot.kind]
    bold = look.palette.base + Style(bold=True)
    lines = wrap([(title, bold), (_tally(ballot), look.muted)], width, 0)
    most = max((line.count for line in ballot.lines), default=0)
    for at, each in enumerate(ballot.lines):
        drawn = _line(ballot, each, most, width, look, number=len(lines))
        lines += [_clickable(line, at) for line in drawn]
    return [*lines, _hint(ballot, look)]


def _hint(ballot: PollView, look: RowStyles) -> Line:
    """Return the key, and what it does: `v Vote or add an option`."""
    act, addition = _ACTS[ballot.kind] if ballot.lines else "", _ADDS.get(ballot.kind, "")
    if not act and not addition:
        return []
    hint = [Run("v", look.accent), Run(f" {act}", look.muted)]
    if act and addition:
        hint.append(Run(" or ", look.muted))
    return hint + _clickable([Run(addition if act else addition.capitalize(), look.muted)], ADD)


def _tally(ballot: PollView) -> str:
    if ballot.kind == "offers":
        return ""
    if ballot.kind == "poll":
        votes = sum(line.count for line in ballot.lines)
        tally = counted(votes, "vote", "votes").replace(" ", "\u00a0")
        return f"  {tally}" if votes else "  no votes yet"
    done = sum(line.is_on for line in ballot.lines)
    return f"  {done} of {len(ballot.lines)}" if ballot.lines else ""


def _line(
    ballot: PollView, line: BallotLine, most: int, width: int, look: RowStyles, *, number: int
) -> list[Line]:
    sign = Run(f"{_SIGNS[ballot.kind][not line.is_on]} ", look.accent if line.is_on else look.muted)
    base = look.palette.base
    if ballot.kind == "todo":
        style = look.muted + Style(strike=True) if line.is_on else base
        detail = (f" — {line.detail}", look.muted) if line.detail else ("", base)
        return _hung(sign, wrap([(line.text, style), detail], max(2, width - 2), number), look)
    drawn = _hung(sign, wrap([(line.text, base)], max(2, width - 2), number), look)
    if line.count:
        drawn[-1] += _votes(line, most, width - line_cells(drawn[-1]), look)
    return drawn


def _hung(sign: Run, lines: list[Line], look: RowStyles) -> list[Line]:
    return [[sign if at == 0 else Run("  ", look.base), *line] for at, line in enumerate(lines)]


def _votes(line: BallotLine, most: int, room: int, look: RowStyles) -> Line:
    """Return the number of votes, and the voters as far as there is room beside the option."""
    bar = "━" * max(1, round(BAR * line.count / most))
    drawn: Line = [Run(f"  {bar}", look.accent), Run(f" {line.count}", look.unread)]
    left = room - line_cells(drawn) - 2
    if left >= min(8, cells(line.detail)):
        drawn.append(Run(f"  {shortened(line.detail, left)}", look.muted))
    return drawn


def _clickable(line: Line, index: int) -> Line:
    data: dict[str, Any] = {"ballot": index}
    mark = Style.from_meta(data)
    return [run._replace(style=run.style + mark) for run in line]
