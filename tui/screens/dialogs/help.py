"""The list of keys, made from the tables of actions, with a search. Nothing to choose.

One widget holds all lines: a widget for each would take a second to build.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, Static

from tui import keys
from tui.keys import Keyboard, keyboard_of
from tui.screens.dialogs.base import Dialog
from tui.view.signs import SIGNS
from tui.widgets.content_lines import cells
from tui.widgets.line_input import LineInput
from tui.widgets.row_styles import look_of_theme

WIDEST_KEYS: Final = 20
"""Maximum width of the column of keys, in cells."""
NARROWEST_TEXT: Final = 20
GAP: Final = 2

_FIRST_ACCOUNT: Final = "app.account_1"
_ALWAYS: Final = tuple(
    replace(action, help="Switch to organization 1 to 9.")
    if action.id == _FIRST_ACCOUNT
    else action
    for action in keys.APPLICATION
    if not action.id.startswith("app.account_") or action.id == _FIRST_ACCOUNT
)
SECTIONS: Final = (
    ("Anywhere", keys.CONVERSATION),
    ("On a message", keys.MESSAGE),
    ("While writing", (*keys.COMPOSER, *keys.EDITING)),
    ("In a list", keys.LISTS),
    ("In the sidebar", keys.SIDEBAR),
    ("In the inbox and recent", keys.OVERVIEW),
    ("Always", _ALWAYS),
)


class Line(NamedTuple):
    """An action: its keys as people write them, its description, and its name in the hints."""

    section: str
    keys: str
    help: str
    label: str = ""


def lines(keymap: Mapping[str, str], keyboard: Keyboard) -> Iterator[Line]:
    """Yield every action that has a key which this terminal sends, then the signs in lists."""
    for section, actions in SECTIONS:
        for action in actions:
            named = keyboard.names(keymap.get(action.id, action.keys))
            if named:
                yield Line(section, named, action.help, action.label)
    for signs, words in SIGNS:
        yield Line("Signs", signs, words)


def matching(all_lines: list[Line], query: str) -> list[Line]:
    """Return the lines that contain every word, in keys, description, section or name."""
    words = query.casefold().split()
    return [line for line in all_lines if all(word in " ".join(line).casefold() for word in words)]


class Help(Dialog[None]):
    """All actions by section; `keymap` holds the user's own keys."""

    CSS = f"""{Dialog.CSS}
    Help > Vertical {{ width: 90 !important; height: 90vh !important; }}
    Help VerticalScroll {{ height: 1fr; margin-top: 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }}
    Help #lines {{ height: auto; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move('up')", show=False),
        Binding("down", "move('down')", show=False),
        Binding("pageup", "move('page_up')", show=False),
        Binding("pagedown", "move('page_down')", show=False),
    ]

    def __init__(self, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._keymap = keymap
        self._lines: list[Line] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static("Keys", classes="title")
            yield LineInput(placeholder="Type to search", id="wanted")
            with VerticalScroll(can_focus=False):
                yield Static(id="lines", markup=False)

    def on_mount(self) -> None:
        self._lines = list(lines(self._keymap, keyboard_of(self.app)))
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        """Wrap the sentences to the width."""
        self.call_after_refresh(self._show)

    @on(Input.Changed)
    def _show(self) -> None:
        if not self.query(Input):  # called later, when the dialog may be gone
            return
        query = self.query_one(Input).value
        area = self.query_one(VerticalScroll)
        area.scroll_home(animate=False)
        width = area.scrollable_content_region.width
        self.query_one("#lines", Static).update(self._text(matching(self._lines, query), width))

    def _text(self, shown: list[Line], width: int) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        if not shown:
            return Content.assemble(("No matches.", look.muted))
        room = min(WIDEST_KEYS, max(cells(line.keys) for line in self._lines))
        room = max(1, min(room, width - GAP - NARROWEST_TEXT))
        parts: list[tuple[str, Style]] = []
        section = ""
        for line in shown:
            if line.section != section:
                parts.append((f"{'' if not section else chr(10)}{line.section}\n", look.accent))
                section = line.section
            text = textwrap.wrap(line.help, max(1, width - room - GAP)) or [""]
            named = _broken(line.keys, room)
            for at in range(max(len(text), len(named))):
                key = named[at] if at < len(named) else ""
                help_line = text[at] if at < len(text) else ""
                parts.append((key + " " * (room + GAP - cells(key)), look.base))
                parts.append((f"{help_line}\n", look.muted))
        return Content.assemble(*parts)

    def action_move(self, where: str) -> None:
        """Scroll, while the search has the focus."""
        area = self.query_one(VerticalScroll)
        getattr(area, f"scroll_{where}")(animate=False)


def _broken(named: str, room: int) -> list[str]:
    """Wrap keys to lines; keys of one sequence stay together."""
    together = "  ".join(key.replace(" ", "\u00a0") for key in named.split("  "))
    return textwrap.wrap(together, room, break_on_hyphens=False)
