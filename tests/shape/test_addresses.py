"""Parsing an address can raise: who parses one catches that, or asks `tui.content.web`, which never raises."""

import ast
from collections.abc import Iterator

from tests.shape.sources import called, calls, modules

PARSERS = {"urlsplit", "urlparse", "urljoin"}


def _unguarded(tree: ast.AST, *, is_guarded: bool = False) -> Iterator[ast.Call]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Try):
            catches = any("ValueError" in ast.dump(handler) for handler in node.handlers)
            for each in node.body:
                yield from _unguarded(ast.Module([each], []), is_guarded=is_guarded or catches)
            rest = [*node.handlers, *node.orelse, *node.finalbody]
            yield from _unguarded(ast.Module(rest, []), is_guarded=is_guarded)  # type: ignore[arg-type]  # handlers are walked as well
            continue
        if isinstance(node, ast.Call) and called(node) in PARSERS and not is_guarded:
            is_literal = bool(node.args) and isinstance(node.args[0], ast.Constant)
            if not is_literal:
                yield node
        yield from _unguarded(node, is_guarded=is_guarded)


def test_no_address_of_a_stranger_raises_in_the_client() -> None:
    """A link that is none is a sentence, and never the end of the program."""
    unguarded = [
        f"{name}:{call.lineno}"
        for name, tree in modules("tui")
        if PARSERS & set(map(called, calls(tree)))
        for call in _unguarded(tree)
    ]
    assert unguarded == []
