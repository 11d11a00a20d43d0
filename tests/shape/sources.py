"""The project's own source files, parsed. Reads only."""

import ast
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def files(*packages: str) -> list[tuple[str, Path]]:
    """Return (path below the root, file) of every module of these packages."""
    return [
        (path.relative_to(ROOT).as_posix(), path)
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


@cache
def modules(package: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return (path below the root, syntax tree) of every module of a package; takes about a second."""
    return tuple((name, ast.parse(path.read_bytes())) for name, path in files(package))


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return every node of a module, in the order of `ast.walk`, which takes longer than parsing."""
    return tuple(ast.walk(tree))


@cache
def calls(tree: ast.Module) -> tuple[ast.Call, ...]:
    """Return every call in a module."""
    return tuple(node for node in nodes(tree) if isinstance(node, ast.Call))


def called(call: ast.Call) -> str:
    """Return the last name of the called function: `notify` of `self.app.notify(…)`."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
