"""Returns memory that was freed to the system, where the C library keeps it for later. Linux with glibc only."""

from __future__ import annotations

import contextlib
import sys


def release() -> None:
    """Release the pages that nothing uses: those between other blocks are not released by themselves."""
    if sys.platform == "linux":
        import ctypes  # no start waits for it

        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
