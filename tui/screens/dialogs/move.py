"""The dialog for moving messages: destination, scope, and what the move will do. Moves nothing itself."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Button, Input, Label, RadioSet, Static

from tui.api.model import ChannelId
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.view.moves import Move, Reach
from tui.widgets.toggles import Checkbox, RadioButton

_REACHES: Final[tuple[tuple[Reach, str], ...]] = (
    ("change_one", "this message"),
    ("change_later", "this message and later ones"),
    ("change_all", "the whole topic"),
)


class _Topics(Suggester):
    """Suggests the first topic that begins with what was typed."""

    def __init__(self, topics: Callable[[], Sequence[str]]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._topics = topics

    async def get_suggestion(self, value: str) -> str | None:
        typed = value.casefold()
        topics = (each for each in self._topics() if each.casefold().startswith(typed))
        # Typed letters stay as they are: the field shows only the rest.
        return next((value + each[len(value) :] for each in topics if each != value), None)


class _Reaches(RadioSet):
    """The choices of what to move: arrow keys leave it at its ends."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_button", "Select"),
        Binding("enter", "toggle_button", "Select", show=False),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the key to the dialog where there is no further choice in its direction."""
        at_end = {"previous_button": 0, "next_button": len(_REACHES) - 1}
        if action in at_end:
            return self._selected != at_end[action]
        return super().check_action(action, parameters)


class _Fields(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The scrolling area of the fields: arrows move between fields, and the focus scrolls."""


class MoveDialog(Dialog[Move]):
    """Dismissed with the chosen move; `summary` describes what a move would do."""

    CSS = f"""{Dialog.CSS}
    MoveDialog RadioSet {{ border: none; padding: 0; background: transparent; width: 1fr; }}
    MoveDialog RadioSet:focus {{ border: none; }}
    MoveDialog .field {{ height: 1; margin-top: 1; }}
    MoveDialog .field Label {{ width: 9; }}
    MoveDialog .field Button {{ margin: 0; min-width: 8; content-align: left middle; text-align: left; }}
    MoveDialog .field Input {{ width: 1fr; }}
    MoveDialog #tell_new {{ margin-top: 1; }}
    MoveDialog .description {{ margin: 1 0 0 0 !important; min-height: 2; }}
    """
    HAS_TOOLTIPS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "move", "Move", priority=True),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Previous field", show=False),
    ]

    def __init__(
        self,
        move: Move,
        channels: Sequence[Choice[ChannelId]],
        *,
        longest: int,
        summary: Callable[[Move], str],
        enter: Callable[[ChannelId], Awaitable[None]],
        topics: Callable[[ChannelId], Sequence[str]],
    ) -> None:
        """`move` starts with the message's conversation; `enter` is awaited before `summary` of a channel.

        `topics` returns the loaded topics of a channel, newest first: → accepts the suggested one.
        """
        super().__init__()
        self._move = move
        self._channels = channels
        self._longest = longest
        self._summary = summary
        self._enter = enter
        self._topics = topics

    def compose(self) -> ComposeResult:
        with _Fields(classes="card"):
            yield Static("Move", classes="title")
            with _Reaches(id="reach"):
                for reach, label in _REACHES:
                    yield RadioButton(Content(label), value=reach == self._move.reach)
            with Horizontal(classes="field"):
                yield Label("Channel")
                yield Button(Content(self._channel_name()), id="channel", compact=True)
            with Horizontal(classes="field"):
                yield Label("Topic")
                yield Input(
                    self._move.topic,
                    id="topic",
                    max_length=self._longest,
                    suggester=_Topics(lambda: self._topics(self._move.channel_id)),
                    tooltip="→ accepts the suggested topic",
                )
            yield Checkbox("Post a notice in the new topic", self._move.tell_new, id="tell_new")
            yield Checkbox("Post a notice in the old topic", self._move.tell_old, id="tell_old")
            yield Static(classes="description", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="no", compact=True)
                yield Button("Move", id="yes", compact=True)

    def on_mount(self) -> None:
        self.query_one("#topic", Input).focus()
        self._say()

    def _channel_name(self) -> str:
        names = (each.label for each in self._channels if each.value == self._move.channel_id)
        return next(names, "another channel")

    def _say(self) -> None:
        summary = self._summary(self._move)
        self.query_one(".description", Static).update(
            Content(summary or "Enter a new topic or pick another channel.")
        )
        self.query_one("#yes", Button).disabled = not summary
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Enter to the other fields, which it changes."""
        if action == "move":
            return isinstance(self.focused, Input) and bool(self._summary(self._move))
        return super().check_action(action, parameters)

    @on(RadioSet.Changed)
    def _reach_changed(self, event: RadioSet.Changed) -> None:
        self._move = replace(self._move, reach=_REACHES[event.index][0])
        self._say()

    @on(Input.Changed)
    def _topic_changed(self, event: Input.Changed) -> None:
        self._move = replace(self._move, topic=event.value.strip())
        self._say()

    @on(Checkbox.Changed)
    def _telling_changed(self) -> None:
        self._move = replace(
            self._move,
            tell_new=self.query_one("#tell_new", Checkbox).value,
            tell_old=self.query_one("#tell_old", Checkbox).value,
        )

    @on(Button.Pressed, "#channel")
    def _pressed(self) -> None:
        self._choose_channel()

    def on_key(self, event: events.Key) -> None:
        """Open the channels with a letter that is typed on theirs, as forms do."""
        letter = (event.character or "").strip()
        if event.is_printable and letter and self.query_one("#channel").has_focus:
            event.stop()
            self._choose_channel(letter)

    @work
    async def _choose_channel(self, text: str = "") -> None:
        channel_id: ChannelId | None = await self.app.push_screen_wait(
            Chooser("To which channel?", self._channels, hint="a channel", text=text)
        )
        if channel_id is None:
            return
        await self._enter(channel_id)
        self._move = replace(self._move, channel_id=channel_id)
        self.query_one("#channel", Button).label = Content(self._channel_name())
        self._say()

    @on(Button.Pressed, "#yes")
    def action_move(self) -> None:
        """Accept the move, if it moves anything."""
        if self._summary(self._move):
            self.dismiss(self._move)

    @on(Button.Pressed, "#no")
    def _not_done(self) -> None:
        self.dismiss(None)
