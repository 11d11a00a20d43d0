"""The preview of the draft, updated while typing. Sends no message.

The server renders it, since only the server knows all people, channels and linkifiers; but for mere words.
"""

from __future__ import annotations

from textual.worker import Worker

from tui.content.plain_words import html_of_words
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused, TuiError
from tui.screens.context import ChatContext
from tui.screens.pause import Pause
from tui.view.cards import CardContent, CardPart
from tui.view.rows import parsed, written

PAUSE_SECONDS = 0.25
"""Seconds without a key after which the server is asked."""
ME = "/me "


class PreviewController:
    """The preview: on or off until the program ends, in all conversations."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._is_on = False
        self._pause = Pause(context.panes.composer, PAUSE_SECONDS, self._draw)
        self._request: Worker[None] | None = None
        self._drawn: str | None = None
        self._is_shown = False

    def toggle(self) -> None:
        """Show or hide the preview."""
        self._is_on = not self._is_on
        self._drawn = None
        if self._is_on and not self._context.panes.composer.text.strip():
            self._context.toast("Live preview. Press the same key to close it.")
        self._draw()

    def follow(self) -> None:
        """Update the preview: at once, or after a pause in typing where the server renders it."""
        text = self._context.panes.composer.text.strip()
        if self._is_on and text and self._html_of_words(text) is None:
            self._pause.restart()
        else:
            self._pause.stop()
            self._draw()

    def _html_of_words(self, text: str) -> str | None:
        """Return the HTML of mere words; None for what the server has to render."""
        linkifiers = self._context.session.store.realm.linkifiers
        return None if linkifiers else html_of_words(text)

    def _draw(self) -> None:
        text = self._context.panes.composer.text.strip()
        if self._is_on and text:
            html = self._html_of_words(text)
            if html is None:
                self._request = self._context.run(self._render, group="preview")
                return
            if self._request is not None:
                self._request.cancel()  # its answer is older than these words
                self._request = None
            if text != self._drawn:
                self._show_html(text, html)
        else:
            self._drawn = None
            if self._is_shown:
                self._is_shown = False
                self._context.panes.preview.hide()

    async def _render(self) -> None:
        from tui.api.routes import messages as routes

        text = self._context.panes.composer.text.strip()
        if text == self._drawn:
            return
        try:
            html = await routes.render(self._context.session.sync.connection, content=text)
        except ApiRefused as error:
            self._show([CardContent(written(text))], f"preview · {sanitize_line(str(error))}")
        except TuiError:
            self._show([CardContent(written(text))], "preview unavailable offline")
        else:
            self._show_html(text, html)

    def _show_html(self, text: str, html: str) -> None:
        self._drawn = text
        self._show([CardContent(parsed(html, text.startswith(ME)))], "preview")

    def _show(self, parts: list[CardPart], title: str) -> None:
        composer = self._context.panes.composer
        if not self._is_on or not composer.text.strip():
            return  # the draft was sent meanwhile, or the preview closed
        self._is_shown = True
        at_end = composer.cursor_location == composer.document.end
        self._context.panes.preview.show(parts, title, self._context.reader, at_end=at_end)
