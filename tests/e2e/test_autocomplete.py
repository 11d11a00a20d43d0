"""Proposals for topics while one writes: fetched when they are wanted, and taken by Tab."""

from pathlib import Path

from tests.e2e.client import playing
from tests.e2e.team import team
from tests.live import Live, until


async def test_a_topic_is_completed_after_its_channel(server: Live, tmp_path: Path) -> None:
    """`#`, a channel, Tab, `>` and Tab, in a channel whose topics nobody asked for yet."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path) as a:
        composer = a.screen.panes.composer
        await a.press("c", *"see #des")
        await until(lambda: a.screen.panes.completion_list.is_open)
        await a.press("tab")
        assert composer.text == "see #**design** "
        await a.press(">")
        await until(lambda: a.screen.panes.completion_list.is_open)
        await a.press("tab")
        assert composer.text == "see #**design>tea** "
