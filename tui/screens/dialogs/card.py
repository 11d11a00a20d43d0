"""A card with sections, and keys for its actions. Carries out nothing itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import TuiError
from tui.screens.dialogs.actions import ActionLine, DialogAction, action_of_key
from tui.screens.dialogs.base import Dialog
from tui.screens.workers import start_worker
from tui.view.cards import CardPart, Sentence, Source
from tui.widgets.card_body import CardBody
from tui.widgets.content_inline import Reader
from tui.widgets.content_lines import cells
from tui.widgets.row_styles import look_of_theme

WIDTH: Final = 76
"""Width of a card, in cells."""
_AROUND: Final = 5
"""Cells beside the card's text: margins and the scrollbar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A page of a card; `load` may ask the server, and is called when the page is opened."""

    name: str
    load: Callable[[], Awaitable[Sequence[CardPart]]]


class SectionBar(Widget):
    """The names of the sections in a line; a click opens a section."""

    DEFAULT_CSS = "SectionBar { height: 1; margin-bottom: 1; }"

    class Chosen(Message):
        """Posted when a section's name is clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names = names
        self._at = 0

    def open(self, index: int) -> None:
        """Highlight the name of the section that was opened."""
        self._at = index
        self.refresh()

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        styles = [look.own_chip if at == self._at else look.muted for at in range(len(self._names))]
        return Content.assemble(
            *((f" {name} ", style) for name, style in zip(self._names, styles, strict=True))
        )

    def on_click(self, event: events.Click) -> None:
        """Find the name under the mouse."""
        left = event.x
        for at, name in enumerate(self._names):
            left -= cells(name) + 2
            if left < 0:
                self.post_message(self.Chosen(at))
                return


class Card(Dialog[DialogAction]):
    """A card. Dismissed with the chosen action, which the caller runs. Left and right turn pages, up and down
    scroll.
    """

    CSS = f"""{Dialog.CSS}
    Card > .card {{ width: {WIDTH}; }}
    Card VerticalScroll {{ height: auto; max-height: 24; scrollbar-size-vertical: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,right", "turn(1)", "Next page"),
        Binding("left,shift+tab", "turn(-1)", "Previous page", show=False),
    ]

    def __init__(
        self,
        title: str,
        sections: Sequence[Section],
        *,
        reader: Reader,
        actions: Sequence[DialogAction] = (),
    ) -> None:
        super().__init__()
        self._title = title
        self._sections = sections
        self._reader = reader
        self._actions = actions
        self.at = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            if len(self._sections) > 1:
                yield SectionBar([section.name for section in self._sections])
            with VerticalScroll():
                yield CardBody(self._reader)
            if self._actions:
                yield ActionLine()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        for line in self.query(ActionLine):
            line.show(self._actions)
        self._open(0)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002  # Textual's signature
        """Turn pages where there are several."""
        return action != "turn" or len(self._sections) > 1

    def action_turn(self, by: int) -> None:
        """Open the next page or the previous."""
        self._open((self.at + by) % len(self._sections))

    @on(SectionBar.Chosen)
    def _chosen(self, event: SectionBar.Chosen) -> None:
        self._open(event.index)

    def _open(self, index: int) -> None:
        self.at = index
        for bar in self.query(SectionBar):
            bar.open(index)
        start_worker(self, partial(self._load, self._sections[index]), exclusive=True)

    async def _load(self, section: Section) -> None:
        self._show([Sentence("…")])
        try:
            self._show(await section.load())
        except TuiError as error:
            self._show([Sentence(sanitize_line(str(error)))])

    def _show(self, parts: Sequence[CardPart]) -> None:
        if self.is_open:  # the card may be closed before its section has loaded
            self._fit(parts)
            self.query_one(CardBody).show(parts)
            self.query_one(VerticalScroll).scroll_home(animate=False)

    def _fit(self, parts: Sequence[CardPart]) -> None:
        """Widen the card for source text, so that what is copied with the mouse stands on one line."""
        longest = max((cells(part.text) for part in parts if isinstance(part, Source)), default=0)
        self.query_one(".card").styles.width = max(WIDTH, longest + _AROUND)

    def on_key(self, event: events.Key) -> None:
        """Choose the action of a key."""
        action = action_of_key(self._actions, event.key)
        if action is not None:
            event.stop()
            self.dismiss(action)

    @on(ActionLine.Chosen)
    def _clicked(self, event: ActionLine.Chosen) -> None:
        self.dismiss(event.action)
