"""Long messages: the first lines, and the rest when it is asked for; what was seen is read."""

from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import team
from tests.live import Live

LOG = "\n".join(f"entry {at}" for at in range(60))


def _lines(player: AppDriver) -> list[str]:
    shown = player.screen.panes.messages
    return [strip.text.strip("▌ ") for strip in shown.render_lines(shown.size.region)]


def _has(player: AppDriver, text: str) -> bool:
    return any(text in line for line in _lines(player))


async def test_a_log_is_folded_and_unfolded_by_a_key_and_a_click(
    server: Live, tmp_path: Path
) -> None:
    """The line that was read stays where it is on the screen."""
    ann, ben, tea = await team(server)
    await ben.post("messages", type="stream", to="design", topic="tea", content=f"```\n{LOG}\n```")
    await ben.post("messages", type="stream", to="design", topic="tea", content="after it")
    async with playing(server, ann, tmp_path, size=(80, 34)) as a:
        await a.go(tea)
        await a.sees(lambda: _has(a, "Show 40 more lines") and _has(a, "after it"))
        assert not _has(a, "entry 20")
        # The fold was on screen, so the message was seen.
        await a.sees(lambda: not a.screen.account.session.store.unread_ids(tea))
        a.screen.panes.messages.focus()
        await a.press("home", "k", "home")
        first = next(row for row in a.rows if "entry 0" in row.html)
        a.screen.panes.messages.select(first.key)
        before = next(at for at, line in enumerate(_lines(a)) if line == "entry 0")
        await a.press("s")
        await a.sees(lambda: _has(a, "entry 20"))
        assert _lines(a)[before] == "entry 0"
        await a.press("s")
        await a.sees(lambda: _has(a, "Show 40 more lines"))
        at = next(at for at, line in enumerate(_lines(a)) if "Show 40" in line)
        await a.pilot.click(a.screen.panes.messages, offset=(6, at))
        await a.sees(lambda: _has(a, "entry 20"))
