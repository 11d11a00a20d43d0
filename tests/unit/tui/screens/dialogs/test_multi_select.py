"""Choosing any number of many: typing finds, Enter ticks and unticks, Esc changes nothing."""

from collections.abc import Sequence

from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.multi_select import MOST_LINES, MultiSelect
from tui.widgets.choice_list import ChoiceList, Part
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
        listed = dialog.query_one(ChoiceList)
        assert listed.count == 100
        await pilot.press("a")
        assert listed.count == 100


async def test_after_a_tick_the_next_letter_begins_a_new_search() -> None:
    """Several people are added by their names alone: each next name replaces the last."""
    async with asking(MultiSelect("Who", PEOPLE)) as (app, pilot):
        await pilot.press(*"cle", "enter", *"dor", "enter", "ctrl+s")
        await pilot.pause()
        assert app.answers == [frozenset({2, 3})]


async def test_of_thousands_only_the_lines_on_screen_are_made() -> None:
    """At each letter and tick, too: else each would take as long as the organization is large."""
    dialog = _Counting("Who", [Choice(value=at, label=f"Ann {at}") for at in range(5000)])
    async with asking(dialog) as (_, pilot):
        for key in ("a", "enter", "down", "backspace"):
            dialog.made = 0
            await pilot.press(key)
            await pilot.pause()
            assert 0 < dialog.made <= MOST_LINES


class _Counting(MultiSelect[int]):
    """Counts the lines that it makes."""

    made = 0

    def _line(self, at: int) -> Sequence[Part]:
        self.made += 1
        return super()._line(at)
