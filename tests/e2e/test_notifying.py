"""While one looks at something else, the terminal tells of what matters."""

from pathlib import Path

import pytest

from tests.e2e.client import playing
from tests.e2e.team import team
from tests.live import Live, until
from tui.config import Settings
from tui.screens import alerts


async def test_a_message_rings_only_while_nobody_looks(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the terminal in view nothing is told; out of view a direct message is, with a count."""
    monkeypatch.delenv("TMUX", raising=False)
    ann, ben, tea = await team(server)
    async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
        await a.go(tea)
        heard: list[str] = []
        monkeypatch.setattr(alerts, "write", lambda _, sequence: heard.append(sequence))

        async def say(content: str) -> None:
            await ben.post("messages", type="direct", to=[ann.id], content=content)
            await until(lambda: any("]2;(" in each for each in heard[-3:]))

        await say("lunch?")
        assert "\a" not in heard
        a.app.app_focus = False
        heard.clear()
        await say("soup; or not?")
        await until(lambda: "\a" in heard)
        assert "\x1b]9;Ben: soup, or not?\x1b\\" in heard


async def test_the_night_is_quiet(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In quiet hours only the title changes."""
    ann, ben, tea = await team(server)
    settings = Settings(quiet_hours="00:00-23:59", mark_read=False)
    async with playing(server, ann, tmp_path, settings=settings) as a:
        await a.go(tea)
        a.screen.account.clock = lambda: 1_800_000_000.0  # not in the one minute that is left
        a.app.app_focus = False
        heard: list[str] = []
        monkeypatch.setattr(alerts, "write", lambda _, sequence: heard.append(sequence))
        await ben.post("messages", type="direct", to=[ann.id], content="asleep?")
        await until(lambda: bool(heard))
        assert all("]2;" in each for each in heard)
