"""Sentences name keys that every terminal sends."""

import ast
import re

from tests.shape.sources import modules, nodes


def test_no_sentence_names_alt_with_a_letter() -> None:
    """Most terminals send it as two keys (docs/decisions/0015): the leader and the letter always work."""
    wrong = []
    for package in ("tui", "server_lite"):
        for name, tree in modules(package):
            docs = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
            wrong += [
                f"{name}:{node.lineno}"
                for node in nodes(tree)
                if isinstance(node, ast.Constant)
                and id(node) not in docs
                and re.search(r"\bAlt\+\w", str(node.value))
            ]
    assert wrong == []
