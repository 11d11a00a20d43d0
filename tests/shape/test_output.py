"""One way out for what commands print: what others wrote reaches no terminal by another."""

import ast
from pathlib import Path

from tests.shape.sources import ROOT

DOORS = {"tui/cli/output.py", "server_lite/cli/output.py"}
OTHERS = {
    "tui/commands/picture_decoder.py": "pixels for the client, which checks them",
    "tui/ssh/commands.py": "a file as it is, for a redirection",
    "server_lite/markup/data/make_emoji.py": "a developer's program, run by hand into a file",
    "server_lite/markup/data/make_top_level_domains.py": "the same",
}
STREAMS = {"stdout", "stderr"}


def _writes(path: Path) -> list[int]:
    """Lines on which something is written to a standard stream, or printed."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and _is_output(node.func)
    ]


def _is_output(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id == "print"
    return (
        isinstance(function, ast.Attribute)
        and function.attr in ("write", "writelines")
        and any(
            isinstance(node, ast.Attribute) and node.attr in STREAMS
            for node in ast.walk(function.value)
        )
    )


def test_commands_print_through_one_module() -> None:
    """An error that quotes a stranger's server, or a stranger's backup, is as inert as a list of messages."""
    printing = {
        f"{name}:{line}"
        for package in ("tui", "server_lite")
        for path in sorted((ROOT / package).rglob("*.py"))
        if (name := str(path.relative_to(ROOT))) not in DOORS | OTHERS.keys()
        for line in _writes(path)
    }
    assert printing == set()
