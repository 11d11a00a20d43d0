"""A listing: its keys do what they say to the line under the cursor, and it stays where it was."""

import asyncio
from collections.abc import Hashable, Sequence
from functools import partial

from textual.widgets import Input, Static

from tests.live import until
from tests.unit.tui.screens.dialogs.asking import asking
from tui.errors import BadNarrow
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListDialog, ListingRow
from tui.widgets.choice_list import ChoiceList, Part


class _Page:
    """Names that can be removed; one of them cannot."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.did: list[tuple[str, Hashable | None]] = []
        self.loads = 0
        self.goes_on = asyncio.Event()
        self.answers = asyncio.Event()
        self.answers.set()
        self.listing = ListDialog(
            "Names", rows=self.rows, actions=self.actions, load=self.load, nothing="None."
        )

    def rows(self) -> Sequence[ListingRow]:
        """As they are now."""
        return [ListingRow(key=name, label=name, detail="[i]person") for name in self.names]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        """What can be done depends on the line."""
        new = DialogAction(key="n", label="new", run=partial(self.do, "new", key))
        if key is None:
            return [new]
        return [
            DialogAction(key="enter", label="opens", run=partial(self.do, "open", key)),
            new,
            DialogAction(key="x", label="removes it", run=partial(self.do, "remove", key)),
        ]

    async def do(self, what: str, key: Hashable | None) -> None:
        """Remember it; "new" takes its time."""
        self.did.append((what, key))
        if what == "new":
            await self.goes_on.wait()
        if what == "remove":
            if key == "owner":
                raise BadNarrow("The last [b]owner stays.")
            self.names.remove(str(key))

    async def load(self) -> None:
        """Count it, and wait for the answer."""
        self.loads += 1
        await self.answers.wait()

    @property
    def shown(self) -> list[str]:
        """The lines on screen."""
        return [line.split()[0] for line in self.listing.query_one(ChoiceList).lines]

    def says(self, part: str) -> str:
        """What a line below the rows says."""
        return str(self.listing.query_one(part, Static).content)


async def test_keys_act_on_the_line_under_the_cursor() -> None:
    """Down and a key; the next line is under the cursor when its line is gone."""
    page = _Page("ann", "ben", "cleo")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("down", "x")
        await pilot.pause()
        assert page.did == [("remove", "ben")]
        assert page.shown == ["ann", "cleo"]
        assert page.listing.key == "cleo"
        await pilot.press("enter")
        await pilot.pause()
        assert page.did[-1] == ("open", "cleo")
        assert page.loads == 3


async def test_a_refusal_is_shown_until_the_next_key() -> None:
    """The server says no: its words stand below the lines, which stay."""
    page = _Page("owner", "ben")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("x")
        await pilot.pause()
        assert page.says("#trouble") == "The last [b]owner stays."
        assert page.shown == ["owner", "ben"]
        await pilot.press("n")
        await pilot.pause()
        assert page.says("#trouble") == ""


async def test_the_filter_leaves_what_matches_and_esc_takes_it_back() -> None:
    """Letters of actions are typed in the filter, not done; Esc leaves the filter, then the page."""
    page = _Page("ann", "xavier", "ben")
    async with asking(page.listing) as (app, pilot):
        await pilot.press("slash", "x")
        await pilot.pause()
        assert page.shown == ["xavier"]
        assert page.did == []
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert page.did == [("open", "xavier")]
        await pilot.press("escape")
        assert page.listing.query_one(Input).value == ""
        await pilot.pause()
        assert len(page.shown) == 3
        await pilot.press("escape")
        assert app.answers == [None]


async def test_without_lines_there_is_a_sentence_and_what_can_be_done_anyway() -> None:
    """An empty page says so, and offers what makes the first line."""
    page = _Page()
    async with asking(page.listing) as (_, pilot):
        assert page.shown == ["None."]
        assert page.says("#actions").split() == ["n", "new"]
        await pilot.press("enter", "x", "n")
        await pilot.pause()
        assert page.did == [("new", None)]


async def test_what_can_be_done_is_done_by_a_click_too() -> None:
    """The words at the bottom are buttons."""
    page = _Page("ann")
    async with asking(page.listing) as (_, pilot):
        await pilot.pause()
        at = page.says("#actions").index("removes")
        await pilot.click("#actions", offset=(at, 0))
        await pilot.pause()
        assert page.did == [("remove", "ann")]


async def test_a_key_means_once_more_while_the_effect_is_loaded() -> None:
    """A form is saved, and the next one asked for before the server's answer to the list has come."""
    page = _Page("ann")
    async with asking(page.listing) as (_, pilot):
        page.goes_on.set()
        page.answers.clear()
        await pilot.press("n")
        await until(lambda: page.loads == 2)
        await pilot.press("n")
        page.answers.set()
        await until(lambda: page.loads == 3)
        assert page.did == [("new", "ann"), ("new", "ann")]


async def test_what_is_being_done_is_not_done_twice() -> None:
    """The second press comes before the server's answer: nothing is asked for again, or stopped."""
    page = _Page("ann")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("n", "n")
        assert page.did == [("new", "ann")]
        page.goes_on.set()
        await pilot.pause()
        assert page.did == [("new", "ann")]


async def test_keys_that_come_before_the_answer_are_done_after_it() -> None:
    """Each for the line that I pressed it on; what is gone by then is left alone."""
    page = _Page("ann", "ben", "eve")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("n", "x", "enter", "down", "x")
        assert page.did == [("new", "ann")]
        page.goes_on.set()
        await until(lambda: page.shown == ["eve"])
        assert page.did == [("new", "ann"), ("remove", "ann"), ("remove", "ben")]


async def test_the_filter_puts_the_cursor_on_the_best_match() -> None:
    """Wherever it stood before: Enter would act on a line that I did not search for."""
    page = _Page("ann", "ben", "anton ben", "be")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("down", "down", "slash", "b", "e")
        await pilot.pause()
        assert page.listing.key == page.shown[0] == "be"
        await pilot.press("down", "enter")
        await pilot.pause()
        assert page.did == [("open", "be")]


async def test_what_is_cut_off_is_shown_below() -> None:
    """The whole of it, for the line under the cursor only; where all fits there is no empty room."""
    rows = [
        ListingRow(key="fold", label="Fold", detail=("20", "number of lines " * 5 + "shown")),
        ListingRow(
            key="clock", label="Clock", detail=("twenty-four hours a day", "12 or 24 hours")
        ),
    ]
    dialog = ListDialog("Settings", rows=lambda: rows, actions=lambda _: ())
    async with asking(dialog) as (_, pilot):
        about = dialog.query_one("#about", Static)
        await until(lambda: str(about.content).endswith("shown"))
        assert str(about.content) == rows[0].columns[1]
        await pilot.press("down")
        await pilot.pause()
        assert str(about.content) == "twenty-four hours a day"
        del rows[:]
        dialog.show_rows()
        assert not about.display


async def test_a_filter_hides_nothing_that_matches() -> None:
    """A page of a hundred people, filtered by a letter that all of them have, lists a hundred."""
    page = _Page(*(f"ann {at}" for at in range(100)))
    async with asking(page.listing) as (_, pilot):
        await pilot.press("slash", "a")
        assert page.listing.query_one(ChoiceList).count == 100


async def test_of_thousands_only_the_lines_on_screen_are_made() -> None:
    """When the page opens, at each letter of the filter, and at its end: Home and End go there."""
    rows = [ListingRow(key=at, label=f"Ann {at}", detail="member") for at in range(5000)]
    listing = _Counting("People", rows=lambda: rows, actions=lambda _: ())
    async with asking(listing) as (_, pilot):
        assert 0 < listing.made <= 2 * 24  # before and after loading
        for key in ("end", "slash", "a", "9", "backspace", "down"):
            listing.made = 0
            await pilot.press(key)
            await pilot.pause()
            assert listing.made <= 24
        ends: list[Hashable] = []
        for key in ("end", "home"):
            await pilot.press(key)
            ends.append(listing.key)
        assert ends == [4999, 0]


async def test_a_filter_that_matches_nothing_says_so() -> None:
    """And not that there is nothing yet."""
    page = _Page("ann", "ben")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("slash", *"xyz")
        assert page.listing.query_one(ChoiceList).lines == ["No matches."]


class _Counting(ListDialog):
    """Counts the lines that it makes."""

    made = 0

    def _line(self, at: int) -> Sequence[Part]:
        self.made += 1
        return super()._line(at)


async def test_the_cursor_goes_to_what_was_created() -> None:
    """What I do next is meant for it, not for the line that I was on; its event may come after the answer."""
    page = _Page("ben", "cleo")
    async with asking(page.listing) as (_, pilot):
        await pilot.press("n")
        page.goes_on.set()
        await pilot.pause()
        page.names.insert(0, "ann")
        page.listing.show_rows()
        keys = [page.listing.key]
        await pilot.press("n", "down")
        page.names.insert(0, "amy")
        page.listing.show_rows()
        keys.append(page.listing.key)
        assert keys == ["ann", "ben"], "the second time, another key was pressed meanwhile"
