"""Going to a moment of a conversation: a day, the first unread message."""

from pathlib import Path

from textual.widgets import Input

from tests.e2e.client import Player, playing
from tests.e2e.saying import say
from tests.e2e.team import answered, asked, team
from tests.live import live
from tui.config import Settings
from tui.narrow import AllMessages
from tui.view.rows import MessageRow


def _at(player: Player) -> int:
    row = player.screen.messages.selected
    return row.message_id if isinstance(row, MessageRow) else -1


async def test_a_day_and_the_first_unread_are_one_key_away(tmp_path: Path) -> None:
    """`g` and a day lead to its first message, `U` to the oldest that is unread."""
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        first = (await ann.get("messages", anchor="oldest", num_before=0, num_after=1))["messages"]
        await ann.post("messages/flags", messages=[first[0]["id"]], op="add", flag="read")
        unread = await say(ben, "milk?")
        await say(ben, "sugar?", topic="sugar")
        async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
            await a.go(AllMessages())
            a.screen.messages.focus()
            await a.press("g")
            await asked(a)
            a.app.screen.query_one(Input).value = "yesterday"
            await a.press("enter")
            await answered(a)
            await a.sees(lambda: _at(a) == first[0]["id"])
            await a.press("U")
            await a.sees(lambda: _at(a) == unread)
