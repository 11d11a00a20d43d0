"""The dialog of the user's own status: a few words and an emoji. Does not set it itself."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from tui.dataclass import dataclass
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.view.emoji import Emoji

LONGEST: Final = 60
_USUAL: Final = (
    ("calendar", "In a meeting"),
    ("working_on_it", "Busy"),
    ("bus", "Commuting"),
    ("hurt", "Out sick"),
    ("palm_tree", "On holiday"),
    ("house", "Working from home"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStatus:
    """The user's own status; both empty for none."""

    text: str
    emoji: Emoji | None


class StatusDialog(Dialog[OwnStatus]):
    """Dismissed with the new status; usual ones by one key."""

    CSS = f"""{Dialog.CSS}
    StatusDialog .field {{ height: 1; }}
    StatusDialog .field Button {{ margin: 0 1 0 0; min-width: 6; }}
    StatusDialog .field Input {{ width: 1fr; }}
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "set", "Set", priority=True)]

    def __init__(self, status: OwnStatus, emoji: Sequence[Emoji]) -> None:
        super().__init__()
        self._status = status
        self._emoji = emoji
        by_name = {each.name: each for each in emoji}
        self._usual = [
            OwnStatus(text=text, emoji=by_name[name]) for name, text in _USUAL if name in by_name
        ]

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static("Your status", classes="title")
            with Horizontal(classes="field"):
                yield Button(Content(self._emoji_text()), id="emoji", compact=True)
                yield Input(
                    self._status.text,
                    id="text",
                    max_length=LONGEST,
                    placeholder="what are you up to?",
                )
            yield OptionList(
                *(Option(_line(each)) for each in self._usual), id="usual", markup=False
            )
            yield Label("Others see it beside your name until you clear it.", classes="hint")
            with Horizontal(classes="buttons"):
                yield Button("Clear", id="clear", compact=True)
                yield Button("Set", id="set", compact=True)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = None
        self.query_one(Input).focus()

    def _emoji_text(self) -> str:
        return self._status.emoji.text if self._status.emoji is not None else "emoji"

    @on(Button.Pressed, "#emoji")
    @work
    async def _choose_emoji(self) -> None:
        choices = [
            Choice(value=emoji, label=f"{emoji.text}  {emoji.name.replace('_', ' ')}")
            for emoji in self._emoji
        ]
        emoji: Emoji | None = await self.app.push_screen_wait(
            Chooser("Emoji", choices, hint="coffee, train…", nothing="No matching emoji.")
        )
        if emoji is not None:
            self._status = replace(self._status, emoji=emoji)
            self.query_one("#emoji", Button).label = Content(self._emoji_text())
            self.query_one(Input).focus()

    @on(OptionList.OptionSelected)
    def _usual_chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._usual[event.option_index])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Enter to the buttons and the list."""
        if action == "set":
            return isinstance(self.focused, Input)
        return super().check_action(action, parameters)

    @on(Button.Pressed, "#set")
    def action_set(self) -> None:
        """Accept what was typed."""
        self.dismiss(replace(self._status, text=self.query_one(Input).value.strip()))

    @on(Button.Pressed, "#clear")
    def _clear(self) -> None:
        self.dismiss(OwnStatus(text="", emoji=None))


def _line(status: OwnStatus) -> Content:
    emoji = status.emoji.text if status.emoji is not None else ""
    return Content(f"{emoji}  {status.text}")
