"""A key or password that is shown only when asked for. Stores it nowhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.screens.dialogs.actions import ActionLine, DialogAction, action_of_key
from tui.screens.dialogs.base import Dialog
from tui.screens.workers import start_worker

HIDDEN: Final = "•" * 32


class Secret(Dialog[DialogAction]):
    """Dismissed with the chosen action; showing and copying are handled here.

    A screen may be photographed or shared, so the secret is not even fetched before the user wants to see or
    copy it.
    """

    CSS = f"""{Dialog.CSS}
    Secret #secret {{ height: auto; background: $background; padding: 0 1; }}
    Secret #trouble {{ height: auto; color: $text-error; }}
    """

    def __init__(
        self,
        title: str,
        text: str,
        *,
        ask: Callable[[], Awaitable[str]],
        actions: Sequence[DialogAction] = (),
        hidden: str = HIDDEN,
    ) -> None:
        """`ask` returns the secret; its TuiError is shown. `hidden` is shown in its place."""
        super().__init__()
        self._title = title
        self._text = text
        self._ask = ask
        self._actions = actions
        self._hidden = hidden
        self._is_shown = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(self._text), classes="description")
            yield Static(Content(self._hidden), id="secret")
            yield Static(id="trouble", markup=False)
            yield ActionLine()

    def on_mount(self) -> None:
        self._show_actions()

    def _own_actions(self) -> list[DialogAction]:
        label = "hide" if self._is_shown else "show"
        return [
            DialogAction(key="v", label=label, run=self._show_or_hide),
            DialogAction(key="c", label="copy", run=self._copy),
        ]

    def _show_actions(self) -> None:
        self.query_one(ActionLine).show([*self._own_actions(), *self._actions])

    async def _show_or_hide(self) -> None:
        secret = self._hidden if self._is_shown else await self._asked()
        if secret:
            self._is_shown = not self._is_shown
            self.query_one("#secret", Static).update(Content(sanitize_line(secret)))
            self._show_actions()

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
        """Run the action of a key."""
        action = action_of_key([*self._own_actions(), *self._actions], event.key)
        if action is not None:
            event.stop()
            self._begin(action)

    @on(ActionLine.Chosen)
    def _clicked(self, event: ActionLine.Chosen) -> None:
        self._begin(event.action)

    def _begin(self, action: DialogAction) -> None:
        if action in self._actions:
            self.dismiss(action)
        else:
            start_worker(self, partial(self._run, action), exclusive=True)

    async def _run(self, action: DialogAction) -> None:
        await action.run()
