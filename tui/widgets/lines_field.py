"""Textual's field for several lines, with fixes. Knows nothing of messages."""

from typing import Final

from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from tui.content import pasted

LINE_BREAKS: Final = frozenset({"alt+enter", "shift+enter", "ctrl+j"})
"""Beside Enter; a composer has its own, which the user can change."""


class LinesField(TextArea):
    """A text area whose pastes are freed of control characters."""

    _styled_theme: TextAreaTheme | None = None
    """The theme whose styles are up to date."""

    def notify_style_update(self) -> None:
        """Compute the theme's styles again."""
        self._styled_theme = None
        super().notify_style_update()

    def render_lines(self, crop: Region) -> list[Strip]:
        """As Textual's, which computes the theme's styles anew for each character."""
        if self._styled_theme is not self._theme:
            self._styled_theme = self._theme
            self._theme.apply_css(self)
        return super(TextArea, self).render_lines(crop)

    async def _on_key(self, event: events.Key) -> None:
        if event.key in LINE_BREAKS:
            event.prevent_default()
            event.stop()
            self.put_in("\n")
            return
        await super()._on_key(event)

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.put_in(pasted.fit(event.text)[0])

    def put_in(self, text: str) -> None:
        """Replace the selection by `text`, as one step of undo."""
        if not text:
            return
        self.history.checkpoint()
        result = self.replace(text, *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)
        self.history.checkpoint()

    def _recompute_cursor_offset(self) -> None:
        # While many lines are undone, and the scrollbar goes with them, the cursor is still where they were:
        # Textual looks it up there, and crashes.
        at = self.clamp_visitable(self.cursor_location)
        self._cursor_offset = self.wrapped_document.location_to_offset(at)
