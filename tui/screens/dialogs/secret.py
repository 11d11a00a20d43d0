"""A key or password that is shown when asked for and not before. Keeps it nowhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.screens.dialogs.actions import Act, ActLine, act_of_key
from tui.screens.dialogs.base import Dialog

HIDDEN: Final = "•" * 32


class Secret(Dialog[str]):
    """Dismissed with the `act` that was chosen; showing and copying are its own.

    What is on the screen may be photographed or shared, so the secret is not even asked for
    before the person wants to see or copy it.
    """

    CSS = f"""{Dialog.CSS}
    Secret #secret {{ height: auto; background: $background; padding: 0 1; }}
    Secret #trouble {{ height: auto; color: $text-error; }}
    """

    def __init__(
        self,
        title: str,
        words: str,
        *,
        ask: Callable[[], Awaitable[str]],
        acts: Sequence[Act] = (),
        hidden: str = HIDDEN,
    ) -> None:
        """`ask` answers the secret; its TuiError is shown. `hidden` stands in its place."""
        super().__init__()
        self._title = title
        self._words = words
        self._ask = ask
        self._acts = acts
        self._hidden = hidden
        self._is_shown = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(self._words), classes="words")
            yield Static(Content(self._hidden), id="secret")
            yield Static(id="trouble", markup=False)
            yield ActLine()

    def on_mount(self) -> None:
        self._show_acts()

    def _all_acts(self) -> list[Act]:
        shows = Act(key="v", label="hide" if self._is_shown else "show", act="show")
        return [shows, Act(key="c", label="copy", act="copy"), *self._acts]

    def _show_acts(self) -> None:
        self.query_one(ActLine).show(self._all_acts())

    @work(exclusive=True)
    async def _show_or_hide(self) -> None:
        secret = self._hidden if self._is_shown else await self._asked()
        if secret:
            self._is_shown = not self._is_shown
            self.query_one("#secret", Static).update(Content(sanitize_line(secret)))
            self._show_acts()

    @work(exclusive=True)
    async def _copy(self) -> None:
        secret = await self._asked()
        if secret:
            self.app.copy_to_clipboard(secret)
            self.notify("Copied.", markup=False, timeout=6)

    async def _asked(self) -> str:
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(""))
        try:
            return await self._ask()
        except TuiError as error:
            trouble.update(Content(sanitize_line(str(error))))
            return ""

    def on_key(self, event: events.Key) -> None:
        """A key of one of the acts."""
        act = act_of_key(self._all_acts(), event.key)
        if act is not None:
            event.stop()
            self._do(act)

    @on(ActLine.Chosen)
    def _clicked(self, event: ActLine.Chosen) -> None:
        self._do(event.act)

    def _do(self, act: str) -> None:
        if act == "show":
            self._show_or_hide()
        elif act == "copy":
            self._copy()
        else:
            self.dismiss(act)
