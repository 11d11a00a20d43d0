"""What was freed goes back to the system."""

import os
import platform
from pathlib import Path

import pytest

from tui import freed_memory

BLOCK, COUNT = 64 * 1024, 200


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to")
def test_blocks_between_others_are_released() -> None:
    """The C library would keep them for ever: something above them is still in use."""
    large, small = [], []
    for _ in range(COUNT):
        large.append(b"x" * BLOCK)
        small.append(b"x" * 1024)
    before = _resident()
    del large[:-1]
    freed_memory.release()
    assert before - _resident() >= BLOCK * COUNT // 2
    del small


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to")
def test_large_blocks_go_at_once_whatever_was_freed_before() -> None:
    """After a block of some megabytes, the C library would keep all smaller ones in the heap."""
    freed_memory.release()
    del (largest := [b"x" * 8 * 2**20])[:]
    blocks, small = [], []
    for _ in range(COUNT):
        blocks.append(b"x" * 2 * BLOCK)
        small.append(b"x" * 1024)
    before = _resident()
    del blocks[:-1]
    assert before - _resident() >= BLOCK * COUNT
    del small, largest
