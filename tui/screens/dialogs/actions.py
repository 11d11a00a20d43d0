"""What can be done from a dialog: one line of keys and what they do, pressed or clicked. Does nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from tui.dataclass import dataclass
from tui.keys import key_name
from tui.widgets.row_styles import look_of_theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something to do: its key, what it is called, and the word for it in the code."""

    key: str
    label: str
    act: str
    repeats: bool = False
    """Whether pressing its key again, while it is under way, means once more."""


def act_of_key(acts: Sequence[Act], key: str) -> str | None:
    """What a key that was pressed does; None if nothing."""
    return next((each.act for each in acts if each.key == key), None)


class ActLine(Static):
    """Names are not broken over lines. Keys come to the dialog, which knows when they count."""

    DEFAULT_CSS = "ActLine { height: auto; color: $text-muted; margin-top: 1; }"

    class Chosen(Message):
        """One was clicked."""

        def __init__(self, act: str) -> None:
            super().__init__()
            self.act = act

    def __init__(self) -> None:
        super().__init__(id="acts", markup=False)

    def show(self, acts: Sequence[Act]) -> None:
        """These, and no others."""
        look = look_of_theme(self.app.theme_variables, "surface")
        parts: list[tuple[str, Style]] = []
        for each in acts:
            clicked = Style.from_meta({"act": each.act})
            words = f" {each.label}".replace(" ", "\u00a0")
            parts += [(key_name(each.key), look.accent + clicked), (words, look.muted + clicked)]
            parts.append(("   ", look.muted))
        self.update(Content.assemble(*parts))

    def on_click(self, event: events.Click) -> None:
        """Say which one is under the mouse."""
        act = event.style.meta.get("act")
        if act is not None:
            event.stop()
            self.post_message(self.Chosen(act))
