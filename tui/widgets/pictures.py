"""What a message asks when a picture stands in it. A protocol and its answer; nothing is loaded here."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol

from tui.content.nodes import Media
from tui.widgets.content_lines import Line


class PictureState(NamedTuple):
    """How a picture is shown now; `columns` and `rows` stay the same while it is on its way."""

    columns: int
    rows: int
    lines: Sequence[Line] = ()
    """At most `rows`; none yet, or none at all."""
    note: str = ""
    """Why there are none."""


class PictureSource(Protocol):
    """Where a list of messages has its pictures from."""

    def of(self, key: Hashable) -> "Pictures":
        """Those of the row with that key, which is drawn anew when one arrives."""

    def opened(self) -> None:
        """The list shows another conversation."""

    def close(self) -> None:
        """The list is gone."""


class Pictures(Protocol):
    """Shows the pictures of one message, and sees to it that they are loaded."""

    def show(self, media: Media, link: int, width: int) -> PictureState | None:
        """A picture within `width` cells; None: in words only.

        Its cells have `link`, its place among the message's links, as `picture` in their meta.
        """
