"""The card of a message: what it was before, who reacted and read, its source and its link."""

from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.endpoints import uses
from tests.e2e.messages import say
from tests.e2e.team import answered, asked, team
from tests.live import live
from tui.screens.dialogs.chooser import Chooser
from tui.widgets.card_body import CardBody


def _shown(player: AppDriver) -> str:
    return player.app.screen.query_one(CardBody).render().plain


@uses("GET /messages/{message_id}/history", "GET /messages/{message_id}/read_receipts")
async def test_a_message_is_looked_at_from_all_sides(tmp_path: Path) -> None:
    """`i` opens the card; the arrows turn its pages; `l` copies a link that leads back here."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        said = await say(ben, "the *kettle* is off")
        await ben.patch(f"messages/{said}", content="the *kettle* is on")
        await ben.post(f"messages/{said}/reactions", emoji_name="tada")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await a.press("end", "k", "i")
            await asked(a)
            await a.sees(lambda: "by Ben" in _shown(a) and "🎉" in _shown(a))
            await a.press("right")
            await a.sees(lambda: "🎉" in _shown(a) and "Written" not in _shown(a))
            await a.press("right")
            await a.sees(lambda: "Read by 1 person" in _shown(a) or "No read receipts" in _shown(a))
            await a.press("right")
            await a.sees(lambda: "edited by Ben" in _shown(a) and "on off" in _shown(a))
            await a.press("right")
            await a.sees(lambda: _shown(a) == "the *kettle* is on")
            await a.press("l")
            await answered(a)
            await a.sees(lambda: a.app.clipboard.endswith(f"/topic/tea/near/{said}"))


async def test_a_block_of_code_is_copied_alone(tmp_path: Path) -> None:
    """Without the words around it; of several blocks the one that is chosen."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ben, "try\n```\nmake run\n```\nor\n```\nmake test\n```")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await a.press("end", "k", "i")
            await asked(a)
            await a.press("c")
            await a.sees(lambda: isinstance(a.app.screen, Chooser))
            await a.press(*"test", "enter")
            await a.sees(lambda: a.app.clipboard.strip() == "make test")


async def test_a_copied_message_says_the_same_when_it_is_sent(tmp_path: Path) -> None:
    """`y` copies the text as it is read, and an action with the command that makes it one."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ben, "the *kettle* is on")
        await say(ben, "/me pours the *tea*")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await a.press("end", "k", "y")
            await a.sees(lambda: a.app.clipboard == "/me pours the tea")
            await a.press("k", "y")
            await a.sees(lambda: a.app.clipboard == "the kettle is on")
