"""What something costs, counted in calls and not in seconds: machines differ, counts do not."""

import gc
import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, in Python or C, to do it."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    previous, collects = sys.getprofile(), gc.isenabled()
    gc.disable()  # a collection may begin anywhere, and others listen to it with functions of theirs
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(previous)
        if collects:
            gc.enable()
    return count
