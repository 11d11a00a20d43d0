"""Writes docs/keys.md: every action with its keys, of the client's own tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textual.binding import Binding

from tui import keys
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.card import Card
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.datetime_prompt import MomentPrompt
from tui.screens.dialogs.form import Form
from tui.screens.dialogs.listing import ListDialog
from tui.screens.dialogs.move import MoveDialog
from tui.screens.dialogs.multi_select import MultiSelect
from tui.screens.dialogs.path import PathPrompt
from tui.screens.dialogs.picture import PictureView
from tui.screens.dialogs.search import SearchPrompt
from tui.screens.dialogs.text_editor import TextDialog

TABLES = (
    ("Everywhere", keys.APPLICATION),
    ("Main screen", keys.CONVERSATION),
    ("Selected message", keys.MESSAGE),
    ("Lists", keys.LISTS),
    ("Sidebar", keys.SIDEBAR),
    ("Inbox and recent conversations", keys.OVERVIEW),
    ("Composer", keys.COMPOSER),
    ("Editing text", keys.EDITING),
)
DIALOGS: tuple[tuple[str, type[Dialog[Any]]], ...] = (
    ("Lists to choose from", Chooser),
    ("Lists to choose several from", MultiSelect),
    ("Search", SearchPrompt),
    ("Files", PathPrompt),
    ("Forms", Form),
    ("Longer texts", TextDialog),
    ("Moving messages", MoveDialog),
    ("Times", MomentPrompt),
    ("Pages", ListDialog),
    ("Details of people, channels and messages", Card),
    ("Pictures", PictureView),
)
OF_DIALOGS = """
## Dialogs and pages

`Esc` closes each of them. These keys cannot be changed. On a page of the organization (`Ctrl+G o`), `n` creates, `Enter` changes, `d`
deletes, and `Shift+↑` and `Shift+↓` reorder; the bottom line of a page names what you have permission for.

| where | keys | action |
|---|---|---|
"""
HEAD = """# Keys

Every action with its standard keys. Written by `make map`; a test compares. Press `F1` in the client for the keys of your terminal and
preset, and `Alt+K` to change them. The names are those of `[keys]` in [config.toml](guide/client.md#settings). Where a terminal does not send
Alt with a letter, press `Ctrl+G` and the letter.
"""


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    keyboard = keys.Keyboard()
    for title, table in TABLES:
        parts.append(f"\n## {title}\n\n| keys | action | name |\n|---|---|---|\n")
        for action in table:
            ways = [way for way in action.keys.split(",") if _is_standard(way)]
            named = " ".join(f"`{keyboard.name(way)}`" for way in ways)
            about = action.help.replace("|", "\\|")
            parts.append(f"| {named} | {about} | `{action.id}` |\n")
    parts.append(OF_DIALOGS)
    for title, dialog in DIALOGS:
        for ways, about in _of_dialog(dialog):
            named = " ".join(f"`{keyboard.name(way)}`" for way in ways)
            parts.append(f"| {title} | {named} | {about} |\n")
    return "".join(parts)


def _is_standard(way: str) -> bool:
    """Return whether these keys exist without a preset: neither "none" nor a sequence that nothing begins."""
    return keys.PREFIXES.get(way.partition("+")[0], way) != keys.NO_KEY


def _of_dialog(dialog: type[Dialog[Any]]) -> Iterator[tuple[list[str], str]]:
    """(keys, what they do) of one kind of dialog, without what all have."""
    for binding in dialog.BINDINGS:
        assert isinstance(binding, Binding)
        if binding.key != "escape":
            yield binding.key.split(","), binding.description


if __name__ == "__main__":
    Path(__file__).with_name("keys.md").write_text(page(), "utf-8")
