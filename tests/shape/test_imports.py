"""What a running interpreter imports. What may import what, on the graph, is in pyproject.toml: `make check`."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.shape.sources import ROOT, files, modules


@pytest.mark.parametrize(
    ("imported", "without"),
    [
        ("tui.store, tui.view, tui.content.parse", ("textual", "httpx", "pydantic")),
        ("tui.app", ("httpx", "pydantic", "tomlkit", "shtab", "uri_template", "re2")),
        (
            "tui.cli.main",
            ("textual", "httpx", "pydantic", "shtab", "argparse", "difflib", "platform"),
        ),
        (
            "tui.screens.accounts.accounts",
            (
                *("httpx", "certifi", "anyio", "pydantic", "pydantic_core.core_schema"),
                *("tui.api.http_client", "tui.screens.compose.actions", "tui.screens.palette"),
                *("tui.screens.dialogs.base", "tui.widgets.preview", "tui.widgets.side_filter"),
                *("tui.widgets.overview_list", "tui.widgets.completion_list"),
            ),
        ),
        (
            "server_lite.app",
            (
                *("uvicorn", "textual", "httpx", "jwt", "cryptography"),
                *("re2", "pygments", "argon2", "difflib", "zipfile"),
            ),
        ),
        (
            "server_lite.server",
            (
                *("click", "multiprocessing", "logging.config", "python_multipart"),
                *("pydantic", "pydantic_core.core_schema", "shutil", "tempfile"),
            ),
        ),
    ],
)
def test_what_is_not_needed_is_not_loaded(imported: str, without: tuple[str, ...]) -> None:
    """The first frame does not wait for the network's libraries, nor the store for the terminal's."""
    code = f"import sys, {imported}; print([n for n in {without!r} if n in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "[]", run.stderr[-2000:] or run.stdout


def test_who_asks_for_the_rest_of_uvicorn_gets_it() -> None:
    """The server imports it without its command line, and nobody else notices."""
    code = (
        "import server_lite.server, uvicorn, logging.config, configparser\n"
        "print(uvicorn.Server is server_lite.server.UvicornServer, callable(uvicorn.run),"
        " hasattr(uvicorn, 'nothing'), uvicorn.main.name, logging.config.dictConfig.__name__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "True True False main dictConfig", run.stderr[-2000:]


def test_a_start_leaves_out_the_command_palette() -> None:
    """It brings widgets that are shown late or never; who asks for it afterwards gets Textual's own."""
    code = (
        "import sys; from tui import textual_import; textual_import.import_textual()\n"
        "import tui.app, tui.screens.accounts.accounts, tui.screens.messages.pictures\n"
        "from textual import widgets; late = sorted(n for n in sys.modules if n.startswith('textual.widgets._'))\n"
        "from textual.command import CommandPalette; from textual.screen import Screen\n"
        "print(late, issubclass(CommandPalette, Screen))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    shown = [f"textual.widgets._{name}" for name in ("static", "toast", "tooltip")]
    assert run.stdout.strip() == f"{shown} True", run.stderr[-2000:] or run.stdout


def test_a_start_compiles_no_large_pattern() -> None:
    """A class of whole scripts takes 7 ms: such a pattern is made when a text needs it."""
    code = (
        "import re._compiler as compiler, sys; made = []; optimize = compiler._optimize_charset\n"
        "def note(charset, *args, **named):\n"
        "    made.extend(part[1] for part in charset if str(part[0]) == 'RANGE')\n"
        "    return optimize(charset, *args, **named)\n"
        "compiler._optimize_charset = note; import tui.app, tui.screens.accounts.accounts\n"
        "print(sum(last - first > 0x4000 for first, last in made))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "0", run.stderr[-2000:] or run.stdout


def test_a_start_makes_no_decoders() -> None:
    """The table of routes names 130 types: what validates one is made when it is asked."""
    code = (
        "import server_lite.validation as validation; made = []\n"
        "validation.SchemaValidator = lambda schema: made.append(schema) or schema\n"
        "import server_lite.routes; none = made.copy(); validation.validator(int); print(none, made)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "[] [{'type': 'int'}]", run.stderr[-2000:] or run.stdout


@pytest.mark.parametrize("package", ["tui", "server_lite"])
def test_no_class_is_compiled_at_import(package: str) -> None:
    """A start makes hundreds of these classes; the standard decorator takes ten times as long for each."""
    modules = (ROOT / package).rglob("*.py")
    standard = re.compile(r"from dataclasses import .*\bdataclass\b|@dataclasses\.dataclass")
    paths = [str(p) for p in modules if standard.search(p.read_text("utf-8"))]
    here = str(ROOT / package / "dataclass.py")
    assert paths == [here], f"use {package}.dataclass: docs/decisions/0034"


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a module, also below `if TYPE_CHECKING` and `try`; not those of functions."""
    for statement in body:
        if isinstance(statement, ast.If | ast.Try):
            yield from _statements([*statement.body, *statement.orelse])
        else:
            yield statement


def _imports(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Module -> the modules among these that it imports."""
    imported: dict[str, set[str]] = {}
    for module, tree in trees.items():
        names: set[str] = set()
        for each in _statements(tree.body):
            if isinstance(each, ast.Import):
                names |= {alias.name for alias in each.names}
            elif isinstance(each, ast.ImportFrom) and each.module:
                inside = {f"{each.module}.{alias.name}" for alias in each.names}
                names |= (inside & trees.keys()) or {each.module}
        imported[module] = (names & trees.keys()) - {module}
    return imported


@pytest.mark.parametrize("package", ["tui", "server_lite"])
def test_no_two_modules_import_each_other(package: str) -> None:
    """Nor in a circle, nor hidden behind TYPE_CHECKING: who reads a module need not know who uses it."""
    trees = {
        name.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): tree
        for name, tree in modules(package)
    }
    try:
        TopologicalSorter(_imports(trees)).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle: {' -> '.join(error.args[1])}") from None


def test_what_only_type_checkers_import_says_why() -> None:
    """It delays what a start does not wait for, or is not there when the program runs."""
    unexplained = [
        name
        for package in ("tui", "server_lite")
        for name, path in files(package)
        if re.search(r"^if TYPE_CHECKING:(?!  # |\n +# )", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert unexplained == []
