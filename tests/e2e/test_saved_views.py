"""Views that one keeps: a search under a name, found again on every machine."""

from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import fill, form, lines, page, save, typed
from tests.e2e.endpoints import uses
from tests.e2e.team import answered, asked, team
from tests.live import live, until
from tui.narrow import Search, Term, TopicNarrow


def _kept(player: AppDriver) -> list[str]:
    return [row.label for row in player.screen.panes.sidebar_rows if row.kind == "kept"]


@uses(
    "POST /navigation_views",
    "PATCH /navigation_views/{fragment}",
    "DELETE /navigation_views/{fragment}",
)
async def test_a_search_is_kept_found_in_the_list_renamed_and_let_go(tmp_path: Path) -> None:
    """K names what is open; it stands in the list, Ctrl+K finds it, and K changes it again."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        kettle = Search((Term("search", "kettle"),))
        async with playing(server, ann, tmp_path, size=(80, 24)) as a:
            await a.go(kettle)
            a.screen.panes.messages.focus()
            await a.press("K")
            await form(a)
            await fill(a, "name", "Tea things")
            await save(a)
            await answered(a)
            await a.sees(lambda: _kept(a) == ["Tea things"])
            await a.go(tea)
            row = next(
                at for at, each in enumerate(a.screen.panes.pinned.items) if each.kind == "kept"
            )
            await a.pilot.click(a.screen.panes.pinned, offset=(4, row))
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(kettle))
            await a.go(tea)
            await a.press("ctrl+k")
            await asked(a)
            await typed(a, "tea things")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(kettle))
            a.screen.panes.messages.focus()
            await a.press("K")
            await asked(a)
            await typed(a, "rename")
            await form(a)
            await fill(a, "name", "Kettles")
            await save(a)
            await a.sees(lambda: _kept(a) == ["Kettles"])
            await a.press("K")
            await asked(a)
            await typed(a, "delete")
            await a.sees(lambda: _kept(a) == [])
            assert (await ann.get("navigation_views"))["navigation_views"] == []


@uses(
    "POST /navigation_views",
    "PATCH /navigation_views/{fragment}",
    "DELETE /navigation_views/{fragment}",
)
async def test_the_page_of_kept_views_opens_hides_and_keeps(tmp_path: Path) -> None:
    """Whatever is kept is listed; what is hidden from the list of conversations is there still."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await page(a, "navigation_views")
            await a.press("n")
            await form(a)
            await save(a)
            await a.sees(lambda: lines(a)[0].startswith("#design › tea"))
            await a.press("p")
            await a.sees(lambda: _kept(a) == [])
            views = (await ann.get("navigation_views"))["navigation_views"]
            assert [each["is_pinned"] for each in views] == [False]
            await a.press("escape")
            await answered(a)
            await a.go(TopicNarrow(tea.channel_id, "milk"))
            await page(a, "navigation_views")
            await a.press("enter")
            await answered(a)
            await until(lambda: a.screen.account.open_narrow.is_shown(tea))
            await page(a, "navigation_views")
            await a.press("d")
            await a.sees(lambda: lines(a)[0].startswith("No saved views"))


@uses("POST /navigation_views")
async def test_a_kept_topic_is_found_where_it_was_moved(tmp_path: Path) -> None:
    """It was moved on another machine, and none of its messages is on the disk of this one."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("K")
            await form(a)
            await save(a)
            await a.sees(lambda: len(_kept(a)) == 1)
            message_id = a.rows[-1].message_id
        await ben.post("messages", type="stream", to="design", topic="cups", content="white?")
        await ann.patch(f"messages/{message_id}", topic="cups", propagate_mode="change_all")
        (tmp_path / "elsewhere").mkdir()
        async with playing(server, ann, tmp_path / "elsewhere") as a:
            await until(lambda: _kept(a) != [])
            a.screen.account.go(tea)
            cups = TopicNarrow(tea.channel_id, "cups")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(cups))
            await a.sees(lambda: "white?" in a.texts)
            assert a.screen.account.composing.place == cups
