"""The shape of the code, which readers rely on: small modules that say what they are for."""

import ast
import inspect
import re

import pytest

import server_lite.errors
import tui.errors
from tests.shape.sources import called, calls, files, modules, nodes

PRODUCT = files("tui", "server_lite")
LONGEST = 500
LONGEST_FIRST_LINE = 110
LONG_FOR_A_REASON: dict[str, str] = {}
"""Modules over the limit -> why they are better whole."""


def test_a_module_says_what_it_is_for() -> None:
    """Every module begins with a line that says what it is for, short enough for a list."""
    silent = []
    for name, path in files("tui", "server_lite", "tests"):
        text = path.read_text("utf-8")
        words = text.partition('"""')[2].partition('"""')[0] if text.startswith('"""') else ""
        if not words and (text or not name.endswith("__init__.py")):
            silent.append(f"{name}: no docstring")
        elif words and len(words.splitlines()[0]) > LONGEST_FIRST_LINE:
            silent.append(f"{name}: its first line is too long for a list")
    assert silent == []


def test_no_module_is_too_long_to_hold_in_the_head() -> None:
    """A module over the limit is split, or listed with its reason."""
    long = {
        name: lines
        for name, path in PRODUCT
        if (lines := len(path.read_text("utf-8").splitlines())) > LONGEST
    }
    assert long.keys() == LONG_FOR_A_REASON.keys(), long


def test_modules_are_nouns_of_the_product() -> None:
    """Nothing is kept in a drawer called utils."""
    drawers = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [name for name, path in PRODUCT if path.stem in drawers] == []


def test_only_actions_tell_anybody_anything() -> None:
    """An event comes from an action, where the change is, and from nowhere else."""
    tellers = {
        name
        for name, tree in modules("server_lite")
        for call in calls(tree)
        if called(call) == "emit"
    }
    assert [name for name in tellers if not name.startswith("server_lite/actions/")] == []


def test_sql_stands_in_the_store() -> None:
    """A statement is written where rows are read and written, and where what people may see is decided."""
    statement = re.compile(
        r"\b(SELECT\s|INSERT (OR \w+ )?INTO|DELETE FROM|UPDATE \w+ SET|PRAGMA|BEGIN$|COMMIT$|JOIN \w|WHERE )"
    )
    home = ("server_lite/store/", "server_lite/narrow/", "server_lite/access/")
    elsewhere = {
        f"{name}:{node.lineno}"
        for name, tree in modules("server_lite")
        if not name.startswith(home)
        for node in nodes(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and statement.search(node.value)
    }
    assert sorted(elsewhere) == []


def test_each_ignore_has_its_reason() -> None:
    """Whoever reads a line that a checker is told to pass over reads there why."""
    ignored = re.compile(r"# (?:type: ignore|noqa)\b(?!(?:\[[a-z, -]+\]|: [A-Z\d, ]+?)  # \w)")
    bare = [
        f"{name}:{number}"
        for name, path in files("tui", "server_lite", "tests", "benchmarks")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if ignored.search(line)
    ]
    assert bare == []


@pytest.mark.parametrize("module", [server_lite.errors, tui.errors])
def test_the_tree_of_errors_is_the_one_that_is_drawn(module: object) -> None:
    """The drawing at the top of errors.py names every error there is, below the one that it is a kind of."""
    drawing = inspect.getdoc(module) or ""
    drawn = re.findall(r"^([│ ]*(?:[├└]── )?)([A-Z]\w+)", drawing, re.M)
    errors = {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert errors.keys() <= {name for _, name in drawn}
    parents: list[tuple[int, type[Exception]]] = []
    for branch, name in drawn:
        if name in errors:
            parents = [(depth, parent) for depth, parent in parents if depth < len(branch)]
            assert all(issubclass(errors[name], parent) for _, parent in parents), name
            parents.append((len(branch), errors[name]))


VAGUE = {"found"}
"""Names that say that there is a value, and not what it is."""


def bound(node: ast.AST) -> str:
    """The name that a node gives to a value, without leading underscores; "" if none."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return name.lstrip("_")
        case ast.arg(arg=name) | ast.MatchAs(name=str(name)):
            return name.lstrip("_")
    return ""


@pytest.mark.parametrize("package", ["tui", "server_lite"])
def test_a_value_is_named_for_what_it_is(package: str) -> None:
    """`row`, `match`, `message_ids`: a reader need not look up the line that assigned it."""
    vague = [
        f"{path}:{getattr(node, 'lineno', 0)}: {name}"
        for path, tree in modules(package)
        for node in nodes(tree)
        if (name := bound(node)) in VAGUE
    ]
    assert vague == []
