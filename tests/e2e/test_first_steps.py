"""What somebody meets who is here for the first time: hints that fit, names that are found."""

from pathlib import Path

from textual.widgets import Input

from tests.e2e.client import AppDriver, playing
from tests.e2e.messages import say
from tests.e2e.team import answered, asked, channel, team
from tests.live import live
from tui.narrow import Mentions, Starred, TopicNarrow
from tui.widgets.choice_list import ChoiceList
from tui.widgets.hint_line import HintLine


def _hints(player: AppDriver) -> list[str]:
    return [label for _, label in player.app.screen.query_one(HintLine).hints]


async def test_a_topic_is_found_in_a_channel_that_was_never_opened(tmp_path: Path) -> None:
    """Ctrl+K and Ctrl+T know it as soon as the server told it; nothing typed is lost by that."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        garden = await channel(ben, "garden", ben)
        await say(ben, "the roses", to="garden", topic="flowers")
        await channel(ben, "garden", ann)  # she never got that message
        async with playing(server, ann, tmp_path, size=(80, 24)) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.sees(
                lambda: not any(row.label == "more topics" for row in a.screen.panes.sidebar_rows)
            )
            for keys, place in (("ctrl+k", "flowers"), ("ctrl+t", "flowers")):
                await a.press(keys)
                await asked(a)
                listed = a.app.screen.query_one(ChoiceList)
                a.app.screen.query_one(Input).value = place
                await a.sees(
                    lambda listed=listed: "flowers" in listed.lines[0]  # type: ignore[misc]  # bound at once
                )
                await a.press("enter")
                await answered(a)
                await a.sees(
                    lambda: a.screen.account.open_narrow.is_shown(TopicNarrow(garden, "flowers"))
                )
                a.screen.panes.messages.focus()
                await a.go(tea)


async def test_a_new_name_in_ctrl_t_begins_a_topic(tmp_path: Path) -> None:
    """In the open channel; elsewhere the channel is asked for, in a chooser of its own."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path, size=(80, 24)) as a:
            for start, answers in ((tea, ("enter",)), (Starred(), ("enter", "d", "enter"))):
                name = f"biscuits {len(answers)}"
                await a.go(start)
                await a.press("ctrl+t")
                await asked(a)
                a.app.screen.query_one(Input).value = name
                listed = a.app.screen.query_one(ChoiceList)
                await a.sees(
                    lambda listed=listed, name=name: name in listed.lines[0]  # type: ignore[misc]  # bound at once
                )
                await a.press(*answers)
                await a.sees(
                    lambda name=name: (
                        a.screen.account.composing.place  # type: ignore[misc]  # bound at once
                        == TopicNarrow(tea.channel_id, name)
                    )
                )


async def test_where_there_is_no_message_none_can_be_answered(tmp_path: Path) -> None:
    """The last line says so as drawn, when the messages are gone and when they are back."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path, size=(60, 20)) as a:

            def drawn() -> str:
                return a.app.screen._compositor.render_strips()[-1].text

            for narrow, hint in ((tea, " r Reply"), (Mentions(), " Ctrl+K"), (tea, " r Reply")):
                await a.go(narrow)
                a.screen.panes.messages.focus()
                await a.sees(lambda hint=hint: drawn().startswith(hint))  # type: ignore[misc]  # bound at once


async def test_the_hints_fit_the_message_under_the_cursor(tmp_path: Path) -> None:
    """Edit stands there on one's own messages only; F1 always, however narrow it is."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        await say(ann, "yes, see https://example.org/kettle")
        async with playing(server, ann, tmp_path, size=(60, 20)) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.sees(lambda: _hints(a)[:2] == ["Reply", "Jump"])
            await a.press("up")
            await a.sees(lambda: _hints(a)[:5] == ["Reply", "React", "Edit", "Delete", "Links"])
            await a.press("e")
            await a.sees(lambda: _hints(a)[:3] == ["Save", "New line", "Cancel"])
            await a.press(*" #des")
            await a.sees(lambda: _hints(a)[:3] == ["Complete", "New line", "Close"])
            await a.press("escape", "escape")
            await a.sees(lambda: _hints(a)[:3] == ["Reply", "React", "Edit"])
            await a.press("up")
            await a.sees(lambda: _hints(a)[:3] == ["Reply", "React", "Jump"])
            line = a.screen.query_one(HintLine)
            assert str(line.render()).rstrip().endswith("F1 Help")
            await a.press("ctrl+k")
            await asked(a)
            assert _hints(a) == ["Choose", "Close"]


async def test_what_is_unread_further_down_is_next(tmp_path: Path) -> None:
    """N goes on in the conversation that is open, before it says that everything is read."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        for number in range(30):
            await say(ben, f"cup {number}")
        async with playing(server, ann, tmp_path, size=(80, 24)) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            store = a.screen.account.session.store
            await a.sees(lambda: 0 < len(store.unread_ids(tea)) < 31)
            for _ in range(4):
                left = len(store.unread_ids(tea))
                await a.press("n")
                await a.sees(lambda left=left: len(store.unread_ids(tea)) < left or not left)  # type: ignore[misc]  # bound at once
            assert not store.unread_ids(tea)
            assert "read everything" in [each.message for each in a.app._notifications][-1]
