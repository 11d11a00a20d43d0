"""How far long work is, for a person who waits: a bar on a terminal, silence elsewhere. Decides nothing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from server_lite.store.copies import Tell

WIDTH: Final = 32


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """A function to be told of each step; the bar is wiped away when the work ends, however it ends."""
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    shown = ""

    def tell(done: int, of: int) -> None:
        nonlocal shown
        share = done / of if of else 1.0
        full = int(share * WIDTH)
        line = f"\r{what} [{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}"
        if line != shown:
            shown = line
            sys.stderr.write(line)
            sys.stderr.flush()

    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
