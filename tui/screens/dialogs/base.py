"""The base of all dialogs: their look, and Esc. No store, no commands."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual._time import get_time
from textual.await_complete import AwaitComplete
from textual.await_remove import AwaitRemove
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.events import ScreenResume
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.messages import Layout, Update
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Tooltip
from textual.widgets._toast import ToastRack

from tui.frames import FrameCompositor
from tui.screens import layout_requests
from tui.screens.layout_requests import Scrollbars
from tui.screens.workers import CancelWorkersMixin
from tui.widgets.control_character_filter import InertText
from tui.widgets.emoji_width_filter import SafeText
from tui.widgets.hint_line import HintLine
from tui.widgets.screen_reader_filter import PlainText

T = TypeVar("T")

NULL: Final = Style.null()
MOST_DIMMED: Final = 256
"""Styles that are known for a look of dialogs."""


class _Dimmed(dict[Style, Style]):
    """Styles as they look behind a dialog: `color` over them, and `base` where they have none."""

    def __init__(
        self, color: Color, base: Style, filters: tuple[LineFilter, ...], background: Color
    ) -> None:
        super().__init__()
        self._look = color, base, filters, background

    def __missing__(self, style: Style) -> Style:
        color, base, filters, background = self._look
        segments = list(BackgroundScreen.process_segments([Segment(" ", style)], color))
        segments = list(Segment.apply_style(segments, base))
        for each in filters:
            segments = each.apply(segments, background)
        if len(self) >= MOST_DIMMED:
            self.clear()
        dimmed = self[style] = segments[0].style or NULL
        return dimmed


_dimmed: Final = lru_cache(4)(_Dimmed)
"""One for each look of dialogs: a style is looked up for each text behind a dialog, and a look has five parts."""


class Dialog(CancelWorkersMixin, ModalScreen[T | None], Generic[T]):
    """A card over the screen; Esc dismisses it with None."""

    SCOPED_CSS = False  # its rules are for every dialog, whatever its class is called
    # Each dialog's sheet repeats these rules: what it changes of them is !important, or the sheet of the
    # dialog that was opened last would decide.
    CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > Vertical, Dialog > VerticalScroll {
        width: 64; max-width: 100%; height: auto; max-height: 90vh;
        padding: 1 2; background: $surface; border: none;
    }
    Dialog .title { color: $primary; text-style: bold; height: auto; margin-bottom: 1; }
    Dialog .description { height: auto; margin-bottom: 1; }
    Dialog .hint { color: $text-muted; height: 1; margin-top: 1; }
    Dialog Input { border: none; height: 1; padding: 0 1; background: $background; }
    Dialog Input:focus { background: $foreground 13%; }
    Dialog Input:focus:ansi { background: $background; text-style: underline; }
    Dialog Label { color: $text-muted; }
    Dialog OptionList {
        border: none; padding: 0; margin-top: 1; background: $surface;
        height: auto; max-height: 16; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    Dialog OptionList:focus { background-tint: transparent; }
    Dialog OptionList > .option-list--option-highlighted {
        background: $foreground 13%; color: $foreground; text-style: none;
    }
    Dialog OptionList:ansi > .option-list--option-highlighted {
        background: $background; color: $foreground; text-style: reverse;
    }
    Dialog ChoiceList { margin-top: 1; background: $surface; color: $foreground; max-height: 100%; }
    Dialog ChoiceList > .choice-list--cursor { background: $foreground 13%; color: $foreground; }
    Dialog ChoiceList:ansi > .choice-list--cursor { background: $background; text-style: reverse; }
    Dialog .keys { width: 1fr; height: 1; color: $text-muted; }
    Dialog .buttons { height: auto; align-horizontal: right; margin-top: 1; }
    Dialog Button { min-width: 14; margin-left: 2; background: $foreground 13%; color: $foreground; }
    Dialog Button:ansi { background: $background; color: $foreground; text-style: bold; }
    Dialog Button:focus { background: $primary; color: $background; text-style: bold; background-tint: transparent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Close")]

    HAS_TOOLTIPS: ClassVar[bool] = False

    @property
    def is_open(self) -> bool:
        """Whether the dialog has widgets: not before it is composed, nor once it closes.

        Textual's `is_mounted` stays true for ever, and widgets go before their screen does. Toasts come later.
        """
        parts = [part for part in self.children if not isinstance(part, HintLine | ToastRack)]
        is_built = bool(parts) and all(part.is_mounted for part in parts)
        return is_built and self.is_attached and self.display

    @cached_property
    def _below(self) -> dict[int, Strip]:
        """Rows of the screen below, dimmed."""
        return {}

    _answer: tuple[T | None] | None = None
    _is_drawn = False
    """Whether all widgets were just drawn, and Textual is about to say that they are there."""
    _is_laid_out = False
    """Whether that layout holds: of which nothing was left to be found out."""
    _drawn_at = 0.0
    """When all widgets were first laid out and drawn, by Textual's clock."""

    @property
    def _screen_below(self) -> Screen[Any] | None:
        """The screen that shows through; None before the dialog is opened."""
        stack = self.app.screen_stack if self.is_attached else []
        return stack[stack.index(self) - 1] if self in stack[1:] else None

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return rows of the screen below, dimmed, which are kept until they change.

        As Textual's `BackgroundScreen`, which dims all rows for one that changed, and takes ten times as long.
        """
        color, screen = self.styles.background, self._screen_below
        below = None if screen is None else screen._compositor
        if color.a == 1 or not isinstance(below, FrameCompositor):
            return super().render_lines(crop)
        missing = [y for y in crop.line_range if y not in self._below]
        if missing:
            self._dirty_regions.clear()
            filters, (_, background) = tuple(self.get_line_filters()), self.background_colors
            dimmed = _dimmed(color, self.visual_style.rich_style, filters, background)
            for y, row in zip(missing, below.strips(missing), strict=False):  # it may be smaller
                texts = [Segment(each.text, dimmed[each.style or NULL]) for each in row]
                self._below[y] = Strip(texts, row.cell_length)
        blank = Strip.blank(self.size.width)
        rows = [self._below.get(y, blank) for y in crop.line_range]
        if crop.column_span == (0, self.size.width):
            return rows
        return [row.crop(crop.x, crop.right) for row in rows]

    def _set_dirty(self, *regions: Region) -> None:
        """As Textual's; the rows below are dimmed anew."""
        super()._set_dirty(*regions)
        if not regions:
            self._below.clear()
        for region in regions:
            for y in region.line_range:
                self._below.pop(y, None)
        if isinstance(below := self._screen_below, Dialog):
            below._set_dirty(*regions)  # it shows through, with what is behind it

    def _extend_compose(self, widgets: list[Widget]) -> None:
        """Show the dialog's keys where those of the screen below stood.

        With all other widgets: a widget that is mounted later has the whole screen drawn once more.
        Textual's own are left out, which few dialogs need: see `HAS_TOOLTIPS`, and `tui.screens.toasts`.
        """
        if self.HAS_TOOLTIPS and not self.app._disable_tooltips:
            widgets.insert(0, Tooltip(id="textual-tooltip"))
        widgets.append(HintLine())

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close with a result; a dialog that is out of sight closes when it comes into sight again.

        Textual closes whatever is on top, which may be another account's.
        """
        if self.is_active:
            return super().dismiss(result)
        self._answer = (result,)
        return AwaitComplete()

    def remove(self) -> AwaitRemove:
        """Take the dialog away. Textual would also lay out and draw the whole screen below, which is unchanged."""
        return self.app._prune(self)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of colors: the texts behind the dialog went through the others when they were drawn."""
        filters = super().get_line_filters()
        return [each for each in filters if not isinstance(each, InertText | SafeText | PlainText)]

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As Textual's, which draws the whole screen once more when all widgets are there."""
        if layout and self._is_drawn:
            self._is_drawn = repaint = False
            layout = not self._is_laid_out
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _on_screen_resume(self, event: ScreenResume) -> None:
        """Draw a new dialog once, and close one that was dismissed while it was out of sight."""
        event.prevent_default()
        if not self.stack_updates:
            # Its widgets got their styles when they were mounted; it got its own before its rules were read.
            event.refresh_styles = False
            self.app.stylesheet.update_nodes([self])
        is_drawn = self._size != self.app.size  # by its layout, and Textual would draw it again
        scrollbars = layout_requests.scrollbars(self)
        super()._on_screen_resume(event)
        if is_drawn:
            self._repaint_required, self._is_drawn = False, True
            if all(each.is_mounted for each in self.walk_children(Widget)):
                self._settle(scrollbars)
        if self._answer is not None:
            super().dismiss(self._answer[0])

    def _settle(self, scrollbars: Scrollbars) -> None:
        """Drop what widgets asked for before they were laid out and drawn, unless that changed their scrollbars."""
        if not layout_requests.drop(self, scrollbars):
            return
        self._is_laid_out, self._drawn_at = True, get_time()
        for widget in self._compositor.full_map:
            widget._repaint_required = False

    async def _on_layout(self, message: Layout) -> None:
        """Ignore a request from before the first layout."""
        if message.time < self._drawn_at:
            message.stop().prevent_default()

    async def _on_update(self, message: Update) -> None:
        """Ignore a request from before the first frame."""
        if message.time < self._drawn_at:
            message.stop().prevent_default()

    def on_screen_suspend(self) -> None:
        """Draw nothing: the screen in front draws what shows through, and Textual would draw both again."""
        self._repaint_required = False

    def _screen_resized(self, size: Size) -> None:
        """As Textual's, once for each size: its own layout tells the screen a second time."""
        if size != self._compositor.size:
            super()._screen_resized(size)

    def action_cancel(self) -> None:
        """Close the dialog without a result."""
        self.dismiss(None)
