"""A picture as large as the terminal allows, and the others of its message. Loads nothing itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from functools import partial
from typing import ClassVar, Final, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tui.content.extracts import media_name
from tui.content.nodes import Media
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import TuiError
from tui.frames import shown_by
from tui.screens.alerts import write
from tui.screens.dialogs.base import Dialog
from tui.screens.workers import start_worker
from tui.terminal import Graphics
from tui.widgets.content_inline import media_about
from tui.widgets.content_lines import Line, to_strips

CAPTION_ROWS: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Large:
    """A picture ready to be shown: lines, or a Sixel sequence and the cells that it covers."""

    lines: Sequence[Line] = ()
    sixel: str = ""
    size: tuple[int, int] = (0, 0)
    release: Callable[[], None] = field(default=lambda: None)
    """Called when the picture is hidden."""


Load: TypeAlias = Callable[[Media, int, int], Awaitable[Large]]
"""(picture, columns, rows) -> the picture within that size; raises TuiError with the reason."""


class Canvas(Widget):
    """The picture in the middle."""

    DEFAULT_CSS = "Canvas { width: 1fr; height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.large = Large()
        self._strips: list[Strip] = []

    def show(self, large: Large) -> None:
        """Show another picture."""
        self.large.release()
        self.large = large
        self._strips = to_strips(large.lines)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self.rich_style
        at = y - (self.size.height - len(self._strips)) // 2
        if not 0 <= at < len(self._strips):
            return Strip.blank(width, base)
        strip = self._strips[at]
        left = max(0, (width - strip.cell_length) // 2)
        return Strip.join([Strip.blank(left, base), strip]).adjust_cell_length(width, base)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the Sixel picture again after its cells are painted, which erases it."""
        if self.large.sixel:
            self.call_after_refresh(self._draw_sixel)
        return super().render_lines(crop)

    def _draw_sixel(self) -> None:
        if not (self.is_attached and self.large.sixel):
            return
        region = self.region
        column = region.x + (region.width - self.large.size[0]) // 2 + 1
        row = region.y + (region.height - self.large.size[1]) // 2 + 1
        shown_by(self.app).forget()  # the terminal's state over these cells is unknown now
        write(self.app, f"\x1b7\x1b[{row};{column}H{self.large.sixel}\x1b8")


class PictureView(Dialog[str]):
    """The view of a message's pictures: Esc, q or z closes it, left and right turn."""

    CSS = f"""{Dialog.CSS}
    PictureView {{ background: $background !important; align: left top !important; }}
    PictureView #caption {{ height: 1; width: 1fr; padding: 0 1; background: $panel; color: $text-muted;
        text-wrap: nowrap; text-overflow: ellipsis; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,z,enter", "cancel", "Close", show=False),
        Binding("right,j,space", "turn(1)", "Next", show=False),
        Binding("left,k", "turn(-1)", "Previous", show=False),
    ]

    def __init__(self, pictures: Sequence[Media], at: int, load: Load, graphics: Graphics) -> None:
        super().__init__()
        self._pictures = pictures
        self._load_one = load
        self.graphics = graphics
        self.at = at
        self.canvas = Canvas()
        self._loaded_for = Size()

    def compose(self) -> ComposeResult:
        yield self.canvas
        yield Static(Content(""), id="caption")

    def on_resize(self, event: events.Resize) -> None:
        """Load the picture again for the new size of the terminal."""
        if event.size != self._loaded_for:
            self._loaded_for = event.size
            self._load(event.size)

    def action_turn(self, by: int) -> None:
        """Show the next picture of the message, or the previous."""
        if len(self._pictures) > 1:
            self.at = (self.at + by) % len(self._pictures)
            self._load(self.size)

    def on_click(self) -> None:
        """Close the view: a click anywhere does."""
        self.dismiss(None)

    def on_unmount(self) -> None:
        """Let the terminal drop the picture."""
        self.canvas.large.release()

    def _load(self, size: Size) -> None:
        self._caption("loading…")
        start_worker(self, partial(self._show, self._pictures[self.at], size), exclusive=True)

    async def _show(self, media: Media, size: Size) -> None:
        try:
            large = await self._load_one(media, size.width, max(1, size.height - CAPTION_ROWS))
        except TuiError as error:
            self.canvas.show(Large())
            self._caption(f"not shown: {sanitize_line(str(error))}")
        else:
            self.canvas.show(large)
            self._caption("")

    def _caption(self, note: str) -> None:
        media = self._pictures[self.at]
        which = f"{self.at + 1} of {len(self._pictures)}: ← →" if len(self._pictures) > 1 else ""
        parts = (media_name(media), media_about(media), which, note)
        self.query_one("#caption", Static).update(Content(" · ".join(filter(None, parts))))
