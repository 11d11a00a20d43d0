"""A form with several fields. It sends them itself: an error is shown in it and nothing typed is lost.

Knows no store: the caller gives the fields, and the function that sends the answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, ClassVar, TypeAlias

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Label, Static, TextArea

from tui.content.sanitize import sanitize, sanitize_line
from tui.dataclass import dataclass
from tui.errors import TuiError
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser, swatch
from tui.screens.dialogs.multi_select import MultiSelect
from tui.widgets.lines_field import LinesField
from tui.widgets.row_styles import look_of_theme
from tui.widgets.toggles import Checkbox


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """A line of text, or several; a secret is not shown."""

    name: str
    label: str
    value: str = ""
    hint: str = ""
    longest: int = 0
    """In characters; 0 for no limit."""
    secret: bool = False
    lines: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TickField:
    """A checkbox."""

    name: str
    label: str
    value: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceField:
    """A choice of one; `value` is one of the choices' values, or where there are `parts` a set of theirs."""

    name: str
    label: str
    choices: Sequence[Choice[Any]]
    value: object = None
    parts: Sequence[Choice[Any]] = ()
    """Further choices, of which any number can be chosen."""
    parts_label: str = "these people and groups…"
    nothing: str = "nobody"
    made_of: Callable[[str], Choice[Any] | None] | None = None
    """Returns the choice for typed text, None if it is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralField:
    """A choice of any number."""

    name: str
    label: str
    choices: Sequence[Choice[Any]]
    value: frozenset[Any] = field(default_factory=frozenset)
    nothing: str = "none"
    """Shown in the field while nothing is chosen."""


Field: TypeAlias = TextField | TickField | ChoiceField | SeveralField


@dataclass(frozen=True, slots=True)
class Answers:
    """The values of the fields by name. Each of the methods raises KeyError for an unknown name."""

    values: Mapping[str, Any]
    changed: frozenset[str]
    """Names of the fields whose values differ from the first ones."""

    def text(self, name: str) -> str:
        """Return the value of a text field, stripped."""
        return str(self.values[name]).strip()

    def tick(self, name: str) -> bool:
        """Return whether a checkbox is on."""
        return bool(self.values[name])

    def choice(self, name: str) -> Any:
        """Return the chosen value."""
        return self.values[name]

    def several(self, name: str) -> frozenset[Any]:
        """Return the chosen values."""
        return frozenset(self.values[name])


Preview: TypeAlias = Callable[[Answers], str]


class _Fields(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The scrolling area of the fields: arrows move between fields, and the focus scrolls."""


def _inert(each: Field) -> Field:
    """Return the field with sanitized text: the value may have been written by someone else."""
    if not isinstance(each, TextField):
        return each
    return replace(each, value=(sanitize_line if each.lines == 1 else sanitize)(each.value))


class Form(Dialog[bool]):
    """A form. Dismissed with True after `submit` succeeded; its TuiError is shown, and the form stays."""

    CSS = f"""{Dialog.CSS}
    Form > .card {{ width: 76; }}
    Form .description {{ color: $text-muted; }}
    Form #fields {{ height: auto; scrollbar-size-vertical: 1; }}
    Form .field {{ height: auto; margin-bottom: 1; }}
    Form.dense .field {{ margin-bottom: 0; }}
    Form .field Label {{ width: 31; padding-right: 1; }}
    Form .field Input, Form .field TextArea {{ width: 1fr; }}
    Form .field TextArea {{ border: none; padding: 0 1; background: $background; }}
    Form .field TextArea:focus {{ background: $foreground 13%; }}
    Form .field TextArea:focus:ansi {{ background: $background; }}
    Form .field Button {{ width: 1fr; margin: 0; padding: 0 1; content-align-horizontal: left; text-align: left; background: $background; text-style: none; }}
    Form .field Button:focus {{ background: $foreground 13%; color: $foreground; text-style: none; }}
    Form .field Button:focus:ansi {{ background: $background; text-style: reverse; }}
    Form #preview {{ height: auto; color: $text-muted; }}
    Form #trouble {{ height: auto; color: $text-error; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", priority=True),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Previous field", show=False),
    ]

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        *,
        submit: Callable[[Answers], Awaitable[None]],
        yes: str = "Save",
        text: str = "",
        preview: Preview | None = None,
    ) -> None:
        """`preview` returns a sentence about the current values, shown as they change.

        A preview that has to be awaited is canceled when the fields change again.
        """
        super().__init__()
        self._title = title
        self._fields = [_inert(each) for each in fields]
        self._submit = submit
        self._yes = yes
        self._text = text
        self._preview = preview
        self._is_sending = False
        self._chosen: dict[str, Any] = {
            each.name: each.value for each in fields if isinstance(each, ChoiceField | SeveralField)
        }
        self._typed_choices: dict[str, tuple[Choice[Any], ...]] = {}
        """The choices of each field; they may have been typed."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            if self._text:
                yield Static(Content(self._text), classes="description")
            with _Fields(id="fields"):
                for each in self._fields:
                    with Horizontal(classes="field"):
                        yield from self._compose_field(each)
            if self._preview is not None:
                yield Static(id="preview", markup=False)
            yield Static(id="trouble", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(Content(self._yes), id="save", compact=True)

    @property
    def hint_labels(self) -> Mapping[str, str]:
        """The labels of keys in the last line: what saving is called here."""
        return {"save": self._yes, "cancel": "Cancel"}

    def _compose_field(self, each: Field) -> ComposeResult:
        match each:
            case TextField(lines=1):
                yield Label(Content(each.label))
                yield Input(
                    each.value,
                    id=f"field-{each.name}",
                    placeholder=each.hint,
                    max_length=each.longest,
                    password=each.secret,
                )
            case TextField():
                yield Label(Content(each.label))
                area = LinesField(each.value, id=f"field-{each.name}", tab_behavior="focus")
                area.styles.height = each.lines
                yield area
            case TickField():
                yield Checkbox(Content(each.label), each.value, id=f"field-{each.name}")
            case ChoiceField() | SeveralField():
                yield Label(Content(each.label))
                yield Button(self._says(each), id=f"field-{each.name}", compact=True)

    def on_mount(self) -> None:
        fields = self.query("#fields Input, #fields TextArea, #fields Checkbox, #fields Button")
        if fields:
            fields.first().focus()
        self._show_preview()

    def on_resize(self) -> None:
        """Let the fields scroll where there is no room for all; the buttons below stay visible."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        if not self.query("#fields"):  # called later, when the form may be gone
            return
        card, fields = self.query_one(".card"), self.query_one("#fields")
        others = (each for each in card.children if each is not fields)
        taken = sum(each.region.height + each.styles.margin.height for each in others)
        room = self.size.height * 9 // 10 - card.gutter.height - taken
        lines = sum(each.lines if isinstance(each, TextField) else 1 for each in self._fields)
        self.set_class(lines + len(self._fields) > room, "dense")
        fields.styles.max_height = max(3, room)

    @property
    def answers(self) -> Answers:
        """The current values of the fields."""
        values = {each.name: self._value(each) for each in self._fields}
        changed = (each.name for each in self._fields if values[each.name] != each.value)
        return Answers(values, frozenset(changed))

    def _value(self, each: Field) -> object:
        match each:
            case TextField(lines=1):
                return self.query_one(f"#field-{each.name}", Input).value
            case TextField():
                return self.query_one(f"#field-{each.name}", TextArea).text
            case TickField():
                return self.query_one(f"#field-{each.name}", Checkbox).value
            case ChoiceField() | SeveralField():
                return self._chosen[each.name]

    def _says(self, each: ChoiceField | SeveralField) -> Content:
        chosen = self._chosen[each.name]
        of = each.parts if isinstance(each, ChoiceField) else each.choices
        if isinstance(chosen, frozenset):
            labels = [choice.label for choice in of if choice.value in chosen] or [each.nothing]
            return Content(f"{', '.join(labels)} ▾")
        choices = [*each.choices, *self._typed_choices.get(each.name, ())]
        choice_now = next((choice for choice in choices if choice.value == chosen), None)
        if choice_now is None:
            return Content("— ▾")
        look = look_of_theme(self.app.theme_variables, "background")
        return Content.assemble(swatch(choice_now, look), f"{choice_now.label} ▾")

    @on(Button.Pressed, ".field Button")
    def _pressed(self, event: Button.Pressed) -> None:
        self._choose(event.button)

    def on_key(self, event: events.Key) -> None:
        """Open the choices of the focused field with a letter that is typed on it, as browsers do."""
        button = self.focused
        letter = (event.character or "").strip()
        if event.is_printable and letter and isinstance(button, Button) and button.id != "save":
            event.stop()
            self._choose(button, letter)

    @work
    async def _choose(self, button: Button, text: str = "") -> None:
        each = next(each for each in self._fields if f"field-{each.name}" == button.id)
        assert isinstance(each, ChoiceField | SeveralField), "only these have buttons"
        if isinstance(each, SeveralField):
            await self._choose_several(each, each.choices, text)
        else:
            await self._choose_one(each, text)
        button.label = self._says(each)
        self._show_preview()

    async def _choose_one(self, each: ChoiceField, text: str) -> None:
        # A value may be None, which as the result of the dialog means Esc.
        choices: list[Choice[tuple[Choice[Any], ...]]] = [
            Choice(
                value=(choice,),
                label=choice.label,
                detail=choice.detail,
                weight=-at,
                color=choice.color,
            )
            for at, choice in enumerate(each.choices)
        ]
        if each.parts:
            choices.append(Choice(value=(), label=each.parts_label, weight=-len(choices)))
        made_of = each.made_of

        def wrapped(text: str) -> tuple[Choice[Any], ...] | None:
            new_choice = made_of(text) if made_of is not None else None
            return None if new_choice is None else (new_choice,)

        hint = "type to filter" if made_of is None else "choose one, or type a value"
        one = await self.app.push_screen_wait(
            Chooser(
                each.label, choices, hint=hint, made_of=wrapped, at=self._line_of(each), text=text
            )
        )
        if one is not None and not one:
            await self._choose_several(each, each.parts)
        elif one is not None:
            self._typed_choices[each.name] = one
            self._chosen[each.name] = one[0].value

    def _line_of(self, each: ChoiceField) -> int:
        """Return the line of the current choice; the last line for people and groups."""
        chosen = self._chosen[each.name]
        if isinstance(chosen, frozenset):
            return len(each.choices)
        values = [choice.value for choice in each.choices]
        return values.index(chosen) if chosen in values else 0

    async def _choose_several(
        self, each: ChoiceField | SeveralField, choices: Sequence[Choice[Any]], text: str = ""
    ) -> None:
        before = self._chosen[each.name]
        chosen = before if isinstance(before, frozenset) else frozenset()
        several: frozenset[Any] | None = await self.app.push_screen_wait(
            MultiSelect(each.label, choices, chosen=chosen, text=text)
        )
        if several is not None:
            self._chosen[each.name] = several

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Checkbox.Changed)
    def _show_preview(self) -> None:
        if self._preview is not None and self.is_open:
            self.query_one("#preview", Static).update(Content(self._preview(self.answers)))
            self.call_after_refresh(self._fit)

    @on(Input.Submitted)
    @on(Button.Pressed, "#save")
    def action_save(self) -> None:
        """Send the form; ignored while it is being sent already."""
        if not self._is_sending:
            self._is_sending = True
            self._send()

    @work(group="send")
    async def _send(self) -> None:
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content("…"))
        try:
            await self._submit(self.answers)
        except TuiError as error:
            trouble.update(Content(sanitize_line(str(error))))
            self.call_after_refresh(self._fit)
        else:
            self.dismiss(True)
        finally:
            self._is_sending = False
