"""The first frame, before anything is known: the panes of the main screen, drawn with as little as possible."""

import pytest
from textual.app import App, ComposeResult

from tui.screens.skeleton import Skeleton


class _Opening(App[None]):
    def compose(self) -> ComposeResult:
        yield Skeleton()


@pytest.mark.parametrize(
    ("size", "panes"), [((140, 40), (28, 90, 22)), ((80, 24), (23, 57, 0)), ((50, 20), (0, 50, 0))]
)
async def test_the_panes_are_there_and_two_rows_are_drawn(
    size: tuple[int, int], panes: tuple[int, int, int]
) -> None:
    """Name and word stand in the first row; all others are the same."""
    app = _Opening()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        opening = app.query_one(Skeleton)
        rows = opening.render_lines(opening.size.region)
        assert len(rows) == size[1]
        assert len({id(row) for row in rows}) == 2
        assert tuple(len(segment.text) for segment in rows[0]) == tuple(w for w in panes if w)
        assert ("chinwag" in rows[0].text) is bool(panes[0])
        assert rows[0].text[panes[0] :].startswith("  opening…")
