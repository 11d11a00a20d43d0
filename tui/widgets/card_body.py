"""The body of a card: parts of `tui.view.cards`, drawn at the available width. No store, no keys."""

from collections.abc import Sequence
from typing import Final, assert_never

from textual.content import Content
from textual.geometry import Region, Size
from textual.widget import Widget

from tui import frame_timer
from tui.view.cards import CardContent, CardPart, Heading, Pair, Sentence, Source
from tui.widgets.content import draw_content
from tui.widgets.content_inline import Reader
from tui.widgets.content_lines import Line, Piece, Run, cells, fold, to_content, wrap
from tui.widgets.row_styles import RowStyles, look_of_theme

LABEL: Final = 12
"""Width of the labels of pairs with the gap behind them, in cells; wider where a label needs it."""
WIDEST_LABEL: Final = 24
"""A longer label stands on a line of its own."""
_GAP: Final = 2


class CardBody(Widget):
    """Shows parts one below the other, at their full height."""

    DEFAULT_CSS = "CardBody { height: auto; }"

    def __init__(self, reader: Reader, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.auto_links = False  # these are Textual's own, looked for in each line; there are none
        self._reader = reader
        self._parts: Sequence[CardPart] = ()
        self._last: tuple[Sequence[CardPart], int, RowStyles, Content] | None = None

    def show(self, parts: Sequence[CardPart]) -> bool:
        """Show other parts; return whether the height changed, so that the screen is laid out again."""
        width = self.content_size.width
        before = self._drawn(width).split(allow_blank=True) if width else []
        self._parts = parts
        now = self._drawn(width).split(allow_blank=True) if width else []
        is_other = not width or len(now) != len(before)
        rows = [] if is_other else [at for at, row in enumerate(now) if not row.is_same(before[at])]
        regions = [Region(0, row, width, 1) for row in rows]
        if is_other or (regions and not frame_timer.draw(self, *regions)):
            self.refresh(layout=is_other)
        return is_other

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  # Textual's signature
        """Return the number of lines at this width."""
        return self._lines(width)

    def render(self) -> Content:
        return self._drawn(self.content_size.width)

    def _lines(self, width: int) -> int:
        return self._drawn(width).plain.count("\n") + 1

    def _drawn(self, width: int) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        if self._last is not None:
            parts, last_width, last_look, drawn = self._last
            if parts is self._parts and (last_width, last_look) == (width, look):
                return drawn
        drawn = draw_card(self._parts, max(width, 2), look, self._reader)
        self._last = self._parts, width, look, drawn
        return drawn


def draw_card(parts: Sequence[CardPart], width: int, look: RowStyles, reader: Reader) -> Content:
    """Return the parts as lines of at most `width` cells."""
    drawn: list[Content] = []
    labels = [cells(part.label) + _GAP for part in parts if isinstance(part, Pair)]
    column = max([LABEL, *(size for size in labels if size <= WIDEST_LABEL)])
    for at, part in enumerate(parts):
        if isinstance(part, Heading) and at:
            drawn.append(Content(""))
        drawn.append(_part(part, width, column, look, reader))
    return Content("\n").join(drawn)


def _part(part: CardPart, width: int, column: int, look: RowStyles, reader: Reader) -> Content:
    base = look.palette.base
    match part:
        case Pair(label, text):
            return to_content(_pair(label, [(text, base)], width, column, look))
        case Heading(text):
            return to_content(wrap([(text, look.accent)], width, 0))
        case Sentence(text):
            return to_content(wrap([(text, base)], width, 0))
        case Source(text):
            return to_content(fold([(text, base)], width, 0))
        case CardContent(nodes):
            return draw_content(nodes, width, look.palette, reader=reader)
        case _:
            assert_never(part)


def _pair(label: str, pieces: list[Piece], width: int, column: int, look: RowStyles) -> list[Line]:
    name = wrap([(label, look.muted)], width, 0)
    if width < column * 2:
        return [*name, *wrap(pieces, width, 0)]
    values = [[Run(" " * column, look.muted), *line] for line in wrap(pieces, width - column, 0)]
    if cells(label) + _GAP > column:
        return [*name, *values]
    values[0][0] = Run(label + " " * (column - cells(label)), look.muted)
    return values
