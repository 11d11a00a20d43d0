"""A page to open in a browser, and a field for the address that it ends at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Static

from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.screens.dialogs.base import Dialog


class BrowserPage(Dialog[bool]):
    """Dismissed with True after `submit` accepted the pasted text; its TuiError is shown, and the dialog
    stays.
    """

    CSS = f"""{Dialog.CSS}
    BrowserPage > .card {{ width: 76; }}
    BrowserPage .description {{ color: $text-muted; margin-bottom: 0 !important; }}
    BrowserPage #address {{ height: auto; background: $background; padding: 0 1; }}
    BrowserPage #copying {{ margin-top: 0; margin-bottom: 1; }}
    BrowserPage #trouble {{ height: auto; color: $text-error; margin-top: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+y", "copy", "Copy the address", show=False, priority=True),
        Binding("ctrl+o", "open", "Open it here", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        address: str,
        *,
        submit: Callable[[str], Awaitable[None]],
        expects: str,
    ) -> None:
        """`expects` is how the text to paste begins."""
        super().__init__()
        self._title = title
        self._address = address
        self._submit = submit
        self._expects = expects

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="card", can_focus=False):
            yield Static(Content(self._title), classes="title")
            yield Static(
                "1. Open this page in any browser, and sign in there:", classes="description"
            )
            yield Static(Content(sanitize_line(self._address)), id="address")
            with Horizontal(classes="buttons", id="copying"):
                yield Button("Copy  Ctrl+Y", id="copy", compact=True)
                yield Button("Open here  Ctrl+O", id="open", compact=True)
            yield Static(
                Content(
                    f"2. At the end the browser is redirected to {self._expects}… and may say that"
                    " it cannot open it. Copy that address, and paste it here."
                ),
                classes="description",
            )
            yield Input(placeholder=f"{self._expects}…", id="pasted")
            yield Static(id="trouble", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Sign in", id="sign-in", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Button.Pressed, "#copy")
    def action_copy(self) -> None:
        """Copy the whole address, however the terminal wraps it."""
        self.app.copy_to_clipboard(self._address)
        self._tell("Copied. Where the terminal does not allow that, select it with Shift and drag.")

    @on(Button.Pressed, "#open")
    def action_open(self) -> None:
        """Open the page, for a terminal on the machine of the browser."""
        self.app.open_url(self._address)

    @on(Input.Submitted)
    @on(Button.Pressed, "#sign-in")
    def _entered(self) -> None:
        self._send()

    @work(exclusive=True)
    async def _send(self) -> None:
        self._tell("…")
        try:
            await self._submit(self.query_one(Input).value)
        except TuiError as error:
            self._tell(str(error))
        else:
            self.dismiss(True)

    def _tell(self, sentence: str) -> None:
        self.query_one("#trouble", Static).update(Content(sanitize_line(sentence)))
