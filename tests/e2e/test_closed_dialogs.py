"""What a dialog leaves in memory once it is closed: people open hundreds of them in a day."""

import gc
from pathlib import Path

from textual.screen import ModalScreen
from textual.strip import Strip

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import asked, team
from tests.live import Live


async def _open_and_close(player: AppDriver, keys: list[str]) -> None:
    for key in keys:
        await player.press(key)
        await asked(player)
        await player.press("escape")
        await player.sees(lambda: player.app.screen is player.screen)


async def test_closed_dialogs_leave_no_lines_and_no_widgets(server: Live, tmp_path: Path) -> None:
    """Textual keeps the lines of the last 1,024 widgets: 30 MB after 200 dialogs."""
    ann, _, _ = await team(server)

    def left() -> tuple[int, int]:
        gc.collect()
        kept = gc.get_objects()
        return (
            sum(isinstance(each, Strip) for each in kept),
            sum(isinstance(each, ModalScreen) for each in kept),
        )

    async with playing(server, ann, tmp_path, size=(140, 40)) as player:
        await _open_and_close(player, ["ctrl+k", "f1", "ctrl+p"])
        lines, _ = left()
        await _open_and_close(player, ["ctrl+k", "f1", "ctrl+p"] * 2)
        more_lines, _ = left()
        assert more_lines - lines < 100
        # The last one may have work to end, and on a busy machine the one before it.
        await player.sees(lambda: left()[1] <= 1)
