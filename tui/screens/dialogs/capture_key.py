"""A dialog that waits for any key, and says what that key does now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tui.keys import keyboard_of
from tui.screens.dialogs.base import Dialog


class NewKey(Dialog[str]):
    """Dismissed with a key's name. A key that is taken already has to be pressed twice."""

    hint_labels: ClassVar[Mapping[str, str]] = {"cancel": "Cancel"}
    takes_any_key = True
    """Tells the application to leave its own keys to this dialog."""

    def __init__(
        self, title: str, text: str, *, taken_by: Callable[[str], str], after_prefix: bool = True
    ) -> None:
        """`taken_by` returns the label of a key's current action; "" if it has none.

        With `after_prefix` a key is asked for after a prefix, and the result is both.
        """
        super().__init__()
        self._after_prefix = after_prefix
        self._prefix = ""
        self._title = title
        self._text = text
        self._taken_by = taken_by
        self._pressed = ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(self._text), classes="description")
            yield Static(Content("Press the new key."), id="asked")

    def on_key(self, event: events.Key) -> None:
        """Choose the key, or show what it does now."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        keyboard = keyboard_of(self.app)
        if self._after_prefix and not self._prefix and (prefix := keyboard.prefix(event.key)):
            self._prefix = prefix
            name = keyboard.name(event.key)
            self.query_one("#asked", Static).update(Content(f"{name}, then…"))
            return
        key = f"{self._prefix}+{event.key}" if self._prefix else event.key
        self._prefix = ""
        taken = self._taken_by(key)
        if not taken or key == self._pressed:
            self.dismiss(key)
            return
        self._pressed = key
        name = keyboard.name(key)
        sentence = (
            f"{name} is used by {taken}. Press {name} again to reassign it, or press another key."
        )
        self.query_one("#asked", Static).update(Content(sentence))
