"""Whatever runs in the background is started where its failure is reported."""

import ast
from typing import Final

from tests.shape.sources import called, calls, modules, nodes

DOOR: Final = "tui/bugs.py"
STARTERS: Final = frozenset(
    [
        "create_task",
        "ensure_future",
        "run_coroutine_threadsafe",
        "run_in_executor",
        "Thread",
        "TaskGroup",
    ]
)
"""What starts work whose failure nobody need hear of. Textual's ways end in `App._handle_exception`."""
OWN_GUARD: Final = {
    "tui/driver.py": "its thread is the end of the program",
    "tui/terminal.py": "its thread reads answers before there is an app; what fails leaves a default",
}


def test_tasks_are_started_at_one_door() -> None:
    """A task that fails is a notice and an entry in the log: `bugs.start` and `bugs.awaited` see to it."""
    elsewhere = {
        f"{name}:{call.lineno}"
        for name, tree in modules("tui")
        for call in calls(tree)
        if called(call) in STARTERS and name != DOOR and name not in OWN_GUARD
    }
    assert elsewhere == set()


def test_no_worker_fails_in_silence() -> None:
    """Textual reports a worker's failure unless it is told not to."""
    silent = {
        f"{name}:{node.lineno}"
        for name, tree in modules("tui")
        for node in nodes(tree)
        if isinstance(node, ast.keyword)
        and node.arg in ("exit_on_error", "return_exceptions")
        and isinstance(node.value, ast.Constant)
        and node.value.value is (node.arg == "return_exceptions")
    }
    assert silent == set()


def test_workers_are_given_functions() -> None:
    """A coroutine that is made for a worker, and canceled before it begins, is never awaited."""
    elsewhere = {
        f"{name}:{call.lineno}"
        for name, tree in modules("tui")
        for call in calls(tree)
        if called(call) == "run_worker" and name != "tui/screens/workers.py"
    }
    assert elsewhere == set()
