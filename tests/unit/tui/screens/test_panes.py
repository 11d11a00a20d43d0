"""Which panes are shown: one at a time for those who read line by line, and in a narrow terminal."""

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


def test_a_narrow_terminal_has_room_for_one_pane() -> None:
    """Beside a list, 14 columns of messages were unreadable; in a wider terminal both are shown again."""
    panes = PaneSizes(width=40)
    assert (panes.shows_sidebar, panes.shows_middle) == (False, True)
    panes.sidebar_wish = True
    assert (panes.shows_sidebar, panes.shows_middle, panes.sidebar_width) == (True, False, 40)
    assert panes.close_sides()
    assert (panes.shows_sidebar, panes.shows_middle) == (False, True)
    panes.sidebar_wish = True
    assert panes.resize(80)
    assert (panes.shows_sidebar, panes.shows_middle, panes.sidebar_width) == (True, True, 23)
