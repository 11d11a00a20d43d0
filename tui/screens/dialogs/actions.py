"""What can be done from a dialog: one line of keys and what they do, pressed or clicked. Does nothing itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from tui.dataclass import dataclass
from tui.keys import key_name
from tui.widgets.row_styles import look_of_theme


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogAction:
    """Something to do from a dialog: its key, what it is called, and the function that does it.

    Two are the same if they are called the same: their functions are bound to what was known when they were offered.
    """

    key: str
    label: str
    run: Callable[[], Awaitable[bool | None]] = field(compare=False)
    """True where that leads away from a listing. A TuiError is for the person."""
    repeats: bool = False
    """Whether pressing its key again, while it is under way, means once more."""


def action_of_key(actions: Sequence[DialogAction], key: str) -> DialogAction | None:
    """What a key that was pressed does; None if nothing."""
    return next((each for each in actions if each.key == key), None)


class ActionLine(Static):
    """Names are not broken over lines. Keys come to the dialog, which knows when they count."""

    DEFAULT_CSS = "ActionLine { height: auto; color: $text-muted; margin-top: 1; }"

    class Chosen(Message):
        """One was clicked."""

        def __init__(self, action: DialogAction) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="actions", markup=False)
        self._actions: Sequence[DialogAction] = ()

    def show(self, actions: Sequence[DialogAction]) -> None:
        """These, and no others."""
        self._actions = actions
        look = look_of_theme(self.app.theme_variables, "surface")
        parts: list[tuple[str, Style]] = []
        for each in actions:
            clicked = Style.from_meta({"key": each.key})
            label = f" {each.label}".replace(" ", "\u00a0")
            parts += [(key_name(each.key), look.accent + clicked), (label, look.muted + clicked)]
            parts.append(("   ", look.muted))
        self.update(Content.assemble(*parts))

    def on_click(self, event: events.Click) -> None:
        """Say which one is under the mouse."""
        action = action_of_key(self._actions, event.style.meta.get("key", ""))
        if action is not None:
            event.stop()
            self.post_message(self.Chosen(action))
