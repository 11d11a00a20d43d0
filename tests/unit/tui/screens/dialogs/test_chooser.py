"""A choice among many: names, keys and details stand in columns, and nothing that is long is lost."""

from textual.widgets import OptionList, Static

from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice, Search
from tui.screens.dialogs.chooser import Chooser
from tui.widgets.content_lines import cells
from tui.widgets.hint_line import HintLine

LONG = "a name that is longer than any column of names should be"


def _chooser() -> Chooser[int]:
    choices = [
        Choice(value=1, label="tea", keys="Ctrl+T", detail="hot"),
        Choice(value=2, label="日本語", detail="wide " * 20),
        Choice(value=3, label=LONG, keys="F1", detail="long"),
        Choice(value=4, label="[b]plain"),
    ]
    return Chooser("Which?", choices, hint="")


def _lines(dialog: Dialog[int]) -> list[str]:
    return [str(each.prompt) for each in dialog.query_one(OptionList).options]


async def test_names_keys_and_details_stand_in_columns() -> None:
    """Wide characters too; a name too long for the column is whole, and says the rest after it."""
    dialog = _chooser()
    async with asking(dialog) as (_, pilot):
        tea, wide, long, plain = _lines(dialog)
        assert {cells(tea[: tea.index("hot")]), cells(wide[: wide.index("wide")])} == {16}
        assert long == f"{LONG}  F1      long"
        assert plain.strip() == "[b]plain"
        about = dialog.query_one("#about", Static)
        await pilot.press("down")
        assert str(about.content).split() == ["wide"] * 20
        await pilot.press("x", "y")
        assert str(about.content) == ""


async def test_the_last_line_says_the_keys_of_the_dialog() -> None:
    """Not those of the screen below, which do nothing now; Enter chooses, wherever it stands."""
    dialog = _chooser()
    async with asking(dialog) as (app, pilot):
        assert dialog.query_one(HintLine).hints == [("Enter", "Choose"), ("Esc", "Close")]
        await pilot.press("down", "down", "enter")
        assert app.answers == [3]


def test_a_person_is_found_as_they_are_mentioned() -> None:
    """`@chi` is what people type for somebody; the list has the name without the sign."""
    people = [Choice(value=1, label="Ann Arbor"), Choice(value=2, label="Chi Nguyen")]
    assert [each.value for each in Search(people).find("@chi")] == [2]
