"""Writes to the terminal only the cells that changed since the last frame. Knows of no screens.

Textual renders every widget between the first and the last row that changed, and writes each changed region
in full. Here a widget renders the rows that changed and are not covered, and the result is compared with what
the terminal shows. docs/decisions/0023 has the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter, ne
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual import screen
from textual._compositor import Compositor, CompositorMap, CompositorUpdate
from textual._loop import loop_last
from textual.app import App
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget

Look: TypeAlias = tuple[str, str]
"""The sequences before and after a text of a style."""
Cells: TypeAlias = list[tuple[int, int, str, Look]]
"""Texts with their first cell, their last + 1, and their look; each character takes one cell, in every terminal."""


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
_DIFFERENT: Final = re.compile(rb"\x01(?:\x00{0,%d}\x01)*" % (FEWEST - 1))
"""A stretch of cells to be written, where 1 stands for a cell that differs."""
MOST_LOOKS: Final = 512
MOST_KNOWN: Final = 200
"""Strips whose cells are known wherever they are drawn: a scrolled list draws the same ones, on other rows."""


def draw_what_changed() -> None:
    """Use this compositor from now on, in every screen of this process."""
    vars(screen)["Compositor"] = FrameCompositor  # Textual has no hook for it


class Shown:
    """The known contents of the terminal."""

    def __init__(self) -> None:
        self.size = Size()
        self.rows: dict[int, Row] = {}
        self.forgotten = 0
        """How often the contents were forgotten."""
        self._cuts: dict[int, list[int]] = {}
        self._known: dict[int, Drawn] = {}
        """Strips drawn lately, by their identity."""

    def forget(self) -> None:
        """Forget the contents: another program wrote to the terminal, or its cells are gone."""
        self.rows.clear()
        self.forgotten += 1

    def of_row(self, y: int, cuts: list[int]) -> Row:
        """Return the parts of a row, to be compared and changed; empty where the cuts have changed."""
        row = self.rows.get(y)
        if row is None or (self._cuts.get(y) is not cuts and not row.keys() <= set(cuts)):
            row = self.rows[y] = {}
        self._cuts[y] = cuts
        return row

    def drawn(self, strip: Strip, colors: ColorSystem) -> Drawn:
        """Return the strip with its cells."""
        known = self._known.get(id(strip))
        if known is None or known.strip is not strip:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[id(strip)] = Drawn(strip, _cells(strip, colors))
        return known


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
                new = before[x] = self._shown.drawn(strip, colors)
                cells = new.cells
                for left, right in _changes(old, new, colors):
                    if at != x + left:
                        written.append(f"\x1b[{y + 1};{x + left + 1}H")
                    if cells is None:
                        written += _written(strip, colors)
                    else:
                        written += _between(cells, left, right)
                    at = x + right if cells is not None else -1
        return "".join(written)


def _written(strip: Strip, colors: ColorSystem) -> Iterator[str]:
    """Yield the text of a strip with its color sequences; segments that look the same as one."""
    look: Look = "", ""
    texts: list[str] = []
    for text, style, _ in strip:
        if (now := _look(style, colors)) != look:
            if texts:
                yield f"{look[0]}{''.join(texts)}{look[1]}"
            look, texts = now, []
        texts.append(text)
    if texts:
        yield f"{look[0]}{''.join(texts)}{look[1]}"


_seen: Final = attrgetter("_color", "_bgcolor", "_attributes", "_set_attributes", "_link")
"""What of a style can be seen; each line of a text has a style of its own, with its place."""
_looks: Final[dict[tuple[object, ...], Look]] = {}


def _look(style: Style | None, colors: ColorSystem) -> Look:
    """Return the sequences before and after a text of that style."""
    if style is None:
        return "", ""
    # Each style with a place has an identity of its own, which is written for a link only.
    key = colors, style._link and style._link_id, *_seen(style)
    look = _looks.get(key)
    if look is None:
        if len(_looks) >= MOST_LOOKS:
            _looks.clear()
        before, _, after = Strip.render_style(style, "\0", colors).partition("\0")
        look = _looks[key] = before, after
    return look


def _between(cells: Cells, left: int, right: int) -> list[str]:
    """Return the text of a stretch of cells with its color sequences, as `_written`."""
    written: list[str] = []
    for begin, end, text, (before, after) in cells:
        if end > left and begin < right:
            written += before, text[max(0, left - begin) : right - begin], after
    return written


def _changes(old: Drawn | None, new: Drawn, colors: ColorSystem) -> Iterable[tuple[int, int]]:
    """Return the stretches of cells to be written: first and last + 1, from the strip's beginning."""
    width = new.strip.cell_length
    if old is None:
        return ((0, width),)
    if old.strip.cell_length != width or old.cells is None or new.cells is None:
        is_same = old.strip.text == new.strip.text and (
            list(_written(old.strip, colors)) == list(_written(new.strip, colors))
        )
        return () if is_same else ((0, width),)
    return [each.span() for each in _DIFFERENT.finditer(_compared(old.cells, new.cells))]


def _cells(strip: Strip, colors: ColorSystem) -> Cells | None:
    """Return the texts that look different, with their places; None if these may differ between terminals."""
    cells: Cells = []
    begin = end = 0
    last: Look | None = None
    for text, style, control in strip:
        if control or not (text.isascii() or _is_plain(text)):
            return None
        if not text:
            continue
        look = _look(style, colors)
        if look == last:
            begin, _, before, _ = cells.pop()
            text = before + text
        else:
            begin, last = end, look
        end = begin + len(text)
        cells.append((begin, end, text, look))
    return cells


def _compared(old: Cells, new: Cells) -> bytes:
    """Return a byte for each cell of two rows of the same length: 1 where they differ."""
    compared: list[bytes] = []
    a = b = 0
    while a < len(old) and b < len(new):
        begin_old, end_old, was, look_before = old[a]
        begin_new, end_new, now, look = new[b]
        left, right = max(begin_old, begin_new), min(end_old, end_new)
        if look != look_before:
            compared.append(b"\x01" * (right - left))
        else:
            was = was[left - begin_old : right - begin_old]
            now = now[left - begin_new : right - begin_new]
            # Without a step of Python for each character, which takes longer than all the rest of a row.
            compared.append(bytes(map(ne, was, now)) if was != now else bytes(right - left))
        a += end_old == right
        b += end_new == right
    return b"".join(compared)


def _is_plain(text: str) -> bool:
    """Whether every character takes one cell, in every terminal."""
    return max(text) < WIDE_FROM and JOINER not in text and cell_len(text) == len(text)


class FrameCompositor(Compositor):
    """Renders changed rows, and nothing beside or behind them."""

    @property
    def full_map(self) -> CompositorMap:
        """As Textual's, and widgets that moved or disappeared are drawn over.

        Textual arranges widgets here if a hidden one changed; the next layout then finds no difference to draw.
        """
        before = self._full_map if self._visible_map is None else self._visible_map
        is_same = not self._full_map_invalidated
        after = super().full_map
        if not is_same:
            self._cuts = self._layers = self._layers_visible = None
            self._dirty_regions.update(region for _, region in _places(before) ^ _places(after))
        return after

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
        _keep_cursor(self.root)
        return Frame(rows, self.cuts, self.size, shown_by(self.root.app))

    def rows(self, spans: Iterable[tuple[int, int, int]]) -> dict[int, dict[int, Strip | None]]:
        """Return the topmost strips in these stretches of rows (y, first column, last column + 1)."""
        cuts = self.cuts
        rows: dict[int, dict[int, Strip | None]] = {}
        missing: dict[int, list[int]] = {}
        """The cuts of each row at which no strip is known to be in front yet."""
        width, height = self.size
        west, north, east, south = width, height, 0, 0
        for y, first, last in spans:
            row = rows.setdefault(y, {})
            for left, right in pairwise(cuts[y]):
                if left < last and right > first:
                    row[left] = None
                    west, east = min(west, left), max(east, right)
            missing[y] = list(row)
            north, south = min(north, y), max(south, y + 1)
        for widget, (region, clip) in self.visible_widgets.items():
            x, y, width, height = region
            if x >= east or x + width <= west or y >= south or y + height <= north:
                continue
            x, top, width, height = region.intersection(clip)
            if not width or not height:
                continue
            right, bottom = x + width, top + height
            wanted = [
                y
                for y, open_cuts in missing.items()
                if top <= y < bottom and any(x <= cut < right for cut in open_cuts)
            ]
            for begin, count in runs(wanted):
                lines = widget.render_lines(Region(x - region.x, begin - region.y, width, count))
                of: list[int] = []
                inside: list[int] = []
                for y, line in enumerate(lines[:count], begin):
                    if of != cuts[y]:
                        of = cuts[y]
                        inside = [cut for cut in of if x <= cut <= right]
                    _put_parts(rows[y], missing[y], inside, line)
                    if not missing[y]:
                        del missing[y]
            if not missing:
                break
        return rows

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """As Textual's, for selecting text: there is none in a widget that was taken away since the last layout."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is None or widget.is_attached else (None, None)

    def render_strips(self, size: Size | None = None) -> list[Strip]:
        """Return all rows, as strips."""
        height = self.size.height
        return self.strips(range(height if size is None else min(height, size.height)))

    def strips(self, rows: Iterable[int]) -> list[Strip]:
        """Return some rows, as strips; those that there are not are left out."""
        width, height = self.size
        spans = ((y, 0, width) for y in rows if y < height)
        return [Strip.join(row.values()) for row in self.rows(spans).values()]


def _keep_cursor(root: Widget) -> None:
    """Put the terminal's cursor where the field's is: input methods show there what they compose.

    Textual does at each letter, and not where the layout moves the field.
    """
    if root.is_attached and root.app.screen is root:
        place = getattr(root.app.focused, "cursor_screen_offset", None)
        if place is not None:
            root.app.cursor_position = place


def _places(widgets: CompositorMap) -> set[tuple[Widget, Region]]:
    """Return the visible parts of widgets."""
    places = ((widget, place.visible_region) for widget, place in widgets.items())
    return {(widget, region) for widget, region in places if region}


def _put_parts(
    row: dict[int, Strip | None], missing: list[int], inside: list[int], line: Strip
) -> None:
    """Put the parts of a line between the cuts `inside` where nothing is in front of them."""
    length = line.cell_length
    ends = [cut - inside[0] for cut in inside[1:] if cut - inside[0] <= length]
    # A strip that is its own only part would keep itself in memory until a collection.
    parts = [line] if ends == [length] else line.divide(ends)
    for cut, part in zip(inside, parts, strict=False):
        if cut in row and row[cut] is None:
            row[cut] = part
            missing.remove(cut)


def runs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield stretches of consecutive rows: the first, and how many."""
    begin = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at] != rows[at - 1] + 1:
            yield rows[begin], at - begin
            begin = at
