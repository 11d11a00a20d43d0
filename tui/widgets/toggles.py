"""Check boxes and radio buttons as `[x]` and `(•)`: their state is in their text, not only in colors.

Textual's RadioSet has colors of its own for its buttons, dark on dark: the rules here are important ones.
"""

from typing import ClassVar

from textual import widgets
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets._toggle_button import ToggleButton


class Marked(ToggleButton):
    """A button that shows its state in every terminal, in copied text, and to screen readers."""

    DEFAULT_CSS = """
    Marked { border: none; padding: 0; background: transparent; height: 1; }
    Marked:focus { border: none; }
    Marked > .toggle--button { color: $foreground !important; background: transparent !important; }
    Marked.-on > .toggle--button { color: $text-success !important; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_button", "Toggle"),
        Binding("enter", "toggle_button", "Toggle", show=False),
    ]

    MARKS: ClassVar[tuple[str, str]]
    """Texts for off and on."""

    @property
    def _button(self) -> Content:
        return Content.styled(self.MARKS[self.value], self.get_visual_style("toggle--button"))


class Checkbox(Marked, widgets.Checkbox):
    """A check box with its state in its text."""

    MARKS = ("[ ]", "[x]")


class RadioButton(Marked, widgets.RadioButton):
    """A radio button with its state in its text."""

    MARKS = ("( )", "(•)")
