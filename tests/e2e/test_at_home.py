"""Being at home: what one decides in the app holds at once, and the next time."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, Static

from tests.e2e.client import AppDriver, folders, playing
from tests.e2e.team import channel, team
from tests.live import Live, until
from tui.app import ChinwagApp
from tui.config import Settings, read_settings
from tui.screens import alerts
from tui.screens.dialogs.capture_key import NewKey
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.listing import ListDialog
from tui.screens.dialogs.prompt import Prompt
from tui.view.rows import MessageRow


async def shows(player: AppDriver, dialog: type[Any]) -> None:
    """Wait until a dialog is open and gets the keys."""
    await until(lambda: isinstance(player.app.screen, dialog) and player.app.screen.is_mounted)
    await player.pilot.pause()


async def typed(player: AppDriver, words: str) -> None:
    """Text into the field of the dialog that is open, faster than key by key."""
    player.app.screen.query_one(Input).value = words
    await player.pilot.pause()


async def test_settings_hold_at_once_and_the_next_time(server: Live, tmp_path: Path) -> None:
    """Colors, density and clock change on screen; a slip is told, comments in the file stay."""
    ann, ben, tea = await team(server)
    for text in ("yes", "no"):
        await ann.post("messages", type="stream", to="design", topic="tea", content=text)
        await ben.post("messages", type="stream", to="design", topic="tea", content=text)
    async with playing(server, ann, tmp_path) as a:
        config = a.app.folders.config / "config.toml"
        config.write_text('# mine\nclock = "24h"  # here\n')
        await a.go(tea)
        await a.press("alt+c")
        await shows(a, ListDialog)
        await a.press("enter")
        await shows(a, Chooser)
        await typed(a, "chinwag-light")
        await a.press("enter")
        await until(lambda: a.app.theme == "chinwag-light")
        await shows(a, ListDialog)
        await a.press("down", "enter")
        await until(
            lambda: (
                not any(
                    row.gap for row in a.screen.panes.messages.items if isinstance(row, MessageRow)
                )
            )
        )
        await typed(a, "clock")
        await a.press("enter")
        await until(lambda: all("M" in row.time for row in a.rows if row.time))
        await typed(a, "quiet")
        await a.press("enter")
        await shows(a, Prompt)
        await typed(a, "22")
        await a.press("enter")
        await shows(a, ListDialog)
        trouble = a.app.screen.query_one("#trouble")
        await until(lambda: "22:00-07:00" in str(trouble.render()))
        assert config.read_text() == (
            '# mine\nclock = "12h"  # here\ntheme = "chinwag-light"\ndensity = "compact"\n'
        )
        assert read_settings(config)[0] == a.app.settings == a.screen.account.settings
        await typed(a, "clock")
        await a.press("r")
        await until(lambda: "clock" not in tomllib.loads(config.read_text()))


async def test_a_key_is_given_to_something_else(server: Live, tmp_path: Path) -> None:
    """F4 becomes Jump's, after a word of what it was; at once, and the next time."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        config = a.app.folders.config / "config.toml"
        await a.go(tea)
        await a.press("alt+k")
        await shows(a, ListDialog)
        await typed(a, "Conversations: Jump")
        await a.press("a")
        await shows(a, NewKey)
        await a.press("f4")
        asked = a.app.screen.query_one("#asked", Static)
        assert "F4 is used by “Inbox”" in str(asked.content)
        await a.press("f4")
        await until(lambda: "app.jump" in a.app.settings.keys)
        await shows(a, ListDialog)
        await a.press("enter")
        await shows(a, NewKey)
        await a.press("ctrl+q", "escape")  # asked for a key, the application's own does nothing
        await shows(a, ListDialog)
        assert read_settings(config)[0].keys == {"app.jump": "ctrl+k,f4", "app.inbox": "go+i"}
        await a.press("enter")
        await shows(a, NewKey)
        await a.press("ctrl+g", "j")
        await until(lambda: read_settings(config)[0].keys["app.jump"] == "leader+j")
        await a.press("a", "f4")
        await until(lambda: read_settings(config)[0].keys["app.jump"] == "leader+j,f4")
        await a.press("escape", "escape", "ctrl+g", "j")
        await shows(a, Chooser)
        await a.press("escape", "f4")
        await shows(a, Chooser)
        await a.press("escape", "alt+k")
        await shows(a, ListDialog)
        await typed(a, "Conversations: Inbox")
        await a.press("r")
        await until(lambda: read_settings(config)[0].keys == {"app.jump": "leader+j,f4"})


async def test_enter_may_make_a_new_line(server: Live, tmp_path: Path) -> None:
    """Who wants Enter to make a new line sends with Ctrl+S, or with a key of their own."""
    ann, _, tea = await team(server)
    settings = Settings(enter_sends=False)
    async with playing(server, ann, tmp_path, settings=settings) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press("a", "enter", "b", "ctrl+s")
        await until(lambda: a.texts[-1].split() == ["a", "b"])
        a.app.remap({"composer.send": "f12"})
        await a.press("c", "f12")
        await until(lambda: a.texts[-1] == "c")


async def test_the_sidebar_is_filtered_by_typing(server: Live, tmp_path: Path) -> None:
    """`/` in the sidebar finds a topic of a channel that was never opened; Esc shows all again."""
    ann, ben, _ = await team(server)
    await channel(ann, "garden", ann, ben)
    for topic in ("roses", "weeds"):
        await ben.post("messages", type="stream", to="garden", topic=topic, content=topic)
    async with playing(server, ann, tmp_path) as a:
        a.screen.panes.side.focus()
        before = len(a.screen.panes.side.items)
        await a.press("slash", *"weed")
        await until(lambda: [row.label for row in a.screen.panes.side.items] == ["garden", "weeds"])
        await a.press("enter", "j", "enter")
        await until(lambda: a.texts == ["weeds"])
        a.screen.panes.side.focus()
        await a.press("escape")
        await until(lambda: len(a.screen.panes.side.items) >= before)
        assert not a.screen.panes.side_filter.display
        await a.press("escape")
        assert a.screen.focused is a.screen.panes.messages


async def test_a_theme_of_ones_own_is_there_and_a_broken_one_is_told(tmp_path: Path) -> None:
    """`themes/sea.toml` colors the app from the start; the slip in another file has a sentence."""
    here = folders(tmp_path, "home")
    (here.config / "themes").mkdir(parents=True)
    (here.config / "themes" / "sea.toml").write_text('primary = "#7fd4ff"\n')
    (here.config / "themes" / "lake.toml").write_text('primary = "wet"\n')
    app = ChinwagApp(folders=here, settings=Settings(theme="sea"), zuliprc=None)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.current_theme.primary == "#7fd4ff"
        (told,) = [each.message for each in app._notifications]
        assert "lake.toml: primary must be a color" in told


async def test_a_screen_reader_meets_one_thing_at_a_time(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal's cursor is on the message one is at; F2 shows the list alone, Enter goes back."""
    ann, _, tea = await team(server)
    written: list[str] = []
    monkeypatch.setattr(alerts, "write", lambda _, sequence: written.append(sequence))
    async with playing(server, ann, tmp_path, settings=Settings(screen_reader=True)) as a:
        await a.go(tea)
        screen = a.screen
        assert not screen.panes.side_pane.display
        await a.press("k")
        await until(lambda: a.app.cursor_position.y > 1)
        row = screen.panes.messages.content_region.y + screen.panes.messages.size.height
        assert a.app.cursor_position.y < row
        assert alerts.SHOW_CURSOR in written
        shown = a.app.export_screenshot()
        assert not set("▌─│•▽") & set(shown)
        await a.press("f2")
        assert (screen.panes.side_pane.display, screen.panes.middle.display) == (True, False)
        screen.panes.side.select(
            next(row.key for row in screen.panes.side.items if row.label == "design")
        )
        await a.press("enter")
        await until(lambda: screen.panes.middle.display and not screen.panes.side_pane.display)
        assert screen.focused is screen.panes.messages
        await a.press("f3")
        assert (screen.panes.people_pane.display, screen.panes.middle.display) == (True, False)
        await a.press("escape")
        assert (screen.panes.people_pane.display, screen.panes.middle.display) == (False, True)
        await a.press("f2", "c")
        await until(lambda: screen.panes.middle.display and not screen.panes.side_pane.display)
        assert screen.panes.composer.has_focus
