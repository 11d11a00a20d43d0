"""The list of completions above the composer. Never has the focus."""

from collections.abc import Sequence

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.view.completions import Completion
from tui.widgets.columns import blanks, column
from tui.widgets.row_styles import look_of_theme


class CompletionList(OptionList, can_focus=False):
    """Shows itself while there are completions."""

    DEFAULT_CSS = """
    CompletionList {
        display: none; height: auto; max-height: 6; border: none; padding: 0 0 0 2;
        background: $surface; scrollbar-size-vertical: 0;
        & > .option-list--option-highlighted {
            background: $foreground 13%; color: $foreground; text-style: none;
        }
        &:ansi > .option-list--option-highlighted {
            background: $background; color: $foreground; text-style: reverse;
        }
    }
    """

    class Chosen(Message):
        """Posted when a completion is chosen."""

        def __init__(self, completion: Completion) -> None:
            super().__init__()
            self.completion = completion

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._offered: list[Completion] = []

    @property
    def is_open(self) -> bool:
        """Whether there are completions."""
        return bool(self._offered)

    def offer(self, completions: Sequence[Completion]) -> None:
        """Show completions; an empty sequence closes the list."""
        if list(completions) == self._offered:
            return
        self._offered = list(completions)
        muted = look_of_theme(self.app.theme_variables, "surface").muted
        self.clear_options()
        width = column(each.label for each in completions if each.detail)
        self.add_options(Option(completion_line(each, width, muted)) for each in completions)
        self.highlighted = 0 if completions else None
        self.display = bool(completions)

    def move(self, lines: int) -> None:
        """Move the cursor, round the ends."""
        if self._offered:
            self.highlighted = ((self.highlighted or 0) + lines) % len(self._offered)

    def choose(self) -> None:
        """Choose the completion under the cursor."""
        if self._offered:
            self.post_message(self.Chosen(self._offered[self.highlighted or 0]))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose the clicked completion."""
        event.stop()
        self.post_message(self.Chosen(self._offered[event.option_index]))


def completion_line(completion: Completion, width: int, muted: Style) -> Content:
    """Return a completion's line, with its detail in the column after `width` cells."""
    if not completion.detail:
        return Content(completion.label)
    detail = blanks(completion.label, width) + completion.detail
    return Content.assemble((completion.label, ""), (detail, muted))
