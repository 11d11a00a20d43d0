"""Which panes are shown, and how wide, at a size of the terminal. Pure decisions, then CSS classes."""

from tui.dataclass import dataclass

SIDEBAR_FROM = 70
"""Columns from which the conversations are shown unless hidden."""
NARROWEST = 14
"""Columns of the conversations at least."""
WIDEST_MIDDLE = 124
"""Columns of the messages: a text of 120, what stands at its left, and the scrollbar."""
PEOPLE_FROM = 120
"""Columns from which the people are shown unless hidden."""


@dataclass(slots=True)
class PaneSizes:
    """What the person wished for; None is what suits the size."""

    sidebar_wish: bool | None = None
    people_wish: bool | None = None
    sidebar_width_wish: int = 0
    """Columns that the person gave to the conversations; 0: what suits the size."""
    width: int = 80
    linear: bool = False
    """One pane at a time: a list at the side takes the place of the conversation while it is open."""

    @property
    def shows_sidebar(self) -> bool:
        """Whether the conversations are on screen."""
        if self.linear:
            return bool(self.sidebar_wish)
        return self.width >= SIDEBAR_FROM if self.sidebar_wish is None else self.sidebar_wish

    @property
    def shows_people(self) -> bool:
        """Whether the people are on screen."""
        if self.linear:
            return bool(self.people_wish) and not self.sidebar_wish
        return self.width >= PEOPLE_FROM if self.people_wish is None else self.people_wish

    @property
    def shows_middle(self) -> bool:
        """Whether the conversation is on screen."""
        return not self.linear or not (self.shows_sidebar or self.shows_people)

    def close_sides(self) -> bool:
        """Back to the conversation, where it has made room; whether that was so."""
        if self.shows_middle:
            return False
        self.sidebar_wish = self.people_wish = None
        return True

    @property
    def sidebar_width(self) -> int:
        """Columns of the conversations."""
        if self.linear:
            return self.width
        if self.sidebar_width_wish:
            return max(NARROWEST, min(self.sidebar_width_wish, self.width // 2))
        suits = 23 if self.width < 100 else 28 if self.width < 150 else 34
        return suits + min(14, self._spare // 2)

    @property
    def people_width(self) -> int:
        """Columns of the people."""
        if self.linear:
            return self.width
        suits = 22 if self.width < 150 else 30
        return suits + min(14, self._spare - self._spare // 2)

    @property
    def _spare(self) -> int:
        """Columns that would stay empty beside the text of messages."""
        return max(0, self.width - 34 - 30 - WIDEST_MIDDLE) if self.width >= 150 else 0

    def widen_sidebar(self, columns: int) -> int:
        """Give the conversations more columns, or fewer; answers how many they have now."""
        return self.give_sidebar(self.sidebar_width + columns)

    def give_sidebar(self, columns: int) -> int:
        """Give the conversations this many columns, as far as they fit; answers how many they have."""
        self.sidebar_width_wish = max(1, columns)
        self.sidebar_width_wish = self.sidebar_width
        return self.sidebar_width_wish

    def resize(self, width: int) -> bool:
        """Another size of the terminal; a wish made for another class of sizes is forgotten."""
        if _size_class(width) != _size_class(self.width):
            self.sidebar_wish = self.people_wish = None
        changed = width != self.width
        self.width = width
        return changed


def _size_class(width: int) -> tuple[bool, bool]:
    return width >= SIDEBAR_FROM, width >= PEOPLE_FROM
