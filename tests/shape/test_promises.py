"""The page of promises is true: each names a test, and each test that is named is there."""

import ast
import re
from pathlib import Path

from tests.shape.sources import ROOT

PAGE = ROOT / "docs" / "promises.md"
NAMED = re.compile(r"`((?:tests/[\w/]+/)?test_\w+\.py)?(?:::)?(test_\w+)?`")


def _tests(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _missing(text: str) -> list[str]:
    """Names of files and of functions that are not there; a bare name is of the file or folder before it."""
    missing = []
    file = ROOT
    for match in NAMED.finditer(text):
        name, function = match.groups()
        if name is not None:
            file = ROOT / name if "/" in name else file.parent / name
            if not file.is_file():
                missing.append(name)
                continue
        if function is not None and (not file.is_file() or function not in _tests(file)):
            missing.append(function)
    return missing


def test_every_test_that_is_named_is_there() -> None:
    """Whoever looks a promise up finds what holds it."""
    assert _missing(PAGE.read_text("utf-8")) == []


def test_every_promise_names_a_test() -> None:
    """A promise without a test is not made."""
    promises = re.split(r"\n- |\n\n", PAGE.read_text("utf-8").split("\n## ", 1)[1])
    lacking = [one for one in promises if not one.startswith(("## ", "|")) and "`" not in one]
    assert [one for one in lacking if "\n" in one] == []


def test_what_is_not_there_is_seen() -> None:
    """The check of the page would find a name that was changed."""
    assert _missing("`tests/shape/test_promises.py::test_nothing` `test_no.py`") == [
        "test_nothing",
        "test_no.py",
    ]
