"""A field of one line whose place does not depend on what is typed. No keys of its own."""

from typing import ClassVar

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input


class LineInput(Input):
    """Textual's lays out the whole screen at each letter; this one has the width that its rules say."""

    virtual_size: ClassVar[Reactive[Size]] = Reactive(Size(0, 0), layout=False)  # type: ignore[misc]  # Textual declares it as one of an instance
