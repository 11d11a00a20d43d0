"""Keys that can follow a prefix: a list at the bottom of the screen, until a key is pressed.

Finds the actions among the active bindings of the screen below. Runs nothing itself.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, NamedTuple

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from tui.keys import LEADER, follows, key_name, keyboard_of
from tui.screens.dialogs.base import Dialog
from tui.widgets.content_lines import cells
from tui.widgets.row_styles import look_of_theme

COLUMN: Final = 26
"""Maximum width of a key with its label, in cells."""


class Follower(NamedTuple):
    """An action of a key after the prefix, and the widget that it belongs to."""

    action: str
    node: DOMNode
    label: str


def followers(screen: Screen[Any], prefix: str) -> dict[str, Follower]:
    """Return the active actions after a prefix by key name; those without a label are left out."""
    by_key: dict[str, Follower] = {}
    for key, (node, binding, enabled, _) in screen.active_bindings.items():
        last = follows(prefix, key)
        is_own = key.startswith(f"{prefix}+")
        if last and enabled and (is_own or last not in by_key):
            by_key[last] = Follower(binding.action, node, binding.description)
    return by_key


class PrefixKeys(Dialog[Follower]):
    """The list of keys after a prefix. Dismissed with the next key's action; None for Esc and other keys."""

    CSS = f"""{Dialog.CSS}
    PrefixKeys {{ align: center bottom !important; background: transparent !important; }}
    PrefixKeys > VerticalScroll {{
        width: 100% !important; max-height: 80vh !important; padding: 1 2 2 2 !important;
        background: $panel !important;
    }}
    PrefixKeys Static {{ height: auto; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = []

    takes_any_key = True
    """Tells the application to leave its own keys to this dialog."""

    def __init__(self, prefix: str, by_key: dict[str, Follower]) -> None:
        super().__init__()
        self._prefix = prefix
        self._by_key = by_key

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """List the keys once the width is known."""
        self._list()

    def on_resize(self) -> None:
        """Lay the list out in as many columns as fit."""
        self._list()

    def _list(self) -> None:
        look = look_of_theme(self.app.theme_variables, "panel")
        listed = [(key, each) for key, each in self._by_key.items() if each.label]
        listed.sort(key=lambda pair: (not pair[0].isalpha(), len(pair[0]) > 1, pair[0].casefold()))
        columns = max(1, (self.app.size.width - 4) // COLUMN)
        rows = -(-len(listed) // columns)
        parts: list[tuple[str, Style]] = []
        for row in range(rows):
            for key, each in listed[row::rows]:
                clicked = Style.from_meta({"key": key})
                name, label = key_name(key), each.label[: COLUMN - 4 - len(key_name(key))]
                parts.append((f"{name} ", look.accent + clicked))
                room = " " * (COLUMN - 1 - cells(name) - cells(label))
                parts.append((f"{label}{room}", look.base + clicked))
            parts.append(("\n", look.base))
        self.query_one("#keys", Static).update(Content.assemble(*parts[:-1]))

    def on_key(self, event: events.Key) -> None:
        """Choose the key's action. A letter with Ctrl still held counts as the letter."""
        event.stop()
        event.prevent_default()
        key = event.key
        keyboard = keyboard_of(self.app)
        follower = self._by_key.get(key)
        if follower is None and self._prefix == LEADER:
            follower = self._by_key.get(key.removeprefix("ctrl+"))
        if follower is None and key not in ("escape", *keyboard.prefixes[self._prefix].split(",")):
            name = keyboard.name(f"{self._prefix}+{key}")
            self.app.notify(f"{name} does nothing here.", markup=False, timeout=3)
        self.dismiss(follower)

    def on_click(self, event: events.Click) -> None:
        """Choose the action under the mouse; a click beside the list closes it."""
        key = event.style.meta.get("key")
        self.dismiss(self._by_key.get(key) if key is not None else None)


async def ask(app: App[Any], prefix: str) -> None:
    """List the keys after a prefix, and run the chosen action on its widget."""

    async def follow(follower: Follower | None) -> None:
        if follower is not None:
            await app.run_action(follower.action, follower.node)

    await app.push_screen(PrefixKeys(prefix, followers(app.screen, prefix)), follow)
