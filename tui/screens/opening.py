"""The first frame: where everything will be, drawn while the rest of the program is still loading.

Imports nothing that is not needed for that: the main screen's own modules take longer to load than
Textual itself.
"""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from tui.screens.pane_sizes import PaneSizes


class Opening(Horizontal):
    """Empty panes of the main screen's sizes and colors."""

    DEFAULT_CSS = """
    Opening { background: $background; }
    Opening Static { height: 1fr; background: $panel; padding: 0 1; color: $foreground; text-style: bold; }
    Opening #opening { width: 1fr; background: $background; padding: 0 2; color: $text-muted; text-style: none; }
    """

    def compose(self) -> ComposeResult:
        yield Static(Content("chinwag"), id="left")
        yield Static(Content("opening…"), id="opening")
        yield Static(Content(""), id="right")

    def on_resize(self, event: events.Resize) -> None:
        """As the main screen will be."""
        panes = PaneSizes(width=event.size.width)
        left, right = self.query_one("#left"), self.query_one("#right")
        left.display, right.display = panes.shows_sidebar, panes.shows_people
        left.styles.width, right.styles.width = panes.sidebar_width, panes.people_width
