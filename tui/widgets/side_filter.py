"""Where one types to see fewer conversations in the sidebar. Filters nothing itself."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class SideFilter(Input):
    """Hidden until it is asked for, and again when it is left empty."""

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
        """The person goes to the list; `keeps` what was typed, or not."""

        def __init__(self, *, keeps: bool) -> None:
            super().__init__()
            self.keeps = keeps

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(placeholder="filter…", id=id, compact=True, select_on_focus=False)

    def action_leave(self, keeps: bool) -> None:
        """Go to the list."""
        self.post_message(self.Left(keeps=keeps and bool(self.value.strip())))
