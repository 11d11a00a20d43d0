"""What every key does, made from the table of actions. Nothing to choose."""

from collections.abc import Mapping
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui import keys
from tui.keys import key_names
from tui.screens.dialogs.frame import Dialog

_ALWAYS = tuple(
    replace(action, keys="alt+1,…,alt+9", help="Go to the organisation with that number.")
    if action.id == "app.account_1"
    else action
    for action in keys.APPLICATION
    if not action.id.startswith("app.account_") or action.id == "app.account_1"
)
_LIST_KEYS = (
    ("↑ ↓ j k", "Move from message to message."),
    ("PgUp PgDn", "Move by a screen."),
    ("Home End", "To the oldest that is loaded; to the newest."),
)


class Help(Dialog[None]):
    """All actions by place; `keymap` is what the person changed."""

    CSS = f"""{Dialog.CSS}
    Help > .card {{ width: 84; }}
    Help > .card {{ scrollbar-size-vertical: 1; }}
    Help .line {{ height: auto; }}
    Help .keys {{ width: 22; text-style: bold; }}
    Help .does {{ width: 1fr; }}
    Help .section {{ color: $primary; text-style: bold; margin-top: 1; }}
    """

    def __init__(self, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="card"):
            yield Static("Keys", classes="title")
            yield Static(Content("Ctrl+P lists everything with its key. Esc closes this."))
            for heading, actions in (
                ("Always", _ALWAYS),
                ("Anywhere", keys.CONVERSATION),
                ("On a message", keys.MESSAGE),
                ("In the list of conversations", keys.SIDEBAR),
                ("In the inbox and recent", keys.OVERVIEW),
                ("While writing", keys.COMPOSER),
            ):
                yield Static(Content(heading), classes="section")
                for action in actions:
                    named = self._keymap.get(action.id, action.keys)
                    yield _line(key_names(named), action.help)
            yield Static("In a list", classes="section")
            for named, words in _LIST_KEYS:
                yield _line(named, words)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def _line(named: str, words: str) -> Horizontal:
    return Horizontal(
        Static(Content(named), classes="keys"),
        Static(Content(words), classes="does"),
        classes="line",
    )
