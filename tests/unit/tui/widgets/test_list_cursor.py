"""The cursor of the list: which item it stands on, and what it brings on screen."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tui.widgets.list_cursor import ListCursor
from tui.widgets.list_layout import ListLayout


@dataclass(frozen=True)
class Row:
    """An item of so many lines."""

    key: int
    lines: int = 3
    selectable: bool = True
    revision: int = 0

    def estimate(self, width: int) -> int:
        """Right at every width."""
        return self.lines


def at_the_end(rows: list[Row]) -> tuple[ListLayout[Row], ListCursor[Row]]:
    """A list ten lines high, at its end."""
    layout = ListLayout[Row](lambda row: row.lines)
    layout.resize(40, 10)
    layout.open(rows)
    layout.to_end()
    return layout, ListCursor(layout)


def on_screen(layout: ListLayout[Row]) -> list[int]:
    """Keys of what is on screen, even in part."""
    return [layout.items[placed.at].key for placed in layout.visible()]


def test_the_first_step_up_takes_the_newest_message() -> None:
    """Leaving the composer upwards, I stand on the last message."""
    layout, cursor = at_the_end([Row(n) for n in range(9)])
    cursor.step(-1)
    assert cursor.item == Row(8)
    cursor.step(-1)
    assert cursor.item == Row(7)
    assert layout.at_end


def test_separators_are_stepped_over_but_shown() -> None:
    """Going up I never stand on a date line, and see it with its first message."""
    rows = [Row(n, lines=1 if n == 5 else 3, selectable=n != 5) for n in range(10)]
    layout, cursor = at_the_end(rows)
    while cursor.item != Row(6):
        cursor.step(-1)
    assert on_screen(layout)[0] == 5
    cursor.step(-1)
    assert cursor.item == Row(4)


def test_the_start_takes_the_cursor_along() -> None:
    """Also in a list that is on screen whole, where nothing scrolls: I see that the key did it."""
    day = Row(-1, lines=1, selectable=False)
    layout, cursor = at_the_end([day, *(Row(n, lines=1) for n in range(4))])
    cursor.step(-1)
    assert cursor.item == Row(3, lines=1)
    cursor.to_start()
    assert cursor.item == Row(0, lines=1)
    assert on_screen(layout)[0] == day.key


def test_a_message_taller_than_the_screen_is_read_to_its_end() -> None:
    """Going down through a very long message I see all of it before the next one."""
    layout, cursor = at_the_end([Row(0), Row(1, lines=25), Row(2)])
    layout.to_start()
    cursor.step(+1)
    cursor.step(+1)
    seen = {layout.line}
    while cursor.item == Row(1, lines=25):
        seen.add(layout.line)
        cursor.step(+1)
    assert cursor.item == Row(2)
    assert {0, 8, 15} <= seen


def test_a_cursor_out_of_sight_comes_back_at_the_edge() -> None:
    """After scrolling with the wheel, the next key goes on from what I see."""
    layout, cursor = at_the_end([Row(n) for n in range(60)])
    cursor.step(-1)
    layout.move(-90)
    cursor.step(-1)
    assert cursor.index in (on_screen(layout)[-2], on_screen(layout)[-1])
    layout.move(60)
    cursor.step(+1)
    assert cursor.index in on_screen(layout)[:2]


def test_paging_keeps_the_cursor_on_screen_and_ends_at_the_ends() -> None:
    """Page keys take the cursor along, and the last press reaches the very first message."""
    layout, cursor = at_the_end([Row(n) for n in range(20)])
    cursor.step(-1)
    for _ in range(20):
        cursor.page(-1)
        assert cursor.index in on_screen(layout)
    assert cursor.item == Row(0)
    assert layout.y == 0


def test_stepping_past_the_last_message_shows_what_is_below_it() -> None:
    """Going down from the last message I get to see the line below it."""
    layout, cursor = at_the_end([*(Row(n) for n in range(9)), Row(9, lines=2, selectable=False)])
    cursor.step(-1)
    layout.place(8, 7)
    assert not layout.at_end
    cursor.step(+1)
    assert cursor.item == Row(8)
    assert layout.at_end


@pytest.mark.parametrize(("gone", "stands_on"), [({4}, 5), ({4, 5}, 6), (set(range(4, 9)), 3)])
def test_the_cursor_goes_to_the_next_message_when_its_own_is_deleted(
    gone: set[int], stands_on: int
) -> None:
    """Somebody deletes the message I stand on: I stand on the next one, or the last one left."""
    layout, cursor = at_the_end([Row(n) for n in range(9)])
    cursor.index = 4
    cursor.follow(layout.update([row for row in layout.items if row.key not in gone]))
    assert cursor.item == Row(stands_on)


def test_the_cursor_stays_on_a_message_that_gets_another_id() -> None:
    """My own message gets its id from the server: the cursor stays on it."""
    layout, cursor = at_the_end([Row(n) for n in range(9)])
    cursor.index = 8
    rows = [Row(-1), *layout.items[:8], Row(99), Row(100)]
    cursor.follow(layout.update(rows, {8: 100}))
    assert cursor.item == Row(100)


def test_nothing_is_selected_when_the_last_message_goes() -> None:
    """A conversation whose one message was moved away is empty, and I stand nowhere."""
    layout, cursor = at_the_end([Row(0)])
    cursor.step(-1)
    assert cursor.item == Row(0)
    cursor.follow(layout.update([]))
    assert cursor.item is None
