"""Help: the first key that a newcomer presses."""

from pathlib import Path

from textual.widgets import Input, Static

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import asked, team
from tests.live import Live, until
from tui.keys import Keyboard
from tui.narrow import Starred
from tui.screens.dialogs.help import Help


def _shown(player: AppDriver) -> str:
    return str(player.app.screen.query_one("#lines", Static).content)


async def test_help_is_searched_by_typing(server: Live, tmp_path: Path) -> None:
    """F1 lists every key in a column that fits; a few letters leave the lines that have them."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path, size=(80, 24)) as a:
        await a.press("f1")
        await asked(a)
        await until(lambda: "Jump to any channel" in _shown(a))
        assert len(a.app.screen.query("*")) < 10, "each widget takes milliseconds to build"
        assert "Alt+C" in _shown(a)
        assert "Ctrl+PgUp" in _shown(a)
        assert max(len(line) for line in _shown(a).splitlines()) <= 80
        await a.press(*"ctrl+k")
        await until(lambda: "Mark read" not in _shown(a))
        assert _shown(a).split() == [
            "Anywhere",
            "Ctrl+K",
            "Jump",
            "to",
            "any",
            "channel,",
            "topic,",
            "person",
            "or",
            "view.",
        ]
        await a.press(*"zzz")
        await until(lambda: _shown(a) == "No matches.")
        a.app.screen.query_one(Input).value = "snippets"  # a name that hints show, in no sentence
        await until(lambda: "Insert, save or edit a snippet" in _shown(a))
        await a.press("escape")
        await until(lambda: not isinstance(a.app.screen, Help))


async def test_help_names_keys_that_the_terminal_sends(server: Live, tmp_path: Path) -> None:
    """Where Alt and a letter do not arrive, the leader stands for them; keys I changed are mine."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path, size=(80, 24)) as a:
        a.app.remap({"app.jump": "f12"})
        a.app.keyboard = Keyboard(exact=False)
        await a.press("f1")
        await asked(a)
        await until(lambda: "F12" in _shown(a))
        assert "Ctrl+G\u00a0c " in _shown(a)
        assert "Alt+C" not in _shown(a)
        assert "Shift+Enter" not in _shown(a)


async def test_sentences_name_the_keys_that_i_chose(server: Live, tmp_path: Path) -> None:
    """Of an empty view, and after something that can be undone."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path, size=(80, 24), notifications=True) as a:
        a.app.remap({"message.star": "f12", "app.undo": "f11"})
        await a.go(Starred())
        panes = a.screen.panes
        await until(lambda: "Press F12 on a message to star it" in panes.messages._empty)
        await a.go(tea)
        a.screen.panes.messages.focus()
        await a.press("M")
        await until(lambda: any("F11 to undo" in each.message for each in a.app._notifications))
