"""The interface between a message and the pictures in it. A protocol and its result; loads nothing."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol

from tui.content.nodes import Media
from tui.widgets.content_lines import Line


class PictureState(NamedTuple):
    """The state of a picture; `columns` and `rows` are fixed while it loads."""

    columns: int
    rows: int
    lines: Sequence[Line] = ()
    """At most `rows`; empty while it loads, or after a failure."""
    note: str = ""
    """Why there are no lines."""


class PictureSource(Protocol):
    """The source of pictures for a list of messages."""

    def of(self, key: Hashable) -> "Pictures":
        """Return the pictures of the row with that key, which is drawn again when one arrives."""

    def opened(self) -> None:
        """Note that the list shows another conversation."""

    def close(self) -> None:
        """Note that the list is gone."""


class Pictures(Protocol):
    """Shows the pictures of one message, and has them loaded."""

    def show(self, media: Media, link: int, width: int) -> PictureState | None:
        """Return a picture within `width` cells; None: in words only.

        Its cells have `link`, its index among the message's links, as `picture` in their meta.
        """
