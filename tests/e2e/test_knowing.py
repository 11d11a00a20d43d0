"""What people know of each other while they chat: who types, and what somebody is up to."""

from pathlib import Path

from textual.widgets import Input, OptionList

from tests.e2e.client import playing
from tests.e2e.endpoints import uses
from tests.e2e.team import asked, team
from tests.live import Live, until
from tui.widgets.row_lists import PeopleList


@uses("POST /typing")
async def test_one_sees_that_the_other_types_and_stops(server: Live, tmp_path: Path) -> None:
    """A word begun shows under the conversation, a word taken back hides it again."""
    ann, ben, tea = await team(server)
    async with playing(server, ann, tmp_path) as a, playing(server, ben, tmp_path) as b:
        await a.go(tea)
        await b.go(tea)
        b.screen.panes.composer.focus()
        await b.press("h", "i")
        await until(lambda: a.screen.panes.status_line.text.startswith("Ben is typing…"))
        await b.press("backspace", "backspace")
        await until(lambda: "typing" not in a.screen.panes.status_line.text)


async def test_a_status_is_set_by_key_and_seen_by_others(server: Live, tmp_path: Path) -> None:
    """A few words beside the name; the usual ones take one key; and it can be cleared."""
    ann, ben, tea = await team(server)
    async with (
        playing(server, ann, tmp_path) as a,
        playing(server, ben, tmp_path, size=(130, 32)) as b,
    ):
        await b.go(tea)

        def said() -> str:
            people = b.screen.query_one("#people", PeopleList)
            return next(row.status for row in people.items if row.name == "Ann")

        await a.press("alt+w")
        await asked(a)
        a.app.screen.query_one(Input).value = "at the [b]dentist"
        await a.press("enter")
        await until(lambda: said() == "at the [b]dentist")
        known = a.screen.account.session.store.statuses.by_user
        await until(lambda: bool(known))
        await a.press("alt+w")
        await asked(a)
        assert a.app.screen.query_one(Input).value == "at the [b]dentist"
        a.app.screen.query_one(OptionList).focus()
        await a.press("home", "enter")
        await until(lambda: said().endswith("In a meeting"))
        await a.press("alt+w")
        await asked(a)
        await a.press("tab", "tab", "enter")
        await until(lambda: said() == "")
