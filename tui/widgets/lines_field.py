"""Textual's field for several lines, with what goes wrong in it mended. Knows nothing of messages."""

from typing import Final

from textual import events
from textual.widgets import TextArea

from tui.content import pasted

LINE_BREAKS: Final = frozenset({"alt+enter", "shift+enter", "ctrl+j"})
"""Beside Enter; a composer has its own, which can be others."""


class LinesField(TextArea):
    """Takes what is pasted without the characters that a terminal would obey."""

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
        """Put `text` in the place of what is selected, as one step of undo."""
        if not text:
            return
        self.history.checkpoint()
        result = self.replace(text, *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)
        self.history.checkpoint()

    def _recompute_cursor_offset(self) -> None:
        # While many lines are undone, and the scrollbar goes with them, the cursor is still where
        # they were: Textual looks it up there, and ends the program.
        at = self.clamp_visitable(self.cursor_location)
        self._cursor_offset = self.wrapped_document.location_to_offset(at)
