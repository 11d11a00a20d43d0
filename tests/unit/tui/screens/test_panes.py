"""Which panes there is room for, and one at a time for those who read line by line."""

from tui.screens.panes import Panes


def test_a_wide_terminal_shows_people_and_a_narrow_one_no_list() -> None:
    """What suits the size, unless the person wishes otherwise."""
    assert [(p.shows_sidebar, p.shows_people) for w in (60, 80, 140) for p in [Panes(width=w)]] == [
        (False, False), (True, False), (True, True),
    ]  # fmt: skip
    assert Panes(width=60, sidebar_wish=True).shows_sidebar


def test_one_pane_at_a_time() -> None:
    """A list takes the whole screen until something is chosen in it."""
    panes = Panes(width=140, linear=True)
    assert (panes.shows_sidebar, panes.shows_people, panes.shows_middle) == (False, False, True)
    panes.sidebar_wish = True
    assert (panes.shows_sidebar, panes.shows_middle, panes.sidebar_width) == (True, False, 140)
    assert panes.close_sides()
    assert panes.shows_middle
    assert not panes.close_sides()
