"""A URL for a browser elsewhere: copied, and shown as a terminal hyperlink. Opens nothing."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from tui.content.sanitize import sanitize_line
from tui.content.web import host
from tui.screens.dialogs.base import Dialog


class LinkDialog(Dialog[None]):
    """The dialog with the link; terminals with hyperlinks (OSC 8) open it at a click, mostly with Ctrl or
    Shift.
    """

    CSS = f"{Dialog.CSS}\nLinkDialog #address {{ height: auto; background: $background; padding: 0 1; }}"

    def __init__(self, url: str) -> None:
        """`url` is complete, and of a scheme that is opened."""
        super().__init__()
        self._url = sanitize_line(url)

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            title = f"Open {host(self._url)} in your browser" if host(self._url) else "Open a link"
            yield Static(Content(sanitize_line(title)), classes="title")
            yield Static(Content.styled(self._url, Style(link=self._url)), id="address")
            yield Static("Copied. Ctrl+click opens it in most terminals. · Esc", classes="hint")
