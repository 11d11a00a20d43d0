"""Returns memory that was freed to the system, where the C library keeps it for later. Linux with glibc only."""

from __future__ import annotations

import contextlib
import sys
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # Imported in the first long rest.
    import ctypes

MAPPED_BYTES: Final = 64 * 1024
"""From this size on, a block has pages of its own, which go back when it is freed."""
KEPT_BYTES: Final = 128 * 1024
"""Free bytes that are kept at the end of the heap."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""As in malloc.h."""


def release() -> None:
    """Release the pages that nothing uses: those between other blocks are not released by themselves.

    From the first call on, large blocks are kept apart. The C library would have each that is freed raise the size
    from which on it does that, up to 32 MB: an answer of a megabyte then leaves a hole in which small ones settle.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            _c_library().malloc_trim(0)


@cache
def _c_library() -> ctypes.CDLL:
    import ctypes  # no start waits for it

    library = ctypes.CDLL(None)
    library.mallopt(_MMAP_THRESHOLD, MAPPED_BYTES)
    library.mallopt(_TRIM_THRESHOLD, KEPT_BYTES)
    return library
