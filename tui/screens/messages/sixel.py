"""A picture as Sixel, encoded by textual-image. Never queries the terminal: cell sizes are given.

textual-image queries the terminal when it is imported, which would take keys from a running program; so it is
given no terminal. Slow: to be called in a thread.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from tui.errors import NotAPicture


def encode(png: bytes, place: tuple[int, int], cell: tuple[int, int]) -> str:
    """Return the sequence that draws a PNG over (columns, rows) cells of (width, height) pixels."""
    image = _renderable(cell)
    return _rendered(image(io.BytesIO(png), width=place[0], height=place[1]), place)


def _rendered(image: Any, place: tuple[int, int]) -> str:
    from rich.console import Console

    console = Console(file=io.StringIO(), width=place[0], height=place[1], force_terminal=True)
    for segment in console.render(image):
        if segment.text.startswith("\x1bP"):
            return segment.text
    raise NotAPicture("it cannot be converted to Sixel")


@cache
def _renderable(cell: tuple[int, int]) -> Any:
    with _without_terminal(cell):
        from PIL import Image as Picture
        from textual_image.renderable.sixel import Image

        _rendered(Image(Picture.new("RGB", cell), width=1, height=1), (1, 1))  # it asks for sizes
    return Image


@contextmanager
def _without_terminal(cell: tuple[int, int]) -> Iterator[None]:
    """Give textual-image the cell sizes by the environment, with a standard output that is no terminal."""
    before = sys.__stdout__
    sys.__stdout__ = io.StringIO()  # type: ignore[misc,assignment]  # declared final; nothing else reads it
    os.environ["TEXTUAL_CELL_WIDTH"], os.environ["TEXTUAL_CELL_HEIGHT"] = map(str, cell)
    try:
        yield
    finally:
        sys.__stdout__ = before  # type: ignore[misc]  # put back as it was
        del os.environ["TEXTUAL_CELL_WIDTH"], os.environ["TEXTUAL_CELL_HEIGHT"]
