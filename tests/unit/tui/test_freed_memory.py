"""What was freed goes back to the system."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shape.sources import ROOT
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


_FREED = f"""
import os
from pathlib import Path
from tui import freed_memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

freed_memory.release()
largest = b"x" * 8 * 2**20
del largest
blocks, small = [], []
for _ in range({COUNT}):
    blocks.append(b"x" * (2 * {BLOCK}))
    small.append(b"x" * 1024)
before = resident()
del blocks[:-1]
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to")
def test_large_blocks_go_at_once_whatever_was_freed_before() -> None:
    """After a block of some megabytes, the C library would keep all smaller ones in the heap. In a new process: holes
    that are there are filled first.
    """
    run = subprocess.run([sys.executable, "-c", _FREED], cwd=ROOT, capture_output=True, check=True)
    assert int(run.stdout) >= BLOCK * COUNT
