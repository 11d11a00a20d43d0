"""Links to messages: copied anywhere, they lead to where the message is now."""

from functools import partial
from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.endpoints import uses
from tests.e2e.messages import say, whisper
from tests.e2e.team import answered, asked, channel, team
from tests.live import live
from tui.api.model import UserId
from tui.config import Settings
from tui.narrow import DmNarrow, TopicNarrow
from tui.screens.messages.open_link import GONE
from tui.view.rows import MessageRow
from tui.widgets.choice_list import ChoiceList


async def _jump(player: AppDriver, text: str) -> None:
    player.screen.panes.messages.focus()
    await player.press("ctrl+k")
    await asked(player)
    player.paste(text)
    await player.sees(lambda: "link" in player.app.screen.query_one(ChoiceList).lines[0])
    await player.press("enter")
    await answered(player)


@uses("GET /messages/{message_id}")
async def test_a_link_leads_to_its_message_though_that_was_moved(tmp_path: Path) -> None:
    """Pasted to Ctrl+K or opened in a message; where the message is gone, its topic is shown."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        garden = await channel(ben, "garden", ben)  # not Ann's: her client knows nothing of it
        moved = await say(ben, "the roses", to="garden", topic="tea")
        gone = await say(ben, "the tulips", to="garden", topic="tea")
        await ben.patch(f"messages/{moved}", topic="flowers", propagate_mode="change_one")
        link = f"#narrow/channel/{garden}-garden/topic/tea/near/"
        await say(ben, f"see [there]({link}{moved})")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("end", "o")
            flowers = TopicNarrow(garden, "flowers")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(flowers))
            assert a.screen.panes.messages.selected == a.rows[0]
            await a.go(tea)
            await _jump(a, f"{server.url}/{link}{moved}")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(flowers))
            await ben.delete(f"messages/{gone}")
            await _jump(a, f"{link}{gone}")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(TopicNarrow(garden, "tea")))
            await a.sees(lambda: [each.message for each in a.app._notifications] == [GONE])


async def test_back_leads_to_where_a_link_was_followed(tmp_path: Path) -> None:
    """Also within one conversation: to the message with the link, then out of the conversation."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        old = await say(ben, "the roses")
        for number in range(30):
            await say(ben, f"line {number}")
        link = f"#narrow/channel/{tea.channel_id}-design/topic/tea/near/{old}"
        new = await say(ben, f"see [there]({link})")
        other = TopicNarrow(tea.channel_id, "other")
        await say(ben, "else", topic="other")
        async with playing(server, ann, tmp_path) as a:

            def at() -> object:
                row = a.screen.panes.messages.selected
                is_shown = a.screen.account.open_narrow.is_shown(tea)
                return row.message_id if is_shown and isinstance(row, MessageRow) else None

            await a.go(other)
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("end", "o")
            await a.sees(lambda: at() == old)
            await a.press("alt+left")
            await a.sees(lambda: at() == new)
            await a.press("alt+right")
            await a.sees(lambda: at() == old)
            await a.press("alt+left", "alt+left")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(other))


async def test_the_next_direct_message_is_a_key_away(tmp_path: Path) -> None:
    """N passes topics by, and says when every direct message is read."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        cleo = await server.person("Cleo")
        for person in (ben, cleo):
            await whisper(person, ann, "hello")
        async with playing(
            server, ann, tmp_path, settings=Settings(mark_read=False), size=(80, 24)
        ) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            for person in (cleo, ben, cleo):
                await a.press("N")
                there = DmNarrow(frozenset({UserId(ann.id), UserId(person.id)}))
                await a.sees(partial(a.screen.account.open_narrow.is_shown, there))
