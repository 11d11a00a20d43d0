"""Progress of long work: a bar on a terminal, nothing elsewhere. Decides nothing."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from server_lite.cli import output
from server_lite.store.backups import Tell

WIDTH: Final = 32
SURE_AFTER: Final = 3.0
"""Seconds after which the remaining time can be estimated."""


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """Yield a callback for each step; the bar is cleared when the work ends, however it ends."""
    if not output.is_watched():
        yield lambda _done, _of: None
        return
    last_line = ""
    begun = time.monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal last_line
        share = done / of if of else 1.0
        full = int(share * WIDTH)
        line = f"{what} [{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}"
        line += time_left(time.monotonic() - begun, share)
        if line != last_line:
            last_line = line
            output.draw(line)

    try:
        yield tell
    finally:
        output.draw("")


def time_left(elapsed: float, share: float) -> str:
    """Return the estimated remaining time in whole minutes; padded, so that it covers earlier text."""
    if elapsed < SURE_AFTER or share <= 0:
        return ""
    seconds = elapsed * (1 - share) / share
    text = (
        f"{seconds / 60:.0f} min left" if seconds > 90 else f"{-(-seconds // 10) * 10:.0f} s left"
    )
    return f" {text:>12}"
