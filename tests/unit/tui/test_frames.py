"""What is written to the terminal: the cells that changed, and the screen is right after any of them."""

from collections.abc import Callable

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Offset, Size
from textual.strip import Strip
from textual.widgets import Static

from tests.live import until
from tui.frames import Frame, FrameCompositor, Shown
from tui.widgets.line_input import LineInput

WIDTH, HEIGHT = 24, 3
CUTS = [0, 7, 16, WIDTH]
STYLES = [Style(), Style(color="red"), Style(bgcolor="blue", bold=True), Style(link="https://a.b")]
CONSOLE = Console(color_system="truecolor", force_terminal=True)
assert CONSOLE._color_system == ColorSystem.TRUECOLOR

parts = st.lists(
    st.tuples(
        st.sampled_from(["a", "tea ", "12", "é•", "日本", "  ", "x" * 5]), st.sampled_from(STYLES)
    ),
    max_size=4,
)


def strip(pieces: list[tuple[str, Style]], width: int) -> Strip:
    """A part of a row."""
    segments = [Segment(text, style) for text, style in pieces]
    return Strip(segments).adjust_cell_length(width, STYLES[0])


rows = st.lists(st.tuples(parts, parts, parts), min_size=HEIGHT, max_size=HEIGHT)


def frame(rows: list[tuple[list[tuple[str, Style]], ...]], shown: Shown) -> str:
    """The bytes of a frame with these rows."""
    drawn: dict[int, dict[int, Strip | None]] = {
        y: {CUTS[at]: strip(part, CUTS[at + 1] - CUTS[at]) for at, part in enumerate(row)}
        for y, row in enumerate(rows)
    }
    return Frame(drawn, [CUTS] * HEIGHT, Size(WIDTH, HEIGHT), shown).render_segments(CONSOLE)


def screen(*written: str) -> list[list[object]]:
    """The cells that they make."""
    seen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(seen)
    for each in written:
        stream.feed(each)
    return [[seen.buffer[y][x] for x in range(WIDTH)] for y in range(HEIGHT)]


@given(st.lists(rows, min_size=2, max_size=4))
def test_the_terminal_shows_the_last_frame_whatever_was_there_before(
    frames: list[list[tuple[list[tuple[str, Style]], ...]]],
) -> None:
    """Only what differs is written; the screen is that of a terminal that got the last frame alone."""
    shown = Shown()
    written = [frame(each, shown) for each in frames]
    assert screen(*written) == screen(frame(frames[-1], Shown()))
    assert frame(frames[-1], shown) == "", "what is there already is not written"


def _row(text: str, style: Style = STYLES[0]) -> list[tuple[list[tuple[str, Style]], ...]]:
    part = [(text, style)]
    return [(part, part, part)] * HEIGHT


def _written(*frames: list[tuple[list[tuple[str, Style]], ...]]) -> str:
    shown = Shown()
    return [frame(each, shown) for each in frames][-1]


def test_a_digit_that_changed_is_written_alone() -> None:
    """An unread count in a list costs the bytes of a digit, not those of the row."""
    before, after = _row("tea 12"), _row("tea 12")
    after[1] = (after[1][0], [("tea 13", STYLES[0])], after[1][2])
    assert _written(before, after) == "\x1b[2;13H3"


def test_what_is_forgotten_is_written_again() -> None:
    """Another size, a picture over the cells, another program in between: nothing is taken to be there."""
    forgets: list[Callable[[Shown], object]] = [
        Shown.forget,
        lambda shown: setattr(shown, "size", Size(WIDTH + 1, HEIGHT)),
    ]
    for forget in forgets:
        shown = Shown()
        first = frame(_row("tea"), shown)
        forget(shown)
        assert frame(_row("tea"), shown) == first


def test_a_picture_of_the_screen_has_all_of_it() -> None:
    """A frame that is exported has every row, also what the terminal shows already."""
    drawn: dict[int, dict[int, Strip | None]] = {
        y: {0: strip([("tea ", STYLES[1])], WIDTH)} for y in range(HEIGHT)
    }
    shown = Shown()
    whole = Frame(drawn, [[0, WIDTH]] * HEIGHT, Size(WIDTH, HEIGHT), shown)
    whole.render_segments(CONSOLE)
    with CONSOLE.capture() as capture:
        CONSOLE.print(whole)
    assert capture.get().count("tea") == HEIGHT


class Toasted(App[None]):
    """A list that is hidden in small terminals, and a toast."""

    CSS = "#list { display: none; } #toast { dock: bottom; height: 2; }"

    def compose(self) -> ComposeResult:
        yield Static("list", id="list")
        yield Static("toast", id="toast")


async def test_what_goes_is_drawn_over_also_where_a_hidden_widget_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A toast stayed for ever: what is below the pointer was looked for between its end and the layout."""
    monkeypatch.setattr("textual.screen.Compositor", FrameCompositor)
    app = Toasted()
    async with app.run_test(size=(20, 6)):
        toast = app.query_one("#toast")
        compositor = app.screen._compositor
        assert isinstance(compositor, FrameCompositor)
        compositor.update_widgets({app.query_one("#list")})
        toast.display = False
        assert toast not in compositor.full_map
        compositor.reflow(app.screen, app.size)
        assert set(compositor.render_partial_update().rows) == {4, 5}


@pytest.mark.parametrize("kind", [events.MouseDown, events.MouseMove, events.MouseUp])
async def test_a_click_on_what_was_just_taken_away_does_nothing(
    kind: type[events.MouseEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the next frame it is still in sight."""

    def at(of: type[events.MouseEvent], x: int, y: int) -> events.MouseEvent:
        return of(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)

    monkeypatch.setattr("textual.screen.Compositor", FrameCompositor)
    app = Toasted()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await pilot.pause()
        app.screen._forward_event(at(events.MouseDown, 1, 1))
        toast = app.query_one("#toast")
        await toast.remove()
        assert toast in app.screen._compositor.visible_widgets
        app.screen._forward_event(at(kind, 2, 1))
        await pilot.pause()


class _Written(App[None]):
    """A field in the middle of the screen."""

    CSS = "Screen { align: center middle; } LineInput { width: 10; height: 1; border: none; }"

    def compose(self) -> ComposeResult:
        yield LineInput("tea")


async def test_the_terminals_cursor_follows_the_field_that_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Input methods show what they compose at the terminal's cursor, and it stayed where the field was."""
    monkeypatch.setattr("textual.screen.Compositor", FrameCompositor)
    app = _Written()
    async with app.run_test(size=(20, 5)) as pilot:
        before = app.cursor_position
        await pilot.resize_terminal(40, 11)
        await until(lambda: app.cursor_position == Offset(before.x + 10, before.y + 3))
