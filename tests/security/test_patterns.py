"""No regular expression of ours costs more than its text is long: counted in steps, found by a scan of the code."""

import ast
import importlib
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from server_lite.markup import emoji
from tests.security.backtracking import Counter, TooManySteps, attacks, is_bounded

ROOT: Final = Path(__file__).parents[2]
SCANNING: Final = frozenset({"search", "sub", "subn", "split", "findall", "finditer", "scanner"})
MADE: Final = {
    "server_lite/maintenance/backup.py:name": "the escaped name of a file that the person at the shell gave",
    "server_lite/maintenance/leftovers.py:name": "the same",
    "server_lite/store/upgrades.py:name": "the same",
    "server_lite/narrow/search.py:re.escape(one.text)": "escaped text alone",
    "server_lite/markup/emoji.py:": "made of the table of emoji; tried below",
    "tui/screens/dialogs/choices.py:'\\n' + ''.join(letters)": "typed letters, each escaped and looked for possessively: no line is read twice",
    "tui/content/pasted.py:kind.pattern": "tried on the beginning of a text alone, of a fixed length",
    "tui/narrow/search_syntax.py:_TERM": "the person's own words, tried at the beginning of each word alone",
    "tui/narrow/search_syntax.py:_NOT": "the same",
    "tui/narrow/search_syntax.py:_LIKE_A_TERM": "the same",
}
"""Expressions that are not tried like the others, and why."""
EMOJI: Final = "server_lite/markup/emoji.py"
SHORT, LONG = 24, 96
GROWTH: Final = 1.5 * LONG / SHORT
"""Steps may grow by so much from the short text to the long one; quadratic ones grow by 16."""


@dataclass(frozen=True, slots=True)
class Used:
    """A regular expression and how it is used: at one place, or all over a text."""

    where: str
    pattern: re.Pattern[str]
    scans: bool


@dataclass(frozen=True, slots=True)
class Module:
    """A module that uses regular expressions, and all nodes of its syntax."""

    name: str
    nodes: list[ast.AST]

    def calls(self) -> Iterator[ast.Call]:
        """Calls of the functions of `re`."""
        for node in self.nodes:
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr != "escape"
            ):
                yield node


def _modules() -> Iterator[str]:
    """Yield the modules that may use regular expressions; they are parsed in the tests, not by each worker."""
    for package in ("server_lite", "tui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if re.search(r"\bre\.(?!escape\b)", path.read_text()):
                yield str(path.relative_to(ROOT))


def _patterns(name: str) -> Iterator[Used]:
    """Yield the expressions of a module."""
    syntax = Module(name, list(ast.walk(ast.parse((ROOT / name).read_text()))))
    calls = list(syntax.calls())
    if not calls:
        return
    module = importlib.import_module(name.removesuffix(".py").replace("/", "."))
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        if _where(syntax, call) in MADE:
            continue
        source = eval(ast.unparse(call.args[0]), vars(module))
        flags = next((word.value for word in call.keywords if word.arg == "flags"), None)
        given = call.args[1] if call.func.attr == "compile" and len(call.args) > 1 else flags
        number = 0 if given is None else eval(ast.unparse(given), vars(module))
        text = source.decode("latin-1") if isinstance(source, bytes) else source
        yield Used(f"{name}:{call.lineno}", re.compile(text, number), _scans(syntax, call))
    if name == EMOJI:
        yield Used(name, emoji._sequence(), scans=True)


def _names(module: Module, call: ast.Call) -> set[str]:
    """The names that the expression is given."""
    return {
        target.id
        for node in module.nodes
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is call
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def _where(module: Module, call: ast.Call) -> str:
    """The module, and the expression's name or itself where it has none."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "compile":
        return f"{module.name}:{''.join(_names(module, call))}"
    return f"{module.name}:{ast.unparse(call.args[0])}"


def _scans(module: Module, call: ast.Call) -> bool:
    """Whether the pattern is looked for all over a text, as far as its module shows."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != "compile":
        return call.func.attr in SCANNING
    names = _names(module, call)
    uses = [
        node
        for node in module.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in names
    ]
    known = {"fullmatch", "match"}
    return not uses or any(
        use.func.attr not in known or len(use.args) > 1  # type: ignore[attr-defined]  # an Attribute, as asked above
        for use in uses
    )


MODULES: Final = tuple(_modules())


def _worst(used: Used, *, thorough: bool) -> tuple[float, str]:
    """The growth of the steps on the text for which it is worst, and that text."""
    counter = Counter(used.pattern, limit=12 * LONG * LONG)
    steps = counter.scan if used.scans else counter.anchored
    worst = (0.0, "")
    short = attacks(used.pattern, SHORT, thorough=thorough)
    for few, many in zip(short, attacks(used.pattern, LONG, thorough=thorough), strict=True):
        try:
            worst = max(worst, (steps(many) / (steps(few) + LONG), many))
        except TooManySteps:
            return math.inf, many
    return worst


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    yield
    sys.setrecursionlimit(before)


def test_the_scan_finds_them() -> None:
    """A scan that finds nothing would prove everything."""
    assert len(MODULES) > 100
    assert sum(1 for name in MODULES[::4] for _ in _patterns(name)) > 40


def test_the_counter_sees_what_is_dear() -> None:
    """Patterns that are known to be dear are caught, and a plain one is not."""
    for dear in (r"<[^>]+>", r"(a+)+b", r"\s+$", r"`.*?`x"):
        assert _worst(Used("", re.compile(dear), scans=True), thorough=False)[0] > GROWTH, dear
    for cheap in (r"<[^<>]{1,64}>", r"[^<]+|<", r"\d{1,4}-\d\d"):
        assert _worst(Used("", re.compile(cheap), scans=True), thorough=False)[0] <= GROWTH, cheap


@pytest.mark.parametrize("name", MODULES)
def test_twice_the_text_costs_twice_the_steps(name: str) -> None:
    """Nobody can hold up a program by what they write."""
    for used in _patterns(name):
        if not is_bounded(used.pattern):
            growth, text = _worst(used, thorough=False)
            assert growth <= GROWTH, f"{used.where}: {growth:.0f} times the steps on {text[:40]!r}…"


@pytest.mark.soak
@pytest.mark.parametrize("name", MODULES)
def test_no_combination_of_its_parts_is_dear(name: str) -> None:
    """The same with all pairs of the pattern's characters."""
    for used in _patterns(name):
        growth, text = _worst(used, thorough=True)
        assert growth <= GROWTH, f"{used.where}: {growth:.0f} times the steps on {text[:40]!r}…"
