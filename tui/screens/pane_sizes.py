"""Which panes are shown, and how wide, at a size of the terminal. Pure decisions, then CSS classes."""

from tui.dataclass import dataclass

SIDEBAR_FROM = 70
"""Columns of the terminal from which the sidebar is shown unless hidden."""
ONE_PANE_BELOW = 60
"""Columns of the terminal below which an open list takes the place of the conversation."""
NARROWEST = 14
"""Fewest columns of the sidebar."""
WIDEST_MIDDLE = 124
"""Columns of the messages: 120 of text, the gutter at its left, and the scrollbar."""
PEOPLE_FROM = 120
"""Columns of the terminal from which the list of people is shown unless hidden."""


@dataclass(slots=True)
class PaneSizes:
    """The user's wishes; None is the default for the size."""

    sidebar_wish: bool | None = None
    people_wish: bool | None = None
    sidebar_width_wish: int = 0
    """Columns that the user gave to the sidebar; 0 for the default of the size."""
    width: int = 80
    linear: bool = False
    """For screen readers: one pane at a time, whatever the width."""

    @property
    def one_pane(self) -> bool:
        """Whether an open list takes the place of the conversation."""
        return self.linear or self.width < ONE_PANE_BELOW

    @property
    def shows_sidebar(self) -> bool:
        """Whether the sidebar is on screen."""
        if self.one_pane:
            return bool(self.sidebar_wish)
        return self.width >= SIDEBAR_FROM if self.sidebar_wish is None else self.sidebar_wish

    @property
    def shows_people(self) -> bool:
        """Whether the list of people is on screen."""
        if self.one_pane:
            return bool(self.people_wish) and not self.sidebar_wish
        return self.width >= PEOPLE_FROM if self.people_wish is None else self.people_wish

    @property
    def shows_middle(self) -> bool:
        """Whether the conversation is on screen."""
        return not self.one_pane or not (self.shows_sidebar or self.shows_people)

    def close_sides(self) -> bool:
        """Close a list that took the conversation's place; return whether there was one."""
        if self.shows_middle:
            return False
        self.sidebar_wish = self.people_wish = None
        return True

    @property
    def sidebar_width(self) -> int:
        """Columns of the sidebar."""
        if self.one_pane:
            return self.width
        if self.sidebar_width_wish:
            return max(NARROWEST, min(self.sidebar_width_wish, self.width // 2))
        suits = 23 if self.width < 100 else 28 if self.width < 150 else 34
        return suits + min(14, self._spare // 2)

    @property
    def people_width(self) -> int:
        """Columns of the list of people."""
        if self.one_pane:
            return self.width
        suits = 22 if self.width < 150 else 30
        return suits + min(14, self._spare - self._spare // 2)

    @property
    def _spare(self) -> int:
        """Columns that would stay empty beside the text of messages."""
        return max(0, self.width - 34 - 30 - WIDEST_MIDDLE) if self.width >= 150 else 0

    def widen_sidebar(self, columns: int) -> int:
        """Make the sidebar wider or narrower; return its columns."""
        return self.give_sidebar(self.sidebar_width + columns)

    def give_sidebar(self, columns: int) -> int:
        """Set the sidebar's columns, as far as they fit; return its columns."""
        self.sidebar_width_wish = max(1, columns)
        self.sidebar_width_wish = self.sidebar_width
        return self.sidebar_width_wish

    def resize(self, width: int) -> bool:
        """Follow a new size of the terminal; return whether it changed. Wishes made for another class of
        sizes end.
        """
        if _size_class(width) != _size_class(self.width):
            self.sidebar_wish = self.people_wish = None
        changed = width != self.width
        self.width = width
        return changed


def _size_class(width: int) -> int:
    return sum(width >= least for least in (ONE_PANE_BELOW, SIDEBAR_FROM, PEOPLE_FROM))
