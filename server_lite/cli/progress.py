"""How far long work is, for a person who waits: a bar on a terminal, silence elsewhere. Decides nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from server_lite.cli import output
from server_lite.store.backups import Tell

WIDTH: Final = 32


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """A function to be told of each step; the bar is wiped away when the work ends, however it ends."""
    if not output.is_watched():
        yield lambda _done, _of: None
        return
    shown = ""

    def tell(done: int, of: int) -> None:
        nonlocal shown
        share = done / of if of else 1.0
        full = int(share * WIDTH)
        line = f"{what} [{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}"
        if line != shown:
            shown = line
            output.draw(line)

    try:
        yield tell
    finally:
        output.draw("")
