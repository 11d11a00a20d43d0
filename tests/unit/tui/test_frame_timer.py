"""When a screen is drawn: once for changes that belong together, without a message to anyone."""

import asyncio
from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.frame_timer import FrameTimer, draw, draw_without_waking, report_drawn

TOP = Region(0, 0, 10, 1)


class Line(Widget):
    """Notes what is rendered."""

    DEFAULT_CSS = "Line { height: 1; }"

    def __init__(self, drawn: list[str]) -> None:
        super().__init__()
        self.drawn = drawn

    def render_lines(self, crop: Region) -> list[Strip]:
        self.drawn.append("drawn")
        return [Strip.blank(crop.width)] * crop.height


class Lines(App[None]):
    """Two widgets that ask for frames."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[str] = []

    def compose(self) -> ComposeResult:
        yield Line(self.drawn)
        yield Line(self.drawn)


@pytest.fixture
def _by_this_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Screen, "_update_timer", Screen.__dict__["_update_timer"])
    draw_without_waking()


async def _until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not is_so():  # noqa: ASYNC110  # a turn of the loop or two; nothing reports it
            await asyncio.sleep(0)


@pytest.mark.usefixtures("_by_this_timer")
async def test_changes_of_two_widgets_are_one_frame_and_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is to be reported of a frame comes after it."""
    app = Lines()
    async with app.run_test() as pilot:
        await pilot.pause(0.05)
        queued: list[Message] = []
        post = MessagePump.post_message

        def posting(self: MessagePump, message: Message) -> bool:
            queued.append(message)
            return post(self, message)

        one, other = app.query(Line)
        app.drawn.clear()
        monkeypatch.setattr(MessagePump, "post_message", posting)
        assert draw(one, TOP)
        report_drawn(one, lambda: app.drawn.append("reported"))
        assert draw(other, TOP)
        await _until(lambda: "reported" in app.drawn)
        assert not queued
        assert app.drawn == ["drawn", "drawn", "reported"]


@pytest.mark.usefixtures("_by_this_timer")
async def test_a_change_that_comes_a_turn_later_is_in_the_frame() -> None:
    """Other widgets learn of it by messages; two frames cost more than one."""
    app = Lines()
    async with app.run_test() as pilot:
        await pilot.pause(0.05)
        one, other = app.query(Line)
        frames: list[str] = []
        timer = app.screen._update_timer
        assert isinstance(timer, FrameTimer)
        update = app.screen._on_timer_update

        def updating() -> None:
            frames.append("frame")
            update()

        vars(app.screen)["_on_timer_update"] = updating
        app.drawn.clear()
        assert draw(one, TOP)
        other.refresh()  # tells its own queue, which tells the screen's
        await _until(lambda: len(app.drawn) == 2)
        assert len(frames) == 1


@pytest.mark.usefixtures("_by_this_timer")
async def test_a_report_is_made_although_a_layout_has_drawn_all() -> None:
    """Textual pauses the timer then."""
    app = Lines()
    async with app.run_test() as pilot:
        await pilot.pause(0.05)
        reports: list[str] = []
        report_drawn(app.query(Line).first(), lambda: reports.append("reported"))
        app.screen._update_timer.pause()
        await _until(lambda: reports)


@pytest.mark.usefixtures("_by_this_timer")
async def test_what_is_not_shown_is_left_to_textual() -> None:
    """An invisible widget, one that is gone, and all of them in a batch."""
    app = Lines()
    async with app.run_test() as pilot:
        await pilot.pause(0.05)
        one, other = app.query(Line)
        with app.batch_update():
            assert not draw(one, TOP)
        other.display = False
        assert not draw(other, TOP)
        await other.remove()
        assert not draw(other, TOP)
