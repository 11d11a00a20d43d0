"""A choice among many: names, keys and details stand in columns, and nothing that is long is lost."""

from typing import Any

import pytest
from rich.segment import Segment
from textual.events import MouseScrollDown
from textual.screen import Screen
from textual.widgets import Static

from tests.live import until
from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import MOST, Choice, Search
from tui.screens.dialogs.chooser import Chooser
from tui.widgets.choice_list import ChoiceList
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
    return dialog.query_one(ChoiceList).lines


async def test_names_keys_and_details_stand_in_columns() -> None:
    """Wide characters too; a name too long for the column is whole, and says the rest after it."""
    dialog = _chooser()
    async with asking(dialog) as (_, pilot):
        tea, wide, long, plain = _lines(dialog)
        assert {cells(tea[: tea.index("hot")]), cells(wide[: wide.index("wide")])} == {16}
        assert long == f"{LONG}  F1      long"
        assert plain.strip() == "[b]plain"
        about = dialog.query_one("#about", Static)
        await pilot.pause()
        assert str(about.content) == ""  # the whole line is there
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


@pytest.mark.parametrize(("there", "has_note"), [(MOST, False), (MOST + 1, True)])
async def test_a_list_that_is_not_whole_says_so(there: int, has_note: bool) -> None:
    """What is missing can be found by typing; the cursor does not go to the sentence."""
    choices = [Choice(value=at, label=f"tea {at}") for at in range(there)]
    async with asking(Chooser("Which?", choices, hint="")) as (app, pilot):
        dialog = app.screen
        assert isinstance(dialog, Chooser)
        note = "Only the 60 are shown. Type a name to find others."
        assert (_lines(dialog)[-1] == note) is has_note
        assert len(_lines(dialog)) == MOST + has_note
        await pilot.press("t")
        best = "Only the best 60 are shown. Type more of a name to find others."
        assert (_lines(dialog)[-1] == best) is has_note
        await pilot.press("backspace", *["pagedown"] * 7, "enter")
        assert app.answers == [MOST - 1]


async def test_a_letter_draws_the_lines_on_screen_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many are found: a key costs what it shows, and the cursor the two lines that it leaves and reaches.

    The dialog opens with one layout, which has the place of its scrollbar.
    """
    drawn: list[int] = []
    laid_out: list[Screen[object]] = []
    draw, lay_out = ChoiceList._drawn, Screen._refresh_layout

    def note_line(self: ChoiceList, index: int, width: int) -> list[Segment]:
        drawn.append(index)
        return draw(self, index, width)

    def note_layout(self: Screen[object], *args: Any, **named: Any) -> None:
        laid_out.append(self)
        lay_out(self, *args, **named)

    choices = [
        Choice(value=each, label=f"{'tea' * (each % 5)} number {each}") for each in range(900)
    ]
    dialog = Chooser("Which?", choices, hint="")
    monkeypatch.setattr(Screen, "_refresh_layout", note_layout)
    async with asking(dialog) as (_, pilot):
        shown = dialog.query_one(ChoiceList)
        assert shown.count == 61 > shown.size.height > 5
        assert shown.vertical_scrollbar.region.height == shown.size.height
        assert [each for each in laid_out if each is dialog] == [dialog]
        laid_out.clear()
        assert "_labels" in vars(dialog._index)  # before a letter has to wait for it
        monkeypatch.setattr(ChoiceList, "_drawn", note_line)
        for letter in "tea":
            drawn.clear()
            await pilot.press(letter)
            await until(lambda: bool(drawn))  # with the next frame, which a busy machine has later
            assert len(drawn) <= shown.size.height
        drawn.clear()
        await pilot.press("down")
        assert len(drawn) <= 2
        await pilot.press(*["down"] * 2 * shown.size.height)
        assert shown.cursor == 2 * shown.size.height + 1
        assert shown.scroll_offset.y == shown.cursor - shown.size.height + 1
        assert not laid_out


async def test_lines_are_chosen_with_the_mouse_and_headings_are_not() -> None:
    """The wheel goes through them, and a line too long for the card says so at its end."""
    choices = [
        Choice(value=each, label=f"choice {each} {'long' * 40}", heading="All of them")
        for each in range(60)
    ]
    dialog = Chooser("Which?", choices, hint="")
    async with asking(dialog) as (app, pilot):
        shown = dialog.query_one(ChoiceList)
        assert (shown.cursor, shown.lines[0]) == (1, "All of them")
        lines = shown.render_lines(shown.size.region)
        assert lines[1].text.startswith("  choice 0 long")
        assert lines[1].text.endswith("…")
        assert lines[0].text.strip() == "All of them"
        await pilot.click(ChoiceList, offset=(2, 0))
        assert shown.cursor == 1
        assert app.screen is dialog
        for _ in range(3):
            await pilot._post_mouse_events([MouseScrollDown], ChoiceList, offset=(2, 2))
        assert shown.scroll_offset.y > 0
        line = shown.scroll_offset.y + 2
        await pilot.hover(ChoiceList, offset=(2, 2))
        await pilot.click(ChoiceList, offset=(2, 2))
        await pilot.pause()
        assert app.answers == [line - 1]


async def test_a_closed_dialog_keeps_no_choices() -> None:
    """Something may keep the dialog, e.g. the context of a connection that was opened meanwhile."""
    kept = [Choice(value=1, label="tea")]
    dialog = Chooser("Which?", kept, hint="")
    async with asking(dialog) as (app, pilot):
        await pilot.press("enter")
        await pilot.pause()
        assert app.answers == [1]
    assert not any(kept[0] in value for value in vars(dialog).values() if isinstance(value, list))
    assert not len(dialog._index)
