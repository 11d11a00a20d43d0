"""Searching: operators are completed, hits are marked, and the last search is offered again."""

from pathlib import Path

from textual.widgets import Input, OptionList, Static

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import typed, yes
from tests.e2e.messages import say
from tests.e2e.team import answered, asked, team
from tests.live import live, until
from tui.content.extracts import inline_text, walk
from tui.content.nodes import Highlight
from tui.narrow import TopicNarrow
from tui.view.rows import HeaderRow, MessageRow


def _marked(player: AppDriver) -> list[str]:
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
            a.screen.panes.messages.focus()
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
                    a.screen.panes.title_bar.text.split()
                    == ["Search:", "sender:Ben", "kettle", "2", "messages"]
                )
            )
            assert _marked(a) == ["kettle", "kettle"]
            await a.press("slash")
            await asked(a)
            options = a.app.screen.query_one(OptionList)
            offered = [str(each.prompt).strip() for each in options.options]
            assert offered.count("sender:Ben kettle") == 1
            await a.press("down", "enter")
            assert a.app.screen.query_one(Input).value == "sender:Ben kettle "
            a.app.screen.query_one(Input).value = "milk"
            await a.press("enter")
            await answered(a)
            await a.sees(lambda: a.texts == ["no kettle of mine"])
            (header,) = [row for row in a.screen.panes.messages.items if isinstance(row, HeaderRow)]
            assert (header.topic, header.hits) == ("milk", ("milk",))


async def test_what_a_search_found_is_read_and_starred_at_once(tmp_path: Path) -> None:
    """Ctrl+R reads what was found, wherever it is; the palette stars it, and Ctrl+Z takes that back."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await ann.patch("settings", web_mark_read_on_scroll_policy=3)
        for topic in ("milk", "sugar"):
            await say(ben, f"the {topic} is by the cups", topic=topic)
        await say(ben, "no word of them", topic="milk")

        async def search_again(flag: str) -> list[str]:
            narrow = [{"operator": "is", "operand": flag}]
            parameters = {"anchor": "newest", "num_before": 9, "num_after": 0, "narrow": narrow}
            answer = await ann.get("messages", **parameters, apply_markdown=False)
            return [each["content"] for each in answer["messages"]]

        cups = ["the milk is by the cups", "the sugar is by the cups"]
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("slash")
            await asked(a)
            await a.press(*"cups", "enter")
            await answered(a)
            await a.sees(lambda: a.texts == cups)
            await a.press("ctrl+r")
            await a.sees(
                lambda: any("2 messages marked" in n.message for n in a.app._notifications)
            )
            assert not set(cups) & set(await search_again("unread"))
            assert "no word of them" in await search_again("unread")
            await a.press("ctrl+p")
            await asked(a)
            await typed(a, "Star all")
            await yes(a)
            await a.sees(
                lambda: any("2 messages starred" in n.message for n in a.app._notifications)
            )
            assert await search_again("starred") == cups
            await a.press("ctrl+z")
            await a.sees(lambda: not a.screen.account.session.store.starred)

            async def none_is_starred() -> bool:
                return await search_again("starred") == []

            await until(none_is_starred)  # shown before the server knows


async def test_the_way_back_leads_to_the_hit_that_was_opened(tmp_path: Path) -> None:
    """Enter on a hit shows its conversation; Alt+Left shows the hits, with the cursor on that one."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        for topic in ("milk", "sugar", "lemon"):
            await say(ben, f"the {topic} is by the cups", topic=topic)
        async with playing(server, ann, tmp_path) as a:
            hits, _ = a.screen.account.search.place_of("cups")
            await a.go(hits)
            await a.sees(lambda: len(a.texts) == 3)
            a.screen.panes.messages.focus()
            await a.press("up", "up")
            hit = a.screen.panes.messages.selected
            assert hit is not None
            await a.press("enter")
            await a.sees(
                lambda: a.screen.account.open_narrow.is_shown(TopicNarrow(tea.channel_id, "sugar"))
            )
            await a.press("alt+left")
            await a.sees(lambda: len(a.texts) == 3)
            again = a.screen.panes.messages.selected
            assert again is not None
            assert again.key == hit.key


async def test_the_way_back_leads_to_the_place_on_screen_also_in_a_topic_renamed_meanwhile(
    tmp_path: Path,
) -> None:
    """The same message is selected, on the same line of the terminal, though others were above it."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        for number in range(40):
            await say(ben, f"cup {number}", topic="cups")
        cups, mugs = (TopicNarrow(tea.channel_id, name) for name in ("cups", "mugs"))
        async with playing(server, ann, tmp_path, size=(100, 24)) as a:
            await a.go(cups)
            await a.sees(lambda: a.texts[-1:] == ["cup 39"])
            messages = a.screen.panes.messages
            messages.focus()
            await a.press("end", *["up"] * 12, "ctrl+up", "ctrl+up")
            before = messages.selected, messages.position
            assert isinstance(before[0], MessageRow)
            await a.go(tea)
            answer = await ben.patch(
                f"messages/{before[0].message_id}", topic="mugs", propagate_mode="change_all"
            )
            assert answer["result"] == "success", answer
            await a.sees(lambda: a.count("mugs") >= 0 and a.count("cups") == -1)
            await a.press("alt+left")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(mugs))
            assert isinstance(messages.selected, MessageRow)
            assert messages.selected.message_id == before[0].message_id
            assert messages.position == before[1]


async def test_a_search_that_makes_no_sense_stays_open_and_says_why(tmp_path: Path) -> None:
    """A name that nobody has is told at once, and can be corrected."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("slash")
            await asked(a)
            a.app.screen.query_one(Input).value = "sender:nobody"
            await a.press("enter")
            trouble = a.app.screen.query_one("#trouble", Static)
            await a.sees(lambda: "nobody" in str(trouble.content))
