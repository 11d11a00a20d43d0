"""While nobody does anything the client draws nothing and wakes for its clock alone: counted, not timed."""

from pathlib import Path

import pytest
from textual.screen import Screen

from tests.e2e.client import playing
from tests.e2e.team import team
from tests.live import live, until
from tui.widgets.composer import MOST_BLINKS


async def test_an_idle_client_draws_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A laptop on battery is not worn out by a chat that stands open; a key makes the cursor blink again."""
    monkeypatch.setattr("tui.screens.account_controller.TICK_SECONDS", 0.005)
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path / "ann") as player:
            await player.go(tea)
            await player.press("c")
            composer = player.screen.panes.composer
            await until(lambda: composer.has_focus)

            def blinks() -> bool:
                return composer.blink_timer._active.is_set()

            for _ in range(MOST_BLINKS):
                composer._toggle_cursor_blink_visible()
            assert vars(composer)["_reactive__cursor_visible"]
            assert not blinks()
            await player.pilot.pause()
            ticks, frames = [0], [0]
            look, draw = (
                player.screen.account.session.sync.detect_suspend,
                Screen._compositor_refresh,
            )

            def looked() -> None:
                ticks[0] += 1
                look()

            def drawn(self: Screen[object]) -> None:
                frames[0] += 1
                draw(self)

            monkeypatch.setattr(player.screen.account.session.sync, "detect_suspend", looked)
            monkeypatch.setattr(Screen, "_compositor_refresh", drawn)
            await until(lambda: ticks[0] >= 30)
            assert frames == [0]
            await player.press("a")
            assert blinks()
