"""The list of conversations at real size: everything of use stays in reach."""

from pathlib import Path

from textual.events import MouseMove

from tests.e2e.client import AppDriver, playing
from tests.live import Live, Person
from tui.api.model import ChannelId
from tui.config import CONFIG, Settings, read_settings
from tui.narrow import ChannelNarrow, Mentions

CHANNELS = 60


async def _filled(ann: Person, ben: Person) -> dict[str, ChannelId]:
    names = [f"channel {at:02}" for at in range(CHANNELS)]
    await ann.post(
        "users/me/subscriptions",
        subscriptions=[{"name": name} for name in names],
        principals=[ann.id, ben.id],
    )
    for name in (names[1], names[-1], names[-1]):
        await ben.post("messages", type="channel", to=name, topic="tea", content="hello")
    await ben.post("messages", type="direct", to=[ann.id], content="psst")
    subscriptions = (await ann.get("users/me/subscriptions"))["subscriptions"]
    return {each["name"]: each["stream_id"] for each in subscriptions}


def _shown(player: AppDriver) -> list[str]:
    """The rows of the sidebar that are on screen, as text."""
    lists = [
        each for each in (player.screen.panes.pinned, player.screen.panes.side) if each.display
    ]
    strips = [strip for each in lists for strip in each.render_lines(each.size.region)]
    return [strip.text.strip("▌ ") for strip in strips]


def _has(player: AppDriver, text: str) -> bool:
    return any(text in line for line in _shown(player))


async def test_views_and_people_stay_in_reach_beside_sixty_channels(
    server: Live, tmp_path: Path
) -> None:
    """The open channel is on screen, and what is unread elsewhere is said and one key away."""
    ann, ben = await server.person("Ann"), await server.person("Ben")
    ids = await _filled(ann, ben)
    # What the first view shows is not to be read before another one is opened.
    settings = Settings(mark_read=False)
    async with playing(server, ann, tmp_path, size=(80, 30), settings=settings) as a:
        await a.go(ChannelNarrow(ids["channel 40"]))
        await a.sees(lambda: _has(a, "channel 40"))
        assert _has(a, "Inbox")
        assert _has(a, "Ben")
        line = a.screen.panes.unread_line
        await a.sees(lambda: line.text.split()[:4] == ["↑", "1", "↓", "2"])
        await a.sees(lambda: line.region.height == 1)
        await a.pilot.click(line, offset=(line.text.index("↓") + 1, 0))
        await a.sees(lambda: _has(a, "channel 59"))
        await a.sees(lambda: a.screen.focused is a.screen.panes.side)
        await a.press("left_square_bracket")
        await a.sees(lambda: _has(a, "channel 01"))
        await a.press("left_square_bracket")
        await a.sees(lambda: a.screen.focused is a.screen.panes.pinned)
        await a.press("enter")
        await a.sees(lambda: "Ben" in a.screen.panes.title_bar.text)


async def test_the_arrows_go_through_what_stays_and_what_scrolls(
    server: Live, tmp_path: Path
) -> None:
    """Two lists on the screen, one for the person."""
    ann, ben = await server.person("Ann"), await server.person("Ben")
    await _filled(ann, ben)
    async with playing(server, ann, tmp_path, size=(80, 30)) as a:
        screen = a.screen
        await a.sees(
            lambda: len(screen.panes.pinned.items) > 3 and len(screen.panes.side.items) > CHANNELS
        )
        screen.panes.select_in_sidebar(screen.panes.side.items[0].key)
        await a.press("up")
        await a.sees(lambda: screen.panes.pinned.has_focus)
        assert screen.panes.pinned.selected is screen.panes.pinned.items[-1]
        await a.press("down")
        await a.sees(lambda: screen.panes.side.has_focus)
        assert screen.panes.side.selected is screen.panes.side.items[0]
        assert screen.panes.side_pane.has_class("-in-list")


async def test_sections_collapse_and_the_list_can_be_wider_and_both_are_kept(
    server: Live, tmp_path: Path
) -> None:
    """By Enter or a click on a heading, and by < and >."""
    ann, ben = await server.person("Ann"), await server.person("Ben")
    await _filled(ann, ben)
    async with playing(server, ann, tmp_path, size=(100, 30)) as a:
        screen = a.screen
        await a.sees(lambda: _has(a, "Recent"))
        await a.pilot.click(screen.panes.pinned, offset=(4, 0))
        await a.sees(lambda: not _has(a, "Recent"))
        assert _has(a, "▸ Views")
        heading = next(row for row in screen.panes.sidebar_rows if row.section == "direct")
        screen.panes.select_in_sidebar(heading.key)
        await a.press("enter")
        await a.sees(lambda: not _has(a, "Ben") and _has(a, "▸ Direct messages"))
        wide = screen.panes.side_pane.outer_size.width
        await a.press("greater_than_sign", "greater_than_sign", "less_than_sign")
        await a.sees(lambda: screen.panes.side_pane.outer_size.width == wide + 2)
        config = a.app.folders.config / CONFIG
    settings, _ = read_settings(config)
    assert (settings.collapsed, settings.sidebar_width) == ("views direct", wide + 2)
    async with playing(server, ann, tmp_path, size=(100, 30), settings=settings) as a:
        await a.sees(lambda: _has(a, "▸ Views") and not _has(a, "Recent"))
        await a.go(Mentions())
        await a.sees(lambda: _has(a, "Mentions"))  # what is open is shown all the same
        assert a.screen.panes.side_pane.outer_size.width == wide + 2


async def test_the_border_of_the_list_is_dragged_and_stays_there(
    server: Live, tmp_path: Path
) -> None:
    """By either of its two columns, no further than makes sense; what is below the mouse is not clicked."""
    ann, ben = await server.person("Ann"), await server.person("Ben")
    channels = await _filled(ann, ben)
    async with playing(server, ann, tmp_path, size=(100, 30)) as a:
        screen = a.screen
        await a.go(ChannelNarrow(channels["channel 01"]))

        async def drag(start: int, *columns: int, row: int = 12) -> int:
            await a.pilot.mouse_down(offset=(start, row))
            for column in columns:
                await a.pilot._post_mouse_events([MouseMove], offset=(column, row), button=1)
            await a.pilot.mouse_up(offset=(columns[-1] if columns else start, row))
            await a.pilot.pause()
            return screen.panes.side_pane.region.right

        right = screen.panes.side_pane.region.right
        assert await drag(right) == right  # a click
        assert await drag(right, right + 3, right + 6) == right + 6
        assert await drag(right + 5, 20) == right + 6  # the scrollbar
        assert await drag(right + 5, 20, row=0) == 21
        assert await drag(21, 2) == 14
        assert await drag(14, 99) == 50
        assert await drag(52, 30) == 50
        assert await drag(50, 40) == 40
        assert screen.account.open_narrow.is_shown(ChannelNarrow(channels["channel 01"]))
        config = a.app.folders.config / CONFIG
    assert read_settings(config)[0].sidebar_width == 40


async def test_in_a_very_small_terminal_all_of_it_scrolls(server: Live, tmp_path: Path) -> None:
    """At 40x12 nothing is kept from scrolling, or nothing else had room."""
    ann, ben = await server.person("Ann"), await server.person("Ben")
    ids = await _filled(ann, ben)
    async with playing(server, ann, tmp_path, size=(40, 12)) as a:
        await a.go(ChannelNarrow(ids["channel 40"]))
        await a.press("escape", "ctrl+b")
        await a.sees(lambda: _has(a, "channel 40"))
        assert not a.screen.panes.pinned.display
        await a.pilot.resize_terminal(80, 40)
        await a.sees(lambda: _has(a, "channel 40") and _has(a, "Inbox"))
