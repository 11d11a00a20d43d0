"""A message that was sent a moment ago can be taken back, if one wants that."""

from pathlib import Path

import pytest
from textual.widgets import Input

from tests.e2e.client import playing
from tests.e2e.team import KETTLE, asked, contents, team, write
from tests.live import Live, until
from tui.config import Settings
from tui.errors import ServerFailed
from tui.narrow import TopicNarrow
from tui.view.rows import EchoRow


@pytest.mark.parametrize(("chosen", "name"), [({}, "Ctrl+Z"), ({"app.undo": "f12"}, "F12")])
async def test_what_was_sent_too_early_comes_back(
    server: Live, tmp_path: Path, chosen: dict[str, str], name: str
) -> None:
    """Ctrl+Z, or the key that was chosen, brings the words back into the composer; nobody ever saw them."""
    ann, _, tea = await team(server)
    settings = Settings(hold_seconds=600, keys=chosen)
    async with playing(server, ann, tmp_path, settings=settings) as a:
        await a.go(tea)
        await write(a, "i hate tee")
        await until(lambda: a.texts == [KETTLE, "i hate tee"])
        held = [row.state for row in a.screen.panes.messages.items if isinstance(row, EchoRow)]
        assert held == ["held"]
        assert f"{name} to undo" in a.screen.panes.status_line.text
        await a.press(name.lower())
        await until(lambda: a.screen.panes.composer.text == "i hate tee")
        await until(lambda: a.texts == [KETTLE])
        assert "to undo" not in a.screen.panes.status_line.text
        assert (await contents(ann, tea.channel_id, "tea")) == [KETTLE]
        await write(a, "i like tea")
        a.screen.panes.messages.focus()
        await a.press("end", "r")
        await until(lambda: not a.screen.account.session.store.outbox.by_id)
        assert (await contents(ann, tea.channel_id, "tea")) == [KETTLE, "i like tea"]


async def test_what_is_held_at_the_end_is_sent_the_next_time(server: Live, tmp_path: Path) -> None:
    """Who presses Enter and quits meant it to be sent."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path, settings=Settings(hold_seconds=600)) as a:
        await a.go(tea)
        await write(a, "goodbye")
        await until(lambda: len(a.texts) == 2)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await until(lambda: [row.sender for row in a.rows] == ["Ben", "Ann"])
        await until(lambda: a.texts == [KETTLE, "goodbye"])


async def test_after_its_time_it_is_gone(server: Live, tmp_path: Path) -> None:
    """The moment passes, and the message goes out by itself."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path, settings=Settings(hold_seconds=1)) as a:
        await a.go(tea)
        await write(a, "goodbye")
        await until(lambda: [row.sender for row in a.rows] == ["Ben", "Ann"])
        assert "to undo" not in a.screen.panes.status_line.text


async def test_a_move_is_taken_back(server: Live, tmp_path: Path) -> None:
    """Moved by mistake, the message is where it was after Ctrl+Z."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("k", "m")
        await asked(a)
        a.app.screen.query_one("#topic", Input).value = "milk"
        await a.press("enter")
        milk = TopicNarrow(tea.channel_id, "milk")
        await until(lambda: a.screen.account.open_narrow.is_shown(milk) and KETTLE in a.texts)
        await until(lambda: bool(a.screen.account.undoing._steps))
        await a.press("ctrl+z")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea) and a.texts == [KETTLE])


@pytest.mark.parametrize(("key", "words"), [("e", "before you send it again"), ("d", "If it did")])
async def test_a_message_that_may_have_been_sent_says_so(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, words: str
) -> None:
    """The server did not answer: a note says so to who edits or discards the message: it may be there."""
    ann, _, tea = await team(server)
    attempts: list[object] = []

    async def fails(*_: object, **given: object) -> None:
        attempts.append(given["content"])
        raise ServerFailed("/messages", 502, retry_after=None)

    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        monkeypatch.setattr("tui.commands.outbox.routes.send", fails)
        await write(a, "more tea")
        outbox = a.screen.account.session.store.outbox
        await until(lambda: [each.state for each in outbox.by_id.values()] == ["waiting"])
        assert attempts
        a.screen.panes.messages.focus()
        await a.press("end", key)
        await until(lambda: not outbox.by_id)
        assert a.screen.panes.composer.text == ("more tea" if key == "e" else "")
        assert any(words in each.message for each in a.app._notifications)
