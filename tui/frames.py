"""Writes to the terminal only the cells that changed since the last frame. Knows of no screens.

Textual renders every widget between the first and the last row that changed, and writes each changed region
in full. Here a widget renders the rows that changed and are not covered, and the result is compared with what
the terminal shows. docs/decisions/0023 has the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual import screen
from textual._compositor import Compositor, CompositorUpdate
from textual._loop import loop_last
from textual.app import App
from textual.geometry import Region, Size
from textual.strip import Strip

Cells: TypeAlias = list[tuple[int, Segment]]
"""Segments with text, each with its first cell; their characters take one cell each, in every terminal."""


class Drawn(NamedTuple):
    """A part of a row that the terminal shows; `cells` is None where characters take several, or may."""

    strip: Strip
    cells: Cells | None


Row: TypeAlias = dict[int, Drawn]
"""The adjacent parts of a row, by their first column."""

WIDE_FROM: Final = "\u2e80"
"""From this character on terminals may disagree about the width of a text."""
JOINER: Final = "\u200d"
FEWEST: Final = 8
"""Unchanged cells that are written anyway, since moving the cursor takes as many bytes."""


def draw_what_changed() -> None:
    """Use this compositor from now on, in every screen of this process."""
    vars(screen)["Compositor"] = FrameCompositor  # Textual has no hook for it


class Shown:
    """The known contents of the terminal."""

    def __init__(self) -> None:
        self.size = Size()
        self.rows: dict[int, Row] = {}

    def forget(self) -> None:
        """Forget the contents: another program wrote to the terminal, or its cells are gone."""
        self.rows.clear()

    def of_row(self, y: int, cuts: list[int]) -> Row:
        """Return the parts of a row, to be compared and changed; empty where the cuts have changed."""
        row = self.rows.get(y)
        if row is None or not row.keys() <= set(cuts):
            row = self.rows[y] = {}
        return row


_shown: WeakKeyDictionary[App[Any], Shown] = WeakKeyDictionary()


def shown_by(app: App[Any]) -> Shown:
    """Return the known contents of the app's terminal."""
    if app not in _shown:
        _shown[app] = Shown()
    return _shown[app]


class Frame(CompositorUpdate):
    """Rows of a screen; only the cells that the terminal does not show yet are written."""

    def __init__(
        self,
        rows: dict[int, dict[int, Strip | None]],
        cuts: list[list[int]],
        size: Size,
        shown: Shown,
    ) -> None:
        self.rows = rows
        self._cuts = cuts
        self._size = size
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield all rows, for a picture of the screen, whatever the terminal shows."""
        for last, row in loop_last(self.rows.values()):
            for strip in row.values():
                yield from strip or ()
            if not last:
                yield Segment.line()

    def render_segments(self, console: Console) -> str:
        """Return the sequences for the terminal, and record what they draw."""
        if self._shown.size != self._size:
            self._shown.forget()
            self._shown.size = self._size
        colors = console._color_system or ColorSystem.TRUECOLOR
        written: list[str] = []
        for y, row in self.rows.items():
            before = self._shown.of_row(y, self._cuts[y])
            at = -1
            for x, strip in row.items():
                if strip is None:
                    continue
                old = before.get(x)
                if old is not None and old.strip is strip:
                    continue
                new = before[x] = Drawn(strip, _cells(strip))
                for left, right in _changes(old, new, colors):
                    if at != x + left:
                        written.append(f"\x1b[{y + 1};{x + left + 1}H")
                    whole = right - left == strip.cell_length
                    written += _written(strip if whole else strip.crop(left, right), colors)
                    at = x + right if new.cells is not None else -1
        return "".join(written)


def _written(strip: Strip, colors: ColorSystem) -> Iterator[str]:
    """Yield the text of a strip with its color sequences; segments that look the same as one."""
    for look, segments in groupby(strip, key=lambda segment: _look(segment.style, colors)):
        before, after = look
        yield f"{before}{''.join(segment.text for segment in segments)}{after}"


@lru_cache(16_384)
def _look(style: Style | None, colors: ColorSystem) -> tuple[str, str]:
    """Return the sequences before and after a text of that style."""
    if style is None:
        return "", ""
    before, _, after = Strip.render_style(style, "\0", colors).partition("\0")
    return before, after


def _changes(old: Drawn | None, new: Drawn, colors: ColorSystem) -> Iterator[tuple[int, int]]:
    """Yield the stretches of cells to be written: first and last + 1, from the strip's beginning."""
    width = new.strip.cell_length
    if old is None or old.strip.cell_length != width or old.cells is None or new.cells is None:
        if old is None or list(_written(old.strip, colors)) != list(_written(new.strip, colors)):
            yield 0, width
        return
    first = last = -1
    for left, right in _different(old.cells, new.cells, colors):
        if last >= 0 and left - last >= FEWEST:
            yield first, last
            first = left
        elif last < 0:
            first = left
        last = right
    if last >= 0:
        yield first, last


def _cells(strip: Strip) -> Cells | None:
    """Return each segment with its first cell; None if that may differ between terminals."""
    if not _is_plain(strip):
        return None
    at, cells = 0, []
    for segment in strip:
        if segment.text:
            cells.append((at, segment))
            at += len(segment.text)
    return cells


def _different(old: Cells, new: Cells, colors: ColorSystem) -> Iterator[tuple[int, int]]:
    """Yield the stretches where two rows of the same length differ, from left to right."""
    a = b = 0
    while a < len(old) and b < len(new):
        (at_old, was), (at_new, now) = old[a], new[b]
        left, end_old, end_new = max(at_old, at_new), at_old + len(was.text), at_new + len(now.text)
        right = min(end_old, end_new)
        text, before = (
            now.text[left - at_new : right - at_new],
            was.text[left - at_old : right - at_old],
        )
        if _look(was.style, colors) != _look(now.style, colors):
            yield left, right
        elif text != before:
            differ = [i for i, (x, y) in enumerate(zip(before, text, strict=True)) if x != y]
            yield left + differ[0], left + differ[-1] + 1
        a += end_old == right
        b += end_new == right


def _is_plain(strip: Strip) -> bool:
    """Whether every character takes one cell, in every terminal."""
    return all(
        not segment.control
        and (
            (text := segment.text).isascii()
            or (max(text) < WIDE_FROM and JOINER not in text and cell_len(text) == len(text))
        )
        for segment in strip
    )


class FrameCompositor(Compositor):
    """Renders changed rows, and nothing beside or behind them."""

    def render_update(
        self,
        full: bool = False,
        screen_stack: list[screen.Screen[Any]] | None = None,
        simplify: bool = False,
    ) -> Any:
        """Return the changes; None while updates are delayed, as Textual then draws all at the end."""
        if not full and self.root is not None and self.root.app._batch_count:
            return None
        return super().render_update(full, screen_stack, simplify)

    def render_full_update(self, simplify: bool = False) -> Any:
        """Return all rows; simplified ones are for a picture of the screen."""
        if simplify or self.root is None:
            return super().render_full_update(simplify)
        self._dirty_regions.clear()
        width, height = self.size
        return self._frame([(y, 0, width) for y in range(height)])

    def render_partial_update(self) -> Any:
        """Return the rows that changed, or None."""
        whole = self.size.region
        regions = [region.intersection(whole) for region in self._dirty_regions]
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(region for region in regions if region))
        return self._frame(spans) if spans else None

    def _frame(self, spans: list[tuple[int, int, int]]) -> Frame:
        rows = self.rows(spans)
        assert self.root is not None
        return Frame(rows, self.cuts, self.size, shown_by(self.root.app))

    def rows(self, spans: Iterable[tuple[int, int, int]]) -> dict[int, dict[int, Strip | None]]:
        """Return the topmost strips in these stretches of rows (y, first column, last column + 1)."""
        cuts = self.cuts
        rows: dict[int, dict[int, Strip | None]] = {}
        missing: dict[int, list[int]] = {}
        """The cuts of each row at which no strip is known to be in front yet."""
        for y, first, last in spans:
            row = rows.setdefault(y, {})
            for left, right in pairwise(cuts[y]):
                if left < last and right > first:
                    row[left] = None
            missing[y] = list(row)
        for widget, (region, clip) in self.visible_widgets.items():
            x, top, width, height = region.intersection(clip)
            if not width or not height:
                continue
            right, bottom = x + width, top + height
            wanted = [
                y
                for y, open_cuts in missing.items()
                if top <= y < bottom and any(x <= cut < right for cut in open_cuts)
            ]
            for begin, count in _runs(wanted):
                lines = widget.render_lines(Region(x - region.x, begin - region.y, width, count))
                for y, line in enumerate(lines[:count], begin):
                    row = rows[y]
                    inside = [cut for cut in cuts[y] if x <= cut <= right]
                    ends = [cut - x for cut in inside[1:] if cut - x <= line.cell_length]
                    # A strip that is its own only part would keep itself in memory until a collection.
                    parts = [line] if ends == [line.cell_length] else line.divide(ends)
                    for cut, part in zip(inside, parts, strict=False):
                        if cut in row and row[cut] is None:
                            row[cut] = part
                            missing[y].remove(cut)
                    if not missing[y]:
                        del missing[y]
            if not missing:
                break
        return rows

    def render_strips(self, size: Size | None = None) -> list[Strip]:
        """Return all rows, as strips."""
        width, height = self.size
        height = height if size is None else min(height, size.height)
        rows = self.rows((y, 0, width) for y in range(height))
        return [Strip.join(row.values()) for row in rows.values()]


def _runs(rows: list[int]) -> Iterator[tuple[int, int]]:
    """Yield stretches of consecutive rows: the first, and how many."""
    begin = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at] != rows[at - 1] + 1:
            yield rows[begin], at - begin
            begin = at
