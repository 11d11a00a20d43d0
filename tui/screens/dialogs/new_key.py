"""The key that is pressed next, whatever it is, with a word of what it does now."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tui.keys import key_name
from tui.screens.dialogs.frame import Dialog


class NewKey(Dialog[str]):
    """Dismissed with a key's name. A key that does something already is pressed twice."""

    takes_any_key = True
    """For the application, whose own keys come first otherwise."""

    def __init__(self, title: str, words: str, *, taken_by: Callable[[str], str]) -> None:
        """`taken_by` says what a key does now; "" if nothing."""
        super().__init__()
        self._title = title
        self._words = words
        self._taken_by = taken_by
        self._pressed = ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(self._words), classes="words")
            yield Static(Content("Press the new key."), id="asked")
            yield Static(Content("Esc gives up"), classes="hint")

    def on_key(self, event: events.Key) -> None:
        """Take it, or say what it does."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        taken = self._taken_by(event.key)
        if not taken or event.key == self._pressed:
            self.dismiss(event.key)
            return
        self._pressed = event.key
        name = key_name(event.key)
        sentence = (
            f"{name} is {taken} now. Press {name} again to take it from there, or another key."
        )
        self.query_one("#asked", Static).update(Content(sentence))
