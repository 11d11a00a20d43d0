"""The list as a person uses it: keys, mouse, what it tells the screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

import pytest
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import Screen
from textual.scrollbar import ScrollTo
from textual.strip import Strip

from tests.live import until
from tui.widgets.message_list import MessageList


@dataclass(frozen=True)
class Row:
    """An item of three lines."""

    key: int
    revision: int = 0
    selectable: bool = True

    def estimate(self, width: int) -> int:
        """Wrong on purpose."""
        return 2


MessageT = TypeVar("MessageT", bound=Message)


class ListScreen(Screen[None]):
    """Hears what the list says, as screens do: what is said with a frame goes no further."""

    def __init__(self, told: list[Message]) -> None:
        super().__init__()
        self.told = told

    def note(self, message: Message) -> None:
        """Remember what the list said."""
        self.told.append(message)

    on_message_list_near_top = note
    on_message_list_near_bottom = note
    on_message_list_selected = note
    on_message_list_activated = note
    on_message_list_clicked = note
    on_message_list_viewed = note
    on_message_list_tail_changed = note
    on_message_list_newest_requested = note


class ListApp(App[None]):
    """A list alone on the screen, 40 by 12, and all that it said."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Message] = []
        self.drawn: list[int] = []
        self.list = MessageList[Row](self.draw, empty="No messages", loading_above="Older…")

    def get_default_screen(self) -> ListScreen:
        """Return the screen that hears what the list says."""
        return ListScreen(self.told)

    def compose(self) -> ComposeResult:
        """Only the list."""
        yield self.list

    def draw(self, row: Row, width: int, selected: bool) -> list[Strip]:
        """A mark if selected, a name, and text with a link in it."""
        self.drawn.append(row.key)
        mark = Segment("> " if selected else "  ")
        link = Style.from_meta({"link": f"to {row.key}", "offset": (0, 1)})
        return [
            Strip([mark, Segment(f"name {row.key}")]),
            Strip([mark, Segment(f"text {row.key}", Style.from_meta({"offset": (0, 0)}))]),
            Strip([mark, Segment("link", link)]),
        ]

    def heard(self, kind: type[MessageT]) -> list[MessageT]:
        """What was said of one kind since the last time."""
        messages = [message for message in self.told if isinstance(message, kind)]
        self.told[:] = [message for message in self.told if not isinstance(message, kind)]
        return messages

    def shown(self) -> list[str]:
        """The lines on screen."""
        return [strip.text.rstrip() for strip in self.list.render_lines(self.list.size.region)]


def rows(first: int, last: int) -> list[Row]:
    """Items first..last."""
    return [Row(key) for key in range(first, last + 1)]


async def drawn(app: ListApp, pilot: Pilot[None]) -> None:
    """Wait for the frame after which the list says what it showed: a busy machine has it later."""
    await pilot.pause()
    await until(lambda: not app.list._report_due)
    await pilot.pause()


@asynccontextmanager
async def running(items: list[Row], **options: bool) -> AsyncIterator[tuple[ListApp, Pilot[None]]]:
    """The app with its list open at the newest item."""
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        app.list.open(items, **options)
        await drawn(app, pilot)
        yield app, pilot


async def wheel(app: ListApp, pilot: Pilot[None], direction: int) -> None:
    """One notch of the mouse wheel."""
    kind = events.MouseScrollDown if direction > 0 else events.MouseScrollUp
    app.list.post_message(kind(app.list, 5, 5, 0, direction, 0, False, False, False))
    await drawn(app, pilot)


async def test_keys_move_the_cursor_and_open_what_it_is_on() -> None:
    """Going up from the newest and pressing Enter opens the message before it; keys can be others."""
    async with running(rows(1, 20)) as (app, pilot):
        app.set_keymap({"list.previous": "x"})
        await pilot.press("x", "x", "enter")
        assert [m.key for m in app.heard(MessageList.Selected)] == [20, 19]
        assert [m.key for m in app.heard(MessageList.Activated)] == [19]
        assert next(line for line in app.shown() if line.startswith(">")) == "> name 19"
        app.screen.set_focus(None)
        await drawn(app, pilot)
        assert not any(line.startswith(">") for line in app.shown())


async def test_reading_history_is_not_disturbed_by_new_messages() -> None:
    """I scrolled up: what arrives leaves my screen alone and is counted; End takes me there."""
    async with running(rows(1, 20)) as (app, pilot):
        await wheel(app, pilot, -1)
        before = app.shown()
        assert before[-1] == "  name 20"
        app.list.update([*rows(1, 22)])
        await drawn(app, pilot)
        assert app.shown() == before
        assert [(m.at_tail, m.below) for m in app.heard(MessageList.TailChanged)] == [
            (False, 0),
            (False, 2),
        ]
        await pilot.press("end")
        await drawn(app, pilot)
        assert app.shown()[-1] == "  link"
        assert app.shown()[-3] == "  name 22"
        assert app.list.at_tail
        assert [m.loaded for m in app.heard(MessageList.NewestRequested)] == [True]
        app.list.update(rows(1, 23))
        assert app.shown()[-3] == "  name 23"


async def test_older_messages_are_asked_for_once_and_come_without_a_jump() -> None:
    """Near the top more history is fetched, and what I read stays where it is."""
    async with running(rows(10, 20), more_above=True) as (app, pilot):
        await pilot.press("pageup", "pageup", "pageup")
        await drawn(app, pilot)
        assert len(app.heard(MessageList.NearTop)) == 1
        assert app.shown()[0].strip() == "Older…"
        before = app.shown()
        app.list.update(rows(1, 20), more_above=False)
        await drawn(app, pilot)
        assert app.shown()[1:] == before[1:]
        assert app.shown()[0] == "  link"
        assert app.heard(MessageList.NearTop) == []


async def test_older_messages_that_failed_to_come_are_asked_for_when_i_move_again() -> None:
    """Not by itself, or a server in trouble would be asked with every frame; Up at the very top is a move."""
    async with running(rows(10, 20), more_above=True) as (app, pilot):
        await pilot.press("home")
        await drawn(app, pilot)
        assert len(app.heard(MessageList.NearTop)) == 1
        app.list.edges.failed()
        app.list.update(rows(10, 21))  # somebody writes
        await drawn(app, pilot)
        assert app.heard(MessageList.NearTop) == []
        await pilot.press("up")
        await drawn(app, pilot)
        assert len(app.heard(MessageList.NearTop)) == 1
        await pilot.press("up")
        await drawn(app, pilot)
        assert app.heard(MessageList.NearTop) == []


async def test_a_click_tells_what_is_under_the_mouse() -> None:
    """Clicking a link tells the link and selects its message; a double click opens the message."""
    async with running(rows(1, 20)) as (app, pilot):
        await pilot.double_click(app.list, offset=(3, 2))
        await drawn(app, pilot)
        clicked = app.heard(MessageList.Clicked)
        assert [(m.key, m.meta["link"]) for m in clicked] == [(17, "to 17")] * 2
        assert [m.key for m in app.heard(MessageList.Activated)] == [17]
        assert app.list.selected == Row(17)
        assert app.screen.selections == {}


async def test_selected_text_keeps_its_color() -> None:
    """What I mark with the mouse can be read: only its background changes."""
    async with running(rows(1, 20)) as (app, pilot):
        app.list.text_select_all()
        await drawn(app, pilot)
        lit = [
            segment.style
            for strip in app.list.render_lines(Region(0, 0, 30, 6))
            for segment in strip
            if segment.style is not None and segment.text.strip()
        ]
        assert any(style.bgcolor != app.list.rich_style.bgcolor for style in lit)
        assert all(style.color is None or style.color != style.bgcolor for style in lit)


async def test_only_whole_messages_count_as_viewed() -> None:
    """A message of which I saw only a part is not marked as read."""
    async with running(rows(1, 20)) as (app, pilot):
        assert [m.keys for m in app.heard(MessageList.Viewed)] == [(17, 18, 19, 20)]
        await wheel(app, pilot, -1)
        assert app.heard(MessageList.Viewed) == []
        await wheel(app, pilot, -1)
        assert [m.keys for m in app.heard(MessageList.Viewed)] == [(16,)]
        app.list.report_viewed()
        await drawn(app, pilot)
        assert [m.keys for m in app.heard(MessageList.Viewed)] == [(16, 17, 18)]


async def test_text_is_selected_with_the_mouse_and_stays_selected() -> None:
    """I drag over two messages and copy their text, also after more history came above."""
    async with running(rows(10, 20)) as (app, pilot):
        await pilot.mouse_down(app.list, offset=(0, 1))
        await pilot.hover(app.list, offset=(5, 4))
        await pilot.mouse_up(app.list, offset=(5, 4))
        await drawn(app, pilot)
        assert app.screen.get_selected_text() == "text 17\nlink\ntext"
        assert app.heard(MessageList.Clicked) == []
        app.list.update(rows(1, 20))
        assert app.screen.get_selected_text() == "text 17\nlink\ntext"
        lit, plain = (app.list.render_lines(app.list.size.region)[row] for row in (1, 7))
        ground = {part.text: part.style.bgcolor for part in [*lit, *plain] if part.style}
        assert ground["text 17"] != ground["text 19"]
        app.list.update([row for row in app.list.items if row.key != 17])
        assert app.screen.get_selected_text() is None


async def test_a_place_is_found_again() -> None:
    """Coming back to a conversation I am where I left it."""
    async with running(rows(1, 40)) as (app, pilot):
        await pilot.press("pageup", "pageup")
        await wheel(app, pilot, -1)
        before, place = app.shown(), app.list.position
        assert place is not None
        app.list.open(rows(100, 120))
        assert app.shown() != before
        app.drawn.clear()
        app.list.open(rows(1, 40), at=place.key, row=place.row)
        assert app.shown() == before
        assert len(app.drawn) <= 5  # nothing beside the screen
    fresh = ListApp()
    fresh.list.open(rows(1, 40), at=place.key, row=place.row)
    async with fresh.run_test(size=(40, 12)) as pilot:
        await drawn(fresh, pilot)
        assert fresh.shown() == before


async def test_only_what_changed_is_drawn_again() -> None:
    """A reaction costs one message, a change of theme what is on screen."""
    async with running(rows(1, 20)) as (app, pilot):
        app.drawn.clear()
        app.list.update([*rows(1, 18), replace(Row(19), revision=1), Row(20)])
        await drawn(app, pilot)
        assert app.drawn == [19]
        app.drawn.clear()
        app.theme = "textual-light"
        await drawn(app, pilot)
        assert set(app.drawn) == {17, 18, 19, 20}


async def test_the_scrollbar_reaches_the_first_message() -> None:
    """Dragging the thumb to the top shows the first message, and to the bottom the last."""
    async with running(rows(1, 50)) as (app, pilot):
        app.list.post_message(ScrollTo(y=-3.0))
        await drawn(app, pilot)
        assert app.shown()[0] == "  name 1"
        assert app.list.vertical_scrollbar.position == 0
        app.list.scroll_y += 1  # as Textual does while text is selected beyond the edge
        assert app.shown()[0] == "  text 1"
        app.list.post_message(ScrollTo(y=1000.0))
        await drawn(app, pilot)
        assert app.shown()[-3] == "  name 50"
        assert app.list.at_tail


async def test_an_empty_conversation_says_so() -> None:
    """Where there is nothing, a calm text says it in the middle of the screen."""
    async with running([]) as (app, _):
        assert "No messages" in app.shown()[5]
        app.list.update(rows(1, 1))
        assert app.shown()[:3] == ["  name 1", "  text 1", "  link"]


class _Bold(LineFilter):
    """Stands for the filters that give a terminal the colors it has."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        bold = Style(bold=True)
        return [Segment(text, (style or Style()) + bold) for text, style, _ in segments]


@pytest.mark.parametrize("items", [[], rows(1, 2)])
async def test_the_empty_part_has_the_colors_of_the_terminal_too(items: list[Row]) -> None:
    """Below the last item, and where nothing is: no block of another color in 256, none in NO_COLOR."""
    app = ListApp()
    bold = [_Bold()]
    app.get_line_filters = lambda: bold  # type: ignore[method-assign]  # the app's alone
    async with app.run_test(size=(40, 12)):
        app.list.open(items)
        for strip in app.list.render_lines(Region(0, 0, 40, 12)):
            assert all(segment.style and segment.style.bold for segment in strip), strip.text


@pytest.mark.parametrize("width", [1, 2, 3])
async def test_a_terminal_of_hardly_any_columns_ends_nothing(width: int) -> None:
    """Nothing is left beside the scrollbar; the words are there again in a wider one."""
    async with running([]) as (app, pilot):
        await pilot.resize_terminal(width, 12)
        for items in ([], rows(1, 5), []):
            app.list.open(items)
            await drawn(app, pilot)
        await pilot.resize_terminal(40, 12)
        await drawn(app, pilot)
        assert "No messages" in "".join(app.shown())


async def test_what_comes_for_a_list_that_was_closed_ends_nothing() -> None:
    """An answer may be later than the end of the screen that asked."""
    async with running(rows(1, 3)) as (app, _):
        closed = MessageList[Row](app.draw)  # in no screen, with the size that it had in one
        closed._list.resize(40, 12)
        closed.open(rows(1, 5))
        closed.update(rows(1, 6))
        assert closed.items == rows(1, 6)
