"""The lists of the account screen: conversation, sidebar, people. They draw rows and know no store."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.strip import Strip

from tui import dispatch, keys
from tui.view.people import PersonRow
from tui.view.row_actions import actions_of
from tui.view.rows import ConversationRow
from tui.view.sidebar_rows import SidebarRow
from tui.widgets.content_inline import Reader
from tui.widgets.content_lines import Line
from tui.widgets.finished_parts import FinishedParts
from tui.widgets.list_item import ItemT
from tui.widgets.message_list import MessageList
from tui.widgets.message_rows import draw_row
from tui.widgets.pictures import PictureSource
from tui.widgets.row_styles import OPENED, SELECTED, RowStyles, look_of_theme
from tui.widgets.sidebar_rows import draw_person_row, draw_sidebar_row
from tui.widgets.unread_rows import UnreadRows, UnreadSum


class Looks:
    """The styles of a list in the current theme."""

    def __init__(self, background: str) -> None:
        self._background = background
        self._variables: Mapping[str, str] | None = None
        self._looks: dict[float, RowStyles] = {}

    def follow(self, variables: Mapping[str, str]) -> None:
        """Update the styles if the theme changed; called for every row, so compared by identity."""
        if variables is not self._variables:
            self._variables = variables
            self._looks.clear()

    def of(self, *, selected: bool, opened: bool = False) -> RowStyles:
        """Return the styles of rows of a kind, computed when the first one is drawn."""
        lift = SELECTED if selected else OPENED if opened else 0.0
        if (look := self._looks.get(lift)) is None:
            assert self._variables is not None
            look = self._looks[lift] = look_of_theme(self._variables, self._background, lift)
        return look


class ConversationList(MessageList[ConversationRow]):
    """The messages of the open narrow."""

    DEFAULT_CSS = """
    ConversationList { background: $background; color: $foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.MESSAGE)]

    class Asked(MessageList.ListMessage):
        """Posted when the user runs an action on the selected row; `act` is a word of `tui.keys`."""

        def __init__(self, sender: MessageList[Any], act: str) -> None:
            super().__init__(sender)
            self.act = act

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            self._draw_row, id=id, loading_above="loading older messages…",
            loading_below="loading newer messages…",
        )  # fmt: skip
        self._looks = Looks("background")
        self._reader = Reader()
        self._pictures: PictureSource | None = None
        self._fold = 0
        self._is_hinted = False

    @property
    def reader(self) -> Reader:
        """The reader that messages are drawn for."""
        return self._reader

    def set_reader(self, reader: Reader) -> None:
        """Set the reader that messages are drawn for."""
        if reader != self._reader:
            self._reader = reader
            self.redraw()

    def set_fold(self, lines: int) -> None:
        """Fold longer messages to so many lines; 0: show all lines."""
        if lines != self._fold:
            self._fold = lines
            self.redraw()

    def set_pictures(self, pictures: PictureSource) -> None:
        """Show the pictures of messages, not only their names."""
        if pictures is not self._pictures:
            self._pictures = pictures
            self.redraw()

    def on_unmount(self) -> None:
        """Free the pictures in the terminal's memory."""
        if self._pictures is not None:
            self._pictures.close()

    def open(
        self,
        items: Sequence[ConversationRow],
        *,
        at: Hashable | None = None,
        row: int | None = None,
        more_above: bool = False,
        more_below: bool = False,
    ) -> None:
        """As `MessageList.open`; rows may have other heights than the last time."""
        if self._pictures is not None:
            self._pictures.opened()
        super().open(items, at=at, row=row, more_above=more_above, more_below=more_below)

    def action_newest(self) -> None:
        """Go to the newest message with the cursor, so that the next key moves on from there."""
        super().action_newest()
        newest = next((row for row in reversed(self.items) if row.selectable), None)
        if self.at_tail and self.selected is not None and newest is not None:
            self.select(newest.key)
            self.scroll_to_newest()

    def offers(self, action: str) -> bool:
        """Whether the hints show an action: one that applies to the row under the cursor."""
        act = action.removeprefix("act('").removesuffix("')")
        return act == action or (bool(self.items) and act in actions_of(self.selected))

    def _changed(self) -> None:
        super()._changed()
        if self._is_hinted != bool(self.items):
            self._is_hinted = bool(self.items)
            self.refresh_bindings()  # the results of `offers` may differ now

    def action_act(self, act: str) -> None:
        """Post an action; without a selected row, put the cursor on the newest on screen."""
        if self.selected is None:
            self.action_step(-1)
        self.post_message(self.Asked(self, act))

    def _draw_row(self, row: ConversationRow, width: int, selected: bool) -> list[Strip]:
        self._looks.follow(self.app.theme_variables)
        look = self._looks.of(selected=selected)
        pictures = self._pictures.of(row.key) if self._pictures is not None else None
        return draw_row(
            row,
            width,
            look,
            self._reader,
            selected=selected,
            pictures=pictures,
            fold=self._fold,
        )

    def is_folded(self, key: Hashable) -> bool:
        """Whether the row with that key has a line that folds or unfolds it."""
        row = next((each for each in self.items if each.key == key), None)
        strips = [] if row is None else self._lines(row)
        return any(s.style is not None and "fold" in s.style.meta for line in strips for s in line)


class SideList(MessageList[ItemT]):
    """A list beside the conversation: its rows have known heights, and share most of their parts."""

    FOLLOWS_END = False
    KNOWS_HEIGHTS = True
    REPORTS_VIEWED = False

    def __init__(
        self,
        draw_lines: Callable[[ItemT, int, RowStyles], Sequence[Line]],
        background: str,
        *,
        id: str | None,
    ) -> None:
        """`draw_lines` returns a row's lines, `background` is the name of a variable of the theme."""
        super().__init__(self._draw_row, id=id)
        self._draw_lines = draw_lines
        self._looks = Looks(background)
        self._parts = FinishedParts()

    def _draw_row(self, row: ItemT, width: int, selected: bool) -> list[Strip]:
        self._looks.follow(self.app.theme_variables)
        look = self._looks.of(selected=selected, opened=self._is_open(row))
        return self._parts.strips(
            self._draw_lines(row, width, look),
            width,
            look.base,
            self._base_style,
            self.get_line_filters(),
            self._background,
        )

    def _is_open(self, row: ItemT) -> bool:  # noqa: ARG002  # some lists have such rows
        return False

    def _finish(self, strips: list[Strip]) -> list[Strip]:
        """Leave them as they are: their parts were finished."""
        return strips


class Sidebar(SideList[SidebarRow]):
    """The sidebar's scrolling part, or the pinned one."""

    DEFAULT_CSS = """
    Sidebar { background: $panel; color: $foreground; scrollbar-background: $panel;
        scrollbar-background-hover: $panel; scrollbar-background-active: $panel; }
    Sidebar#pinned { background: $surface; scrollbar-background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.SIDEBAR)]

    class Passed(MessageList.ListMessage):
        """Posted when the cursor would go beyond an end: -1 above the first row, +1 below the last."""

        def __init__(self, sender: MessageList[Any], direction: int) -> None:
            super().__init__(sender)
            self.direction = direction

    class Scrolled(MessageList.ListMessage):
        """Posted when other rows are out of sight than before, or other rows are unread."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(draw_sidebar_row, "surface" if id == "pinned" else "panel", id=id)
        self._opened: Hashable | None = None
        self._unread = UnreadRows()
        self._looked_at = (0, 0, 0)
        self._looked_items: Sequence[SidebarRow] = ()
        self._edges: tuple[object, ...] = ()

    def update(
        self,
        items: Sequence[SidebarRow],
        *,
        replaced: Mapping[Hashable, Hashable] | None = None,
        more_above: bool | None = None,
        more_below: bool | None = None,
    ) -> None:
        """As `MessageList.update`; a newly opened row is scrolled to, and stays on screen if it was there."""
        in_sight = self._shows_opened()
        super().update(items, replaced=replaced, more_above=more_above, more_below=more_below)
        self._unread.follow(self._list.items)
        at = self._unread.opened
        if at is not None and self._list.height:
            key = self.items[at].key
            if key != self._opened or (in_sight and not self._shows_opened()):
                self._opened = key
                self.reveal_opened()

    def on_resize(self) -> None:
        """Keep the open conversation on screen."""
        in_sight = self._shows_opened() or not self._list.height or not self.has_focus
        super().on_resize()
        if in_sight:
            self.reveal_opened()

    def _shows_opened(self) -> bool:
        at = self._unread.opened
        placed = None if at is None else self._list.placed(at)
        return placed is not None and placed.row + placed.height <= self._list.height

    def reveal_opened(self) -> None:
        """Scroll to the open conversation, also before a resize event has set the list's size."""
        size = self.scrollable_content_region.size
        if size and (size.width, size.height) != (self._list.width, self._list.height):
            super().on_resize()
        at = self._unread.opened
        if at is not None and self._list.height:
            before = self._list.top, self._list.line
            self._list.reveal(at, at)
            if before != (self._list.top, self._list.line):
                self._changed()

    @property
    def hidden_lines(self) -> int:
        """Lines that do not fit."""
        return max(0, self._list.lines - self._list.height)

    @property
    def has_unread(self) -> bool:
        """Whether any row is unread, in sight or not."""
        return self._unread.sum().messages > 0

    def unread_beyond(self, direction: int) -> UnreadSum:
        """Return what is unread out of sight above (-1) or below (+1)."""
        visible = self._list.visible()
        if not visible:
            return UnreadSum(0, 0)
        if direction < 0:
            return self._unread.sum(end=visible[0].at)
        return self._unread.sum(begin=visible[-1].at + 1)

    def nearest_unread_beyond(self, direction: int) -> SidebarRow | None:
        """Return the unread row out of sight that is nearest above (-1) or below (+1)."""
        visible = self._list.visible()
        if not visible:
            return None
        above, below = self.items[: visible[0].at], self.items[visible[-1].at + 1 :]
        rows = reversed(above) if direction < 0 else below
        return next((row for row in rows if row.is_unread), None)

    def action_step(self, direction: int) -> None:
        """Move the cursor; at an end, on to the list above or below."""
        before = self.selected
        super().action_step(direction)
        if before is not None and self.selected is before:
            dispatch.post_up(self, self.Passed(self, direction))

    def _report(self) -> None:
        super()._report()
        layout = self._list
        place = layout.top, layout.line, layout.height
        if place == self._looked_at and layout.items is self._looked_items:
            return
        self._looked_at, self._looked_items = place, layout.items
        edges = self.hidden_lines, self.unread_beyond(-1), self.unread_beyond(1), self.has_unread
        if edges != self._edges:
            self._edges = edges
            dispatch.post_up(self, self.Scrolled(self))

    def _is_open(self, row: SidebarRow) -> bool:
        return row.is_open


class PeopleList(SideList[PersonRow]):
    """The list of people."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *keys.bindings(tuple(each for each in keys.SIDEBAR if each.id == "sidebar.all"))
    ]
    DEFAULT_CSS = """
    PeopleList { background: $panel; color: $foreground; scrollbar-background: $panel;
        scrollbar-background-hover: $panel; scrollbar-background-active: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(draw_person_row, "panel", id=id)
