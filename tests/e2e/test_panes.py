"""The panes of the main screen as a person sees them: which one has the keys, and nothing in the way."""

from pathlib import Path

import pytest
from textual.widgets._toast import Toast

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import asked, team
from tests.live import Live
from tui.config import Settings
from tui.screens.toasts import fitting, reading_seconds


def _heading(player: AppDriver, widget: str) -> list[str]:
    """The parts of a heading that are filled with the accent's color, or in reverse."""
    pane = player.screen.query_one(widget)
    strip = pane.render_lines(pane.size.region)[0]
    accent = player.app.theme_variables["primary"].lower()
    return [
        segment.text.strip()
        for segment in strip
        if segment.style is not None
        and segment.text.strip()
        and (
            segment.style.reverse
            or (segment.style.bgcolor is not None and segment.style.bgcolor.name == accent)
        )
    ]


async def test_the_pane_with_the_keys_has_a_label_in_the_accents_color(
    server: Live, tmp_path: Path
) -> None:
    """The name of one pane is filled, those of the others are not."""
    ann = await server.person("Ann")
    for theme in ("chinwag-dark", "chinwag-contrast-light", "textual-ansi"):
        settings = Settings(theme=theme)
        async with playing(server, ann, tmp_path, size=(120, 30), settings=settings) as a:
            screen = a.screen
            panes = (
                (screen.panes.messages, "#title"),
                (screen.panes.side, "#organization"),
                (screen.panes.people_list, "#people_heading"),
            )
            for pane, heading in panes:
                pane.focus()
                await a.sees(lambda heading=heading: bool(_heading(a, heading)))  # type: ignore[misc]  # bound now
                others = [other for _, other in panes if other != heading]
                await a.sees(lambda others=others: not any(_heading(a, each) for each in others))  # type: ignore[misc]  # bound now


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_notification_stays_above_where_one_types(
    server: Live, tmp_path: Path, size: tuple[int, int]
) -> None:
    """However many lines are written."""
    ann = await server.person("Ann")
    async with playing(server, ann, tmp_path, size=size, notifications=True) as a:
        a.screen.account.toast("Nothing to undo.")
        a.screen.action_write()
        for text in ("a", "a\nb\nc\nd"):
            a.screen.panes.composer.load_text(text)
            await a.sees(
                lambda: any(
                    0 < toast.region.bottom <= a.screen.panes.composer.region.y
                    and a.screen.panes.composer.region.height
                    >= a.screen.panes.composer.text.count("\n") + 1
                    for toast in a.screen.query(Toast)
                )
            )


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_a_notification_is_read_from_its_beginning(
    server: Live, tmp_path: Path, size: tuple[int, int]
) -> None:
    """However long it is, which gives it more time, and however small the terminal."""
    ann = await server.person("Ann")
    async with playing(server, ann, tmp_path, size=size, notifications=True) as a:
        for words, fits in (
            ("The topic was moved to design › cups. " * 2, 4),
            ("wrong " * 900, 99),
        ):
            a.screen.account.toast(f"First {words}")
            await a.sees(
                lambda fits=fits: any(  # type: ignore[misc]  # bound at once
                    toast.region.y >= 0 and 0 < toast.region.height <= fits + 2
                    for toast in [*a.screen.query(Toast)][-1:]
                )
            )
            drawn = [strip.text for strip in a.app.screen._compositor.render_strips()]
            assert any("▌ First" in line for line in drawn)
            a.app.clear_notifications()
            await a.sees(lambda: not a.screen.query(Toast))
        assert reading_seconds("Copied.") == 6
        assert reading_seconds("wrong " * 30) == 12
        assert fitting("漢" * 60, 30, 8) == "漢" * 12 + "\n" + "漢" * 11 + "…"


async def test_a_notification_is_not_repeated_below_a_dialog(server: Live, tmp_path: Path) -> None:
    """A dialog shows what comes while it is open, and closing it leaves that in sight."""
    ann = await server.person("Ann")

    def shown() -> list[str]:
        return [str(toast.render()) for toast in a.app.screen.query(Toast)]

    async with playing(server, ann, tmp_path, notifications=True) as a:
        a.screen.account.toast("Copied.")
        await a.sees(lambda: shown() == ["Copied."])
        await a.press("ctrl+p")
        await asked(a)
        a.screen.account.toast("Saved.")
        await a.sees(lambda: shown() == ["Saved."])
        await a.press("escape")
        await a.sees(lambda: shown() == ["Copied.", "Saved."])
        a.screen.account.toast("Copied.")  # once more
        await a.press("ctrl+c")
        await a.sees(lambda: shown() == ["Saved.", "Copied.", "Press Ctrl+Q to quit."])


async def test_people_have_the_count_of_their_unread_messages(server: Live, tmp_path: Path) -> None:
    """It comes with the message and goes when that is read, without anybody coming or going."""
    ann, ben, tea = await team(server)
    size = (160, 40)
    async with playing(server, ann, tmp_path, size=size) as a:
        await a.go(tea)

        def count() -> int:
            return next(row.count for row in a.screen.panes.people_list.items if row.key == ben.id)

        assert a.screen.panes.people_pane.display
        sent = await ben.post("messages", type="direct", to=[ann.id], content="a word?")
        await a.sees(lambda: count() == 1)
        await ann.post("messages/flags", messages=[sent["id"]], op="add", flag="read")
        await a.sees(lambda: count() == 0)


async def test_in_a_wide_terminal_nothing_is_left_over_between_the_panes(
    server: Live, tmp_path: Path
) -> None:
    """Text, composer and people end and begin at the same columns."""
    ann = await server.person("Ann")
    async with playing(server, ann, tmp_path, size=(200, 60)) as a:
        screen = a.screen
        await a.sees(lambda: screen.panes.people_pane.region.x > 0)
        await a.sees(
            lambda: screen.panes.composer.region.width > 0
        )  # it is made when it is asked for
        assert screen.panes.composer.region.right == screen.panes.middle.region.right
        assert screen.panes.middle.region.right == screen.panes.people_pane.region.x
        assert screen.panes.middle.region.width <= 124


def _unreadable(player: AppDriver) -> list[str]:
    """Text on screen in the color of what is behind it."""
    strips = player.app.screen._compositor.render_strips()
    return [
        segment.text
        for strip in strips
        for segment in strip
        if segment.style is not None
        and any(character.isalnum() for character in segment.text)
        and segment.style.color is not None
        and not segment.style.color.is_default
        and segment.style.color == segment.style.bgcolor
    ]


@pytest.mark.parametrize("theme", ["chinwag-16-dark", "chinwag-16-light", "ansi-dark"])
async def test_dialogs_and_fields_can_be_read_in_16_colors(
    server: Live, tmp_path: Path, theme: str
) -> None:
    """Where a color cannot be mixed, a tint is not the color of the text itself."""
    ann = await server.person("Ann")
    settings = Settings(theme=theme)
    async with playing(server, ann, tmp_path, size=(80, 24), settings=settings) as a:
        for keys in (
            ("ctrl+k",),
            ("ctrl+p",),
            ("ctrl+t", "x"),
            ("f1",),
            ("slash", "x"),
            ("c", "a"),
        ):
            a.screen.panes.messages.focus()
            await a.press(*keys)
            await a.pilot.pause()
            assert _unreadable(a) == [], keys
            await a.press("escape")
            await a.sees(lambda: a.app.screen is a.screen)
