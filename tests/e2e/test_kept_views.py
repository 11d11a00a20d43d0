"""Views that one keeps: a search under a name, found again on every machine."""

from pathlib import Path

from tests.e2e.client import playing
from tests.e2e.dialogs import fill, form, lines, page, save
from tests.e2e.endpoints import uses
from tests.e2e.team import answered, team
from tests.live import live, until
from tui.narrow import TopicNarrow


@uses(
    "POST /navigation_views",
    "PATCH /navigation_views/{fragment}",
    "DELETE /navigation_views/{fragment}",
)
async def test_a_view_is_kept_renamed_opened_and_let_go(tmp_path: Path) -> None:
    """What is open gets a name, and Enter leads there from anywhere."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)

        async def kept() -> list[tuple[str, bool]]:
            views = (await ann.get("navigation_views"))["navigation_views"]
            return [(each["name"], each["is_pinned"]) for each in views]

        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await page(a, "views")
            await a.press("n")
            await form(a)
            await fill(a, "name", "Tea")
            await save(a)
            await a.sees(lambda: any(line.startswith("◆ Tea") for line in lines(a)))
            assert "tea" in lines(a)[0]
            await a.press("p")
            await a.sees(lambda: lines(a)[0].startswith("Tea"))
            await a.press("e")
            await form(a)
            await fill(a, "name", "Kettle")
            await save(a)
            await a.sees(lambda: lines(a)[0].startswith("Kettle"))
            assert await kept() == [("Kettle", False)]
            await a.press("escape")
            await answered(a)
            await a.go(TopicNarrow(tea.channel_id, "milk"))
            await page(a, "views")
            await a.press("enter")
            await answered(a)
            await until(lambda: a.screen.open_narrow.is_shown(tea))
            await page(a, "views")
            await a.press("x")
            await a.sees(lambda: lines(a)[0].startswith("None yet"))
            assert await kept() == []
