"""A field of one line whose size does not depend on its text. No keys of its own."""

from typing import ClassVar

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input


class LineInput(Input):
    """An input without a layout at each letter, which Textual's does; its width is set by its rules."""

    virtual_size: ClassVar[Reactive[Size]] = Reactive(Size(0, 0), layout=False)  # type: ignore[misc]  # Textual declares it as one of an instance
