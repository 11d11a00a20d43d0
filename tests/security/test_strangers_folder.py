"""A folder that a stranger filled, and in which somebody starts Chinwag: nothing in it is executed."""

import ast

from tests.shape.sources import ROOT


def _starts(tree: ast.AST) -> list[list[str]]:
    """The words of each start of Python as a module: in a call's arguments, or in a list."""
    starts = []
    for node in ast.walk(tree):
        parts = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
        words = [ast.unparse(part) for part in parts]
        if "sys.executable" in words and "'-m'" in words:
            starts.append(words)
    return starts


def test_python_is_never_started_with_the_current_folder_in_its_path() -> None:
    """`-m` alone looks for the program in the folder where it is started."""
    starts = [
        words
        for package in ("tui", "server_lite")
        for path in (ROOT / package).rglob("*.py")
        if "sys.executable" in (text := path.read_text("utf-8"))
        for words in _starts(ast.parse(text))
    ]
    assert len(starts) >= 3
    assert [words for words in starts if words[words.index("sys.executable") + 1] != "'-P'"] == []
