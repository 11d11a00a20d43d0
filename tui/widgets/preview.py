"""The preview of the draft, above the composer: some lines high, scrolled. Renders no Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.view.cards import CardPart
from tui.widgets.card_body import CardBody
from tui.widgets.content_inline import Reader


class Preview(Vertical):
    """A title line, and the message. Hidden until `show` and after `hide`."""

    DEFAULT_CSS = """
    Preview { display: none; height: auto; max-width: 106; background: $surface; color: $foreground; }
    Preview #preview_title { height: 1; padding: 0 1 0 2; color: $text-muted; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; border-left: outer $secondary; }
    Preview #preview_body { height: auto; max-height: 4; padding: 0 1 0 2; background: $surface; border-left: outer $secondary; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = Static(id="preview_title", markup=False)
        self._body = VerticalScroll(id="preview_body", can_focus=False)
        self._card: CardBody | None = None

    def compose(self) -> ComposeResult:
        yield self._title
        with self._body:
            if self._card is not None:
                yield self._card

    def show(self, parts: Sequence[CardPart], title: str, reader: Reader, *, at_end: bool) -> None:
        """Show these parts; `at_end` scrolls to the end."""
        if self._card is None:
            self._card = CardBody(reader)
            if self._body.is_attached:  # else it is mounted along with the body
                self._body.mount(self._card)
        is_laid_out = self._card.show(parts) or not self.display
        if str(self._title.visual) != title:
            self._title.update(Content(title), layout=False)
        self.display = True
        if at_end and is_laid_out:
            self._body.scroll_end(animate=False)

    def hide(self) -> None:
        """Hide the preview."""
        self.display = False

    def turn(self, pages: int) -> None:
        """Scroll by so many pages."""
        step = max(1, self._body.size.height - 1)
        self._body.scroll_relative(y=pages * step, animate=False)

    @property
    def text(self) -> str:
        """The title and the text, without styles."""
        body = self._card.render().plain if self._card is not None else ""
        return f"{self._title.visual}\n{body}" if self.display else ""
