"""The sidebar as a list: what a row that changed costs, and what is unread out of sight."""

from dataclasses import replace

from textual.app import App, ComposeResult

from tests.call_counter import calls
from tui.view.sidebar_rows import SidebarRow
from tui.widgets.row_lists import Sidebar
from tui.widgets.unread_rows import UnreadRows, UnreadSum

HEIGHT = 10


class _App(App[None]):
    """A sidebar alone on the screen."""

    def compose(self) -> ComposeResult:
        """Only the list."""
        yield Sidebar(id="sidebar")


def _rows(size: int) -> list[SidebarRow]:
    return [
        SidebarRow(kind="channel", target="inbox", label=f"{at}", count=1, is_open=at == 3)
        for at in range(size)
    ]


def _changed(rows: list[SidebarRow], at: int) -> list[SidebarRow]:
    row = replace(rows[at], count=rows[at].count + 1, mentions=1)
    return [*rows[:at], row, *rows[at + 1 :]]


async def test_a_row_that_changed_costs_the_same_however_many_there_are() -> None:
    """Functions called for one of a screenful, and of hundreds; in sight, and out of sight."""
    counted: dict[int, list[int]] = {}
    for size in (20, 500):
        app = _App()
        async with app.run_test(size=(30, HEIGHT)) as pilot:
            sidebar, rows = app.query_one(Sidebar), _rows(size)
            sidebar.update(rows)
            await pilot.pause()
            for at in (5, size - 1):
                rows = _changed(rows, at)
                done = calls(lambda: sidebar.update(rows))  # noqa: B023  # called at once
                counted.setdefault(size, []).append(done + calls(sidebar._report))
            assert sidebar.unread_beyond(-1) == UnreadSum(0, 0)
            assert sidebar.unread_beyond(+1) == UnreadSum(size - HEIGHT + 1, 1)
            nearest = sidebar.nearest_unread_beyond(+1)
            assert nearest is not None
            assert nearest.label == str(HEIGHT)
    # They are compared by blocks of 256.
    assert max(counted[500]) <= max(counted[20]) + 10, counted
    assert min(counted[500]) <= min(counted[20]) + 10, counted


def test_sums_of_unread_rows_follow_what_changed() -> None:
    """Rows change, come and go: the sums and the open row are those of a walk over all."""
    unread = UnreadRows()
    rows = _rows(6)
    steps = [rows, _changed(rows, 2), rows[3:], _rows(2), [], rows, [*rows[1:], rows[0]]]
    for step in steps:
        unread.follow(step)
        assert unread.sum() == (sum(row.count for row in step), sum(row.mentions for row in step))
        assert unread.sum(2, 4).messages == sum(row.count for row in step[2:4])
        assert unread.opened == next((at for at, row in enumerate(step) if row.is_open), None)
