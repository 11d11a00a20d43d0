"""One way out for what commands print: what others wrote reaches no terminal by another."""

import ast

from tests.shape.sources import calls, modules

DOORS = {"tui/cli/output.py", "server_lite/cli/output.py"}
OTHERS = {
    "tui/commands/picture_decoder.py": "pixels for the client, which checks them",
    "tui/ssh/commands.py": "a file as it is, for a redirection",
    "server_lite/markup/data/make_emoji.py": "a developer's program, run by hand into a file",
    "server_lite/markup/data/make_top_level_domains.py": "the same",
}
STREAMS = {"stdout", "stderr"}


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
        f"{name}:{call.lineno}"
        for package in ("tui", "server_lite")
        for name, tree in modules(package)
        if name not in DOORS | OTHERS.keys()
        for call in calls(tree)
        if _is_output(call.func)
    }
    assert printing == set()
