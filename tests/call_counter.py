"""Measures cost in function calls instead of seconds, because calls do not depend on the machine."""

import cProfile
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw


def calls(work: Callable[[], object]) -> int:
    """Return how many functions, in Python or C, the work calls."""
    profile, collects = cProfile.Profile(), gc.isenabled()  # in C: half the time of sys.setprofile
    gc.disable()  # a collection may start anywhere, and other code's callbacks would count
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        if collects:
            gc.enable()
    return sum(entry.callcount for entry in profile.getstats())


@contextmanager
def statements(*connections: apsw.Connection) -> Iterator[list[str]]:
    """Record the SQL that these connections run in the block, without statements internal to the index."""
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


def virtual_steps(connection: apsw.Connection, work: Callable[[], object]) -> int:
    """Return how many steps of its virtual machine SQLite takes for the statements of the work."""
    count = 0

    def finished(event: dict[str, Any]) -> None:
        nonlocal count
        count += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, finished)
    try:
        work()
    finally:
        connection.trace_v2(0)
    return count
