"""Searching: operators are completed, hits are marked, and the last search is offered again."""

from pathlib import Path

from textual.widgets import Input, Static

from tests.e2e.client import Player, playing
from tests.e2e.saying import say
from tests.e2e.team import answered, asked, team
from tests.live import live
from tui.content.extracts import inline_text, walk
from tui.content.nodes import Highlight
from tui.view.rows import HeaderRow


def _marked(player: Player) -> list[str]:
    nodes = [node for row in player.rows for node in walk(row.nodes)]
    return [inline_text(node.children) for node in nodes if isinstance(node, Highlight)]


async def test_a_search_is_completed_and_its_hits_are_marked(tmp_path: Path) -> None:
    """`/`, a few letters and Tab write the operators; what matched stands out, in topics too."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ann, "the kettle is on")
        await say(ben, "no kettle of mine", topic="milk")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.messages.focus()
            await a.press("slash")
            await asked(a)
            wanted = a.app.screen.query_one(Input)
            await a.press(*"sen", "tab", *"be", "tab")
            assert wanted.value == "sender:Ben "
            await a.press(*"kettle", "enter")
            await answered(a)
            await a.sees(lambda: a.texts == ["is the kettle on?", "no kettle of mine"])
            await a.sees(
                lambda: (
                    a.screen.title_bar.text.split()
                    == ["Search:", "sender:Ben", "kettle", "2", "messages"]
                )
            )
            assert _marked(a) == ["kettle", "kettle"]
            await a.press("slash")
            await asked(a)
            await a.press("down", "enter")
            assert a.app.screen.query_one(Input).value == "sender:Ben kettle"
            a.app.screen.query_one(Input).value = "milk"
            await a.press("enter")
            await answered(a)
            await a.sees(lambda: a.texts == ["no kettle of mine"])
            (header,) = [row for row in a.screen.messages.items if isinstance(row, HeaderRow)]
            assert (header.topic, header.hits) == ("milk", ("milk",))


async def test_a_search_that_makes_no_sense_stays_open_and_says_why(tmp_path: Path) -> None:
    """A name that nobody has is told at once, and can be corrected."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.messages.focus()
            await a.press("slash")
            await asked(a)
            a.app.screen.query_one(Input).value = "sender:nobody"
            await a.press("enter")
            trouble = a.app.screen.query_one("#trouble", Static)
            await a.sees(lambda: "nobody" in str(trouble.content))
