"""A key or password that is shown when asked for and not before. Keeps it nowhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from tui.content.sanitise import sanitise_line
from tui.errors import TuiError
from tui.keys import key_name
from tui.screens.dialogs.card import CardAct
from tui.screens.dialogs.frame import Dialog
from tui.widgets.look import look_of_theme

HIDDEN: Final = "•" * 32


class Secret(Dialog[str]):
    """Dismissed with the `act` that was chosen; showing and copying are its own.

    What is on the screen may be photographed or shared, so the secret is not even asked for
    before the person wants to see or copy it.
    """

    CSS = f"""{Dialog.CSS}
    Secret #secret {{ height: auto; background: $background; padding: 0 1; }}
    Secret #trouble {{ height: auto; color: $text-error; }}
    Secret #acts {{ height: auto; color: $text-muted; margin-top: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "show", "Show", show=False),
        Binding("c", "copy", "Copy", show=False),
    ]

    def __init__(
        self,
        title: str,
        words: str,
        *,
        ask: Callable[[], Awaitable[str]],
        acts: Sequence[CardAct] = (),
    ) -> None:
        """`ask` answers the secret; its TuiError is shown."""
        super().__init__()
        self._title = title
        self._words = words
        self._ask = ask
        self._acts = acts
        self._is_shown = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(self._words), classes="words")
            yield Static(Content(HIDDEN), id="secret")
            yield Static(id="trouble", markup=False)
            yield Static(id="acts", markup=False)

    def on_mount(self) -> None:
        self._show_acts()

    def _show_acts(self) -> None:
        look = look_of_theme(self.app.theme_variables, "surface")
        parts: list[tuple[str, Style]] = []
        own = ("v", "hide" if self._is_shown else "show", "show"), ("c", "copy", "copy")
        for key, label, act in (*own, *((each.key, each.label, each.act) for each in self._acts)):
            clicked = Style.from_meta({"secret_act": act})
            words = f"\u00a0{label}".replace(" ", "\u00a0")
            parts += [(key_name(key), look.accent + clicked), (words, look.muted + clicked)]
            parts.append(("   ", look.muted))
        self.query_one("#acts", Static).update(Content.assemble(*parts))

    @work(exclusive=True)
    async def action_show(self) -> None:
        """Show it, or hide it again."""
        secret = HIDDEN if self._is_shown else await self._asked()
        if secret:
            self._is_shown = not self._is_shown
            self.query_one("#secret", Static).update(Content(sanitise_line(secret)))
            self._show_acts()

    @work(exclusive=True)
    async def action_copy(self) -> None:
        """Copy it without showing it."""
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
            trouble.update(Content(sanitise_line(str(error))))
            return ""

    def on_key(self, event: events.Key) -> None:
        """A key of one of the acts."""
        found = next((each for each in self._acts if each.key == event.key), None)
        if found is not None:
            event.stop()
            self.dismiss(found.act)

    def on_click(self, event: events.Click) -> None:
        """A click on one of the acts."""
        act = event.style.meta.get("secret_act")
        if act is None:
            return
        event.stop()
        if act == "show":
            self.action_show()
        elif act == "copy":
            self.action_copy()
        else:
            self.dismiss(act)
