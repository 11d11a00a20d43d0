"""The keys of the composer, as in a shell's line, and what is proposed while one writes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.client import playing
from tests.e2e.team import contents, team
from tests.live import Live, live, until


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as running:
        yield running


async def test_lines_are_changed_as_in_a_shell(server: Live, tmp_path: Path) -> None:
    """Ctrl+A, E, K, U, W, Y and Alt+B, F, D move and cut; Ctrl+Z and Ctrl+Shift+Z undo and redo."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.composer
        composer.focus()
        for keys, wanted in (
            ("one two three", "one two three"),
            (["ctrl+w"], "one two "),
            (["ctrl+y"], "one two three"),
            (["ctrl+a", "alt+f", "ctrl+k"], "one"),
            (["ctrl+y"], "one two three"),
            (["alt+b", "alt+b", "alt+d"], "one  three"),
            (["ctrl+u"], " three"),
            (["ctrl+z"], "one  three"),
            (["ctrl+shift+z"], " three"),
            (["ctrl+e", "!"], " three!"),
        ):
            await a.press(*keys)
            assert composer.text == wanted, keys


async def test_what_was_sent_comes_back_with_an_arrow(server: Live, tmp_path: Path) -> None:
    """Up in an empty composer, as in a shell; what is being written is never replaced."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.composer
        composer.focus()
        for text in ("one", "two"):
            await a.press(*text, "enter")
            await until(lambda text=text: a.texts[-1] == text)
        for key, wanted in (("up", "two"), ("up", "one"), ("up", "one"), ("down", "two")):
            await a.press(key)
            assert composer.text == wanted
        await a.press("down")
        assert composer.text == ""
        await a.press("up", "!", "up")
        assert composer.text == "two!"


async def test_times_commands_and_quiet_mentions_are_completed(
    server: Live, tmp_path: Path
) -> None:
    """`<time:`, `/me`, `/todo` and `@_` need only their beginning; a command is one at the start only."""
    ann, ben, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.composer
        composer.focus()
        for begun, wanted in (("/m", "/me "), ("/t", "/todo "), ("@_be", "@_**Ben** ")):
            await a.press(*begun)
            await until(lambda: a.screen.completion_list.is_open)
            await a.press("tab")
            assert composer.text == wanted
            composer.load_text("")
        await a.press(*"at <time:tomorrow 9")
        await until(lambda: a.screen.completion_list.is_open)
        await a.press("tab")
        assert composer.text.startswith("at <time:20")
        assert composer.text.rstrip().endswith(">")
        composer.load_text("")
        await a.press(*"@_be", "tab", *"is here", "enter")
        await until(lambda: a.texts[-1] == "Ben is here")
        assert (await contents(ann, tea.channel_id, "tea"))[-1] == "@_**Ben** is here"
        newest = (await ben.get("messages", anchor="newest", num_before=1, num_after=0))["messages"]
        assert "mentioned" not in newest[-1]["flags"]
