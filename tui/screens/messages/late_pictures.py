"""Pictures whose gallery is imported with the first one: a start without pictures waits for none of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from tui.content.nodes import Media
from tui.widgets.pictures import PictureSource, PictureState


class LatePictures:
    """A `PictureSource` that makes the real one when a row has a picture."""

    def __init__(self, make: Callable[[], PictureSource]) -> None:
        self._make = make
        self._made: PictureSource | None = None

    @property
    def source(self) -> PictureSource:
        """The real source."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def of(self, key: Hashable) -> RowPictures:
        """Return the pictures of the row with that key."""
        return RowPictures(self, key)

    def opened(self) -> None:
        """Tell the real source, where there is one."""
        if self._made is not None:
            self._made.opened()

    def close(self) -> None:
        """Tell the real source, where there is one."""
        if self._made is not None:
            self._made.close()


class RowPictures(NamedTuple):
    """The pictures of one row."""

    pictures: LatePictures
    key: Hashable

    def show(self, media: Media, link: int, width: int) -> PictureState | None:
        """As `Pictures.show`, for this row."""
        return self.pictures.source.of(self.key).show(media, link, width)
