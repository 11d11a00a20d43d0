"""A field of one line whose size does not depend on its text. No keys of its own."""

from typing import Any, ClassVar, Self

from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widgets import Input

from tui import dispatch, frame_timer
from tui.widgets import typed_row
from tui.widgets.typed_row import RowLook


class LineInput(Input):
    """An input without a layout at each letter, which Textual's does; its width is set by its rules."""

    virtual_size: ClassVar[Reactive[Size]] = Reactive(Size(0, 0), layout=False)  # type: ignore[misc]  # Textual declares it as one of an instance

    def __init__(self, *args: Any, **options: Any) -> None:
        self._look: RowLook | None = None
        """The look of the row as it was drawn last by Textual; None if rows like it cannot be derived."""
        super().__init__(*args, **options)

    def post_message(self, message: Message) -> bool:
        """As Textual's; what changed goes to those above, as in `LinesField`."""
        if self.has_focus and isinstance(message, Input.Changed):
            return dispatch.post_up(self, message)
        return super().post_message(message)

    def notify_style_update(self) -> None:
        """Let Textual draw the row next."""
        self._look = None
        super().notify_style_update()

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As Textual's; another text is another row, with the borders and padding that it had."""
        if repaint and not layout and not recompose and self._draw_row():
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _draw_row(self) -> bool:
        """Draw the row with the next frame; False if more than that may look different."""
        if self._look is None or self.outer_size.height != 1:
            return False
        return frame_timer.draw(self, Region(-self.content_offset.x, 0, self.outer_size.width, 1))

    def render_lines(self, crop: Region) -> list[Strip]:
        """As Textual's; a row of plain text in the look that it had."""
        text = self._plain_text()
        if typed_row.holds(self._look, self, crop) and 0 < len(text) < self._look.width:
            return [typed_row.draw(self._look, text, self.cursor_position)]
        strips = super().render_lines(crop)
        self._look = None
        if text and typed_row.is_whole_row(self, crop) and typed_row.has_fixed_colors(self):
            width = self.scrollable_content_region.width
            at, left = self.cursor_position, self.styles.gutter.left
            self._look = typed_row.look_of(strips[0], left, width, text, at)
        return strips

    def _plain_text(self) -> str:
        """Return the text, with a place for the cursor; "" where more is shown than plain text and the cursor."""
        special = self.password or self.suggester or self.highlighter or self.scroll_offset.x
        if special or not (self.has_focus and self._cursor_visible and self.selection.is_empty):
            return ""
        text = f"{self.value} " if self.cursor_at_end else self.value
        return text if self.value and typed_row.is_plain(text) else ""
