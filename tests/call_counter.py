"""What something costs, counted in calls and not in seconds: machines differ, counts do not."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import apsw


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


@contextmanager
def statements(*connections: apsw.Connection) -> Iterator[list[str]]:
    """The SQL that these connections run meanwhile; what the search index does within a statement is not listed."""
    sql: list[str] = []

    def traced(event: dict[str, Any]) -> None:
        if "'main'." not in event["sql"]:
            sql.append(event["sql"])

    for connection in connections:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, traced)
    try:
        yield sql
    finally:
        for connection in connections:
            connection.trace_v2(0)
