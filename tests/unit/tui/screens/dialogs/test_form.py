"""A form: what is typed comes out, a refusal loses nothing, and everything is in sight."""

import asyncio
from typing import Any

from textual.widgets import Button, Checkbox, Input, Static

from tests.live import until
from tests.unit.tui.screens.dialogs.asking import asking
from tui.errors import BadNarrow
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import (
    Answers,
    ChoiceField,
    Field,
    Form,
    SeveralField,
    TextField,
    TickField,
)
from tui.widgets.hint_line import HintLine

CHOICES: list[Choice[Any]] = [
    Choice(value=None, label="never"),
    Choice(value=1, label="after a day"),
]
PEOPLE = [Choice(value=each, label=name) for each, name in ((1, "Ann"), (2, "[b]Ben"))]


class _Server:
    """Refuses as often as it is told to, and keeps what it got."""

    def __init__(self, refusals: int = 0) -> None:
        self.got: list[Answers] = []
        self._refusals = refusals

    async def save(self, answers: Answers) -> None:
        """As the submit of a form."""
        if self._refusals:
            self._refusals -= 1
            raise BadNarrow("That name is [bold]taken.")
        self.got.append(answers)


async def test_a_refusal_is_shown_and_nothing_typed_is_lost() -> None:
    """The server says no; the words stay, and are sent again after a mend."""
    server = _Server(refusals=1)
    form = Form("New", [TextField(name="name", label="Name")], submit=server.save)
    async with asking(form) as (app, pilot):
        await pilot.press(*"tea", "ctrl+s")
        await pilot.pause()
        assert str(form.query_one("#trouble", Static).content) == "That name is [bold]taken."
        assert form.query_one(Input).value == "tea"
        await pilot.press("s", "enter")
        await pilot.pause()
        assert app.answers == [True]
    assert [answers.text("name") for answers in server.got] == ["teas"]


async def test_the_last_line_names_the_key_once() -> None:
    """With the word on the button, so that both are seen to do the same."""
    form = Form("A new channel", [], submit=_Server().save, yes="Create")
    async with asking(form):
        assert form.query_one(HintLine).hints == [("Ctrl+S", "Create"), ("Esc", "Cancel")]
        assert not [each for each in form.query(Static) if "Ctrl+S" in str(each.content)]


async def test_what_each_kind_of_field_says_and_which_were_changed() -> None:
    """Text, ticks, one of several (nothing among them), any number of several."""
    server = _Server()
    fields: list[Field] = [
        TextField(name="words", label="Words", value="as they are"),
        TickField(name="tick", label="Tick"),
        ChoiceField(name="ends", label="Ends", choices=CHOICES, value=1),
        SeveralField(name="people", label="People", choices=PEOPLE),
    ]
    async with asking(Form("New", fields, submit=server.save)) as (_, pilot):
        await pilot.press("down", "space", "down", "enter", "up", "enter")
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        await pilot.press("b", "enter", "ctrl+s")
        await pilot.pause()
        await pilot.press("ctrl+s")
        await pilot.pause()
    (answers,) = server.got
    assert (answers.tick("tick"), answers.choice("ends")) == (True, None)
    assert answers.several("people") == {2}
    assert answers.changed == {"tick", "ends", "people"}


async def test_instead_of_one_of_several_a_list_can_be_made_on_the_spot() -> None:
    """These people: what is ticked is said on the field, in their names as they are."""
    server = _Server()
    field = ChoiceField(name="who", label="Who", choices=CHOICES, value=1, parts=PEOPLE)
    form = Form("May", [field], submit=server.save)
    async with asking(form) as (_, pilot):
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press(*"these", "enter")
        await pilot.pause()
        await pilot.press("down", "enter", "ctrl+s")
        await pilot.pause()
        assert str(form.query_one("#field-who", Button).label) == "[b]Ben ▾"
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert server.got[0].choice("who") == {2}


async def test_a_live_sentence_follows_what_is_typed() -> None:
    """A preview is of what the fields say now."""
    fields = [TextField(name="name", label="Name", value="a")]
    form = Form("New", fields, submit=_Server().save, preview=lambda said: f"@{said.text('name')}")
    async with asking(form) as (_, pilot):
        assert str(form.query_one("#preview", Static).content) == "@a"
        await pilot.press("end", "b")
        await pilot.pause()
        assert str(form.query_one("#preview", Static).content) == "@ab"


async def test_in_a_small_terminal_the_fields_scroll_and_the_button_is_in_sight() -> None:
    """Twenty fields at 80 by 24: what says why not, and the button, are seen all the time."""
    fields = [TickField(name=f"tick{at}", label=f"Tick {at}") for at in range(20)]
    form = Form("Many", fields, submit=_Server(refusals=1).save, text="Quite a few.")
    async with asking(form) as (_, pilot):
        await pilot.press("up", "up")
        await pilot.press("ctrl+s")
        await pilot.pause()
        await pilot.pause()
        for seen in (form.query_one("#save"), form.query_one("#trouble")):
            assert form.region.contains_region(seen.region)
            assert seen.region.height
        focused = form.focused
        assert isinstance(focused, Checkbox)
        assert focused.id == "field-tick19"
        # Scrolled there in a frame after that of the refusal.
        await until(lambda: form.query_one("#fields").region.contains_region(focused.region))


async def test_a_form_is_sent_once_however_often_one_presses() -> None:
    """An impatient second Ctrl+S makes no second account."""
    goes_on, sent = asyncio.Event(), list[Answers]()

    async def submit(answers: Answers) -> None:
        sent.append(answers)
        await goes_on.wait()

    form = Form("New", [TextField(name="name", label="Name")], submit=submit)
    async with asking(form) as (app, pilot):
        await pilot.press("ctrl+s", "ctrl+s", "enter")
        goes_on.set()
        await pilot.pause()
        assert app.answers == [True]
    assert len(sent) == 1


async def test_what_somebody_else_wrote_cannot_command_the_terminal() -> None:
    """A hostile name is shown inert while it is edited; that alone is no change of it."""
    server = _Server()
    fields = [
        TextField(name="name", label="Name", value="tea\x1b[2J"),
        TextField(name="words", label="Words", value="one\ntwo\x07", lines=3),
    ]
    form = Form("Edit", fields, submit=server.save)
    async with asking(form) as (_, pilot):
        shown = form.answers.text("name") + form.answers.text("words")
        assert not any(character in shown for character in "\x1b\x07")
        assert form.answers.text("words").startswith("one\ntwo")
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert [answers.changed for answers in server.got] == [frozenset()]


async def test_a_letter_on_a_field_of_choices_opens_them_filtered() -> None:
    """I tab to a field and type what I want, as in a form of a browser."""
    server = _Server()
    field = ChoiceField(name="when", label="When", choices=CHOICES)
    async with asking(Form("New", [field], submit=server.save)) as (_, pilot):
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("a", "enter")
        await pilot.pause()
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert [answers.choice("when") for answers in server.got] == [1]
