"""The filter field of the sidebar. Filters nothing itself."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class SideFilter(Input):
    """Hidden until it is opened, and again when it is left empty."""

    DEFAULT_CSS = """
    SideFilter { display: none; border: none; height: 1; padding: 0 1; background: $surface; }
    SideFilter:focus { border: none; background: $foreground 13%; }
    SideFilter:focus:ansi { background: $background; text-style: underline; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave(False)", "Show all", id="filter.clear"),
        Binding("enter,down", "leave(True)", "Conversations", id="filter.leave"),
    ]

    class Left(Message):
        """Posted when the user leaves the field; `keeps` the filter, or clears it."""

        def __init__(self, *, keeps: bool) -> None:
            super().__init__()
            self.keeps = keeps

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(placeholder="filter…", id=id, compact=True, select_on_focus=False)

    def action_leave(self, keeps: bool) -> None:
        """Leave the field."""
        self.post_message(self.Left(keeps=keeps and bool(self.value.strip())))
