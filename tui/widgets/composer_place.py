"""The place of the composer: looks like an empty one until that is made. Knows nothing of messages.

The composer is a text area, whose import and first looks take longer than all messages of the first frame. It is made
when the frame is there, or when something asks for it before: a key, or a draft that is to be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.textual_import import import_widgets

if TYPE_CHECKING:
    # Imported when it is made.
    from tui.widgets.composer import Composer


class ComposerPlace(Static):
    """Makes the composer in its own place. What is asked of it until then is true of an empty one."""

    DEFAULT_CSS = """
    ComposerPlace {
        height: 1; max-width: 106; padding: 0 1 0 2; border-left: outer $surface;
        background: $surface; color: $text-muted; text-wrap: nowrap; text-overflow: clip;
    }
    """

    def __init__(self, prepare: Callable[[Composer], None]) -> None:
        """`prepare` gets the composer before it is mounted."""
        super().__init__(id="composer_place")
        self._prepare = prepare
        self._hint = ""

    @cached_property
    def composer(self) -> Composer:
        """The composer, which is made when this is asked for the first time."""
        import_widgets("_text_area")
        from tui.widgets.composer import Composer

        composer = Composer(id="composer")
        composer.set_hint(self._hint)
        self._prepare(composer)
        assert isinstance(self.parent, Widget)
        self.parent.mount(composer, after=self)
        self.display = False
        return composer

    def on_mouse_down(self) -> None:
        """Focus the composer, as a click into it does."""
        self.composer.focus()

    @property
    def is_empty(self) -> bool:
        """Whether there is no composer yet."""
        return "composer" not in self.__dict__

    @property
    def shown(self) -> Widget:
        """The widget in this place."""
        return self if self.is_empty else self.composer

    @property
    def text(self) -> str:
        """The composer's text."""
        return "" if self.is_empty else self.composer.text

    @property
    def whole(self) -> str:
        """The composer's whole text, with what was submitted and is not settled."""
        return "" if self.is_empty else self.composer.whole

    @property
    def is_focused(self) -> bool:
        """Whether keys go to the composer."""
        return not self.is_empty and self.composer.has_focus

    def set_hint(self, hint: str) -> None:
        """Set the placeholder: the destination of the message."""
        self._hint = hint
        if self.is_empty:
            self.update(Content(hint))
        else:
            self.composer.set_hint(hint)
