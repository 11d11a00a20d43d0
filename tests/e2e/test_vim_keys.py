"""Moving as in vim: in every list, and by a preset that goes further."""

from pathlib import Path

from tests.e2e.client import playing
from tests.e2e.team import contents, team
from tests.live import Live, until
from tui.config import Settings


async def test_lists_are_moved_in_as_in_vim(server: Live, tmp_path: Path) -> None:
    """gg and G go to the ends, Ctrl+D and Ctrl+U half a screen; g lists what else there is."""
    ann, ben, tea = await team(server)
    for number in range(40):
        await ben.post(
            "messages", type="stream", to="design", topic="tea", content=f"line {number}"
        )
    async with playing(server, ann, tmp_path, size=(100, 24)) as a:
        await a.go(tea)
        await until(lambda: len(a.rows) == 41)
        messages = a.screen.panes.messages
        messages.focus()

        def shows(number: int) -> bool:
            return messages.shows(a.rows[number].key)

        await a.press("g", "g")
        await until(lambda: shows(0))
        await a.press("ctrl+d")
        await until(lambda: not shows(0) and shows(8))
        await a.press("ctrl+u")
        await until(lambda: shows(0))
        await a.press("G")
        await until(lambda: shows(40))
        await a.press("g", "i")
        await until(lambda: a.screen.account.overviews.opened is not None)


async def test_the_vim_preset(server: Live, tmp_path: Path) -> None:
    """i writes, h goes to the list at the left, zz brings the message to the middle, u undoes."""
    ann, ben, tea = await team(server)
    for number in range(40):
        await ben.post(
            "messages", type="stream", to="design", topic="tea", content=f"line {number}"
        )
    settings = Settings(keys_preset="vim")
    async with playing(server, ann, tmp_path, size=(100, 24), settings=settings) as a:
        await a.go(tea)
        await until(lambda: len(a.rows) == 41)
        messages = a.screen.panes.messages
        messages.focus()
        await a.press("G", *"kkkkkkkkkkkk")
        await until(lambda: messages.selected is not None)
        chosen = messages.selected
        await a.press("z", "z")
        await until(lambda: not messages.shows(a.rows[40].key))
        assert messages.selected == chosen
        await a.press("h")
        await until(lambda: a.screen.panes.side.has_focus)
        await a.press("l", *"ihi there", "enter")

        async def sent() -> bool:
            return (await contents(ann, tea.channel_id, "tea"))[-1] == "hi there"

        await until(sent)
