"""The project's own source files, parsed. Reads only."""

import ast
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


@cache
def modules(*packages: str) -> tuple[tuple[str, Path, ast.Module], ...]:
    """(path below the root, file, syntax tree) of every module of these packages."""
    found = []
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            found.append((name, path, ast.parse(path.read_text("utf-8"))))
    return tuple(found)


def calls(tree: ast.Module) -> list[ast.Call]:
    """Every call in a module."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def called(call: ast.Call) -> str:
    """The last name of what is called: `notify` of `self.app.notify(…)`."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
