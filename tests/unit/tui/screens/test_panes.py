"""The panes of those who read line by line: one at a time."""

from tui.screens.pane_sizes import PaneSizes


def test_one_pane_at_a_time() -> None:
    """A list takes the whole screen until something is chosen in it."""
    panes = PaneSizes(width=140, linear=True)
    assert (panes.shows_sidebar, panes.shows_people, panes.shows_middle) == (False, False, True)
    panes.sidebar_wish = True
    assert (panes.shows_sidebar, panes.shows_middle, panes.sidebar_width) == (True, False, 140)
    assert panes.close_sides()
    assert panes.shows_middle
    assert not panes.close_sides()
