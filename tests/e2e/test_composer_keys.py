"""The keys of the composer, as in a shell's line, and what is proposed while one writes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.client import playing
from tests.e2e.team import contents, team
from tests.live import Live, live, until
from tui import keys
from tui.widgets.composer import Composer

NOT_WHILE_WRITING = {"slash", "question_mark", "tab", "shift+tab", "ctrl+z"}
"""Text; what completes; and Ctrl+Z, which is the screen's where nothing was typed."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as running:
        yield running


async def test_lines_are_changed_as_in_a_shell(server: Live, tmp_path: Path) -> None:
    """Ctrl+A, E, U, W, Y and Alt+B, F, D move and cut; Ctrl+Z and Ctrl+Shift+Z undo and redo."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.panes.composer
        composer.focus()
        for keys, wanted in (
            ("one two three", "one two three"),
            (["ctrl+w"], "one two "),
            (["ctrl+y"], "one two three"),
            (["ctrl+a", "alt+f", "ctrl+g", "delete"], "one"),
            (["ctrl+y"], "one two three"),
            (["alt+b", "alt+b", "alt+d"], "one  three"),
            (["ctrl+u"], " three"),
            (["ctrl+z"], "one  three"),
            (["ctrl+shift+z"], " three"),
            (["ctrl+e", "!"], " three!"),
            (["ctrl+j", "x", "ctrl+home", "a"], "a three!\nx"),
            (["ctrl+end", "z"], "a three!\nxz"),
        ):
            await a.press(*keys)
            assert composer.text == wanted, keys


async def test_after_sending_the_arrow_up_begins_at_what_was_sent(
    server: Live, tmp_path: Path
) -> None:
    """I answer something further up, send, leave the composer: Up and `e` correct my answer."""
    ann, ben, tea = await team(server)
    for text in ("one", "two", "three"):
        await ben.post("messages", type="stream", to="design", topic="tea", content=text)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await until(lambda: "three" in a.texts)
        a.screen.panes.messages.focus()
        await a.press("up", "up", "r")
        await until(lambda: a.screen.panes.composer.has_focus)
        await a.press(*"mine", "enter")
        await until(lambda: a.texts[-1:] == ["mine"])
        await a.press("escape", "up")
        await until(lambda: a.screen.panes.messages.selected == a.screen.panes.messages.items[-1])


async def test_a_long_line_is_cut_as_one(server: Live, tmp_path: Path) -> None:
    """Ctrl+U takes the line, not a row of it, then the end of the one before; the leader takes all."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.panes.composer
        composer.focus()
        composer.insert_at_cursor("one\n" + "x" * 2000)
        await a.press("ctrl+u")
        assert composer.text == "one\n"
        await a.press("ctrl+u")
        assert composer.text == "one"
        await a.press("ctrl+z", "ctrl+z", "ctrl+g", "backspace")
        assert composer.text == ""
        await a.press("ctrl+z")
        assert composer.text == "one\n" + "x" * 2000


async def test_tab_stays_where_something_is_written(server: Live, tmp_path: Path) -> None:
    """With nothing to complete it does nothing: what I type next is no command in another pane."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.panes.composer
        composer.focus()
        await a.press(*"see", "tab", *"tMd", "shift+tab", *"P")
        assert composer.text == "seetMdP"
        await a.press("ctrl+u", "tab")
        assert not composer.has_focus


@pytest.mark.parametrize(
    "key",
    sorted(
        key
        for action in (*keys.CONVERSATION, *keys.APPLICATION)
        for key in action.keys.split(",")
        if len(key) > 1 and key not in NOT_WHILE_WRITING
    ),
)
def test_keys_of_places_hold_while_one_writes(key: str) -> None:
    """Ctrl+K jumps, F6 shows mentions: no key of the text area stands before them."""
    assert key not in Composer._merge_bindings().key_to_bindings


async def test_jumping_while_writing(server: Live, tmp_path: Path) -> None:
    """Ctrl+K asks where to, and what I was writing is there when I am back."""
    ann, ben, tea = await team(server)
    await ben.post("messages", type="stream", to="design", topic="milk", content="any left?")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"half", "ctrl+k", *"milk", "enter")
        await until(lambda: a.texts == ["any left?"])
        assert a.screen.panes.composer.text == ""
        await a.go(tea)
        await until(lambda: a.screen.panes.composer.text == "half")


async def test_what_was_sent_comes_back_with_an_arrow(server: Live, tmp_path: Path) -> None:
    """Up in an empty composer, as in a shell; what is being written is never replaced."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        composer = a.screen.panes.composer
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
        composer = a.screen.panes.composer
        composer.focus()
        for begun, wanted in (("/m", "/me "), ("/t", "/todo "), ("@_be", "@_**Ben** ")):
            await a.press(*begun)
            await until(lambda: a.screen.panes.completion_list.is_open)
            await a.press("tab")
            assert composer.text == wanted
            composer.load_text("")
        await a.press(*"at <time:tomorrow 9")
        await until(lambda: a.screen.panes.completion_list.is_open)
        await a.press("tab")
        assert composer.text.startswith("at <time:20")
        assert composer.text.rstrip().endswith(">")
        composer.load_text("")
        await a.press(*"@_be", "tab", *"is here", "enter")
        await until(lambda: a.texts[-1] == "Ben is here")
        assert (await contents(ann, tea.channel_id, "tea"))[-1] == "@_**Ben** is here"
        newest = (await ben.get("messages", anchor="newest", num_before=1, num_after=0))["messages"]
        assert "mentioned" not in newest[-1]["flags"]
