"""The actions of a dialog: one line of keys and labels, pressed or clicked. Runs nothing itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import Final

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from tui.dataclass import dataclass
from tui.keys import key_name
from tui.widgets.row_styles import look_of_theme

_BETWEEN: Final = Content("   ")


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogAction:
    """An action of a dialog: its key, its label, and the function that carries it out.

    Actions are equal if their keys and labels are: their functions are bound to older data.
    """

    key: str
    label: str
    run: Callable[[], Awaitable[bool | None]] = field(compare=False)
    """Returns True where the action leads away from a list. A TuiError is shown to the user."""
    repeats: bool = False
    """Whether pressing the key again, while the action runs, means once more."""


def action_of_key(actions: Sequence[DialogAction], key: str) -> DialogAction | None:
    """Return the action of a key; None if there is none."""
    return next((each for each in actions if each.key == key), None)


class ActionLine(Static):
    """The lines of keys and labels; no key is on another line than its label. Keys go to the dialog, which
    knows when they count.
    """

    DEFAULT_CSS = "ActionLine { height: auto; color: $text-muted; margin-top: 1; }"

    class Chosen(Message):
        """Posted when an action is clicked."""

        def __init__(self, action: DialogAction) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="actions", markup=False)
        self._actions: Sequence[DialogAction] = ()
        self._parts: Sequence[Content] = ()

    def show(self, actions: Sequence[DialogAction]) -> None:
        """Show these actions only."""
        self._actions = actions
        look = look_of_theme(self.app.theme_variables, "surface")
        parts: list[Content] = []
        for each in actions:
            clicked = Style.from_meta({"key": each.key})
            key, label = key_name(each.key), f" {each.label}"
            parts.append(
                Content.assemble((key, look.accent + clicked), (label, look.muted + clicked))
            )
        self._parts = parts
        self.update(_BETWEEN.join(parts))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  # Textual's signature
        """Return the number of lines at this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        # Textual would wrap at every blank.
        return Content("\n").join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Content]:
        lines: list[Content] = []
        for part in self._parts:
            if lines and lines[-1].cell_length + _BETWEEN.cell_length + part.cell_length <= width:
                lines[-1] = _BETWEEN.join([lines[-1], part])
            else:
                lines.append(part)
        return lines

    def on_click(self, event: events.Click) -> None:
        """Post the action under the mouse."""
        action = action_of_key(self._actions, event.style.meta.get("key", ""))
        if action is not None:
            event.stop()
            self.post_message(self.Chosen(action))
