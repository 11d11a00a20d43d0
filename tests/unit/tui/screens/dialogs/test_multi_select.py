"""Choosing any number of many: typing finds, Enter ticks and unticks, Esc changes nothing."""

from textual.widgets import OptionList

from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.multi_select import MultiSelect
from tui.widgets.hint_line import HintLine

PEOPLE = [Choice(value=at, label=name) for at, name in enumerate(("Ann", "Ben", "Cleo", "Dora"))]


async def test_what_is_ticked_comes_first_and_can_be_unticked() -> None:
    """Ben was in, and goes; Dora is found by typing, and comes."""
    async with asking(MultiSelect("Who", PEOPLE, chosen=frozenset({1}))) as (app, pilot):
        await pilot.press("enter", *"dor", "enter", "ctrl+s")
        await pilot.pause()
        assert app.answers == [frozenset({3})]


async def test_esc_changes_nothing() -> None:
    """Whatever was ticked meanwhile."""
    async with asking(MultiSelect("Who", PEOPLE)) as (app, pilot):
        await pilot.press("down", "enter", "escape")
        await pilot.pause()
        assert app.answers == [None]


async def test_a_click_ticks_and_the_button_is_done() -> None:
    """The mouse does the same."""
    async with asking(MultiSelect("Who", PEOPLE)) as (app, pilot):
        await pilot.click("#matches", offset=(3, 2))
        await pilot.click("#done")
        await pilot.pause()
        assert app.answers == [frozenset({2})]


async def test_enter_ticks_a_line_and_presses_the_button() -> None:
    """The last line names both keys; on the button Enter accepts, as on any button."""
    dialog = MultiSelect("Who", PEOPLE)
    async with asking(dialog) as (app, pilot):
        hints = [("Enter", "Select"), ("Ctrl+S", "Done"), ("Esc", "Close")]
        assert dialog.query_one(HintLine).hints == hints
        await pilot.press("down", "enter", "tab", "enter")
        assert app.answers == [frozenset({1})]


async def test_all_can_be_ticked_however_many_there_are() -> None:
    """In a large organization those after the first sixty, too, and what was found by a letter."""
    people = [Choice(value=at, label=f"Ann {at}") for at in range(100)]
    dialog = MultiSelect("Who", people)
    async with asking(dialog) as (_, pilot):
        listed = dialog.query_one(OptionList)
        assert listed.option_count == 100
        await pilot.press("a")
        assert listed.option_count == 100
