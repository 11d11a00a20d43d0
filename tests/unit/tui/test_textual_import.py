"""Textual is imported without what a start does not use, and nobody else notices."""

import subprocess
import sys

from tests.shape.sources import ROOT

_IMPORTED = "import sys; from tui import textual_import as ti; ti.import_textual()\n"


def _run(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", _IMPORTED + code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.strip() or run.stderr[-2000:]


def test_no_stand_in_is_left() -> None:
    """Whoever imports one of the modules afterwards gets the real one."""
    code = (
        "import dataclasses, pickle, re, typing_extensions, uuid\n"
        "print([n for n, m in sys.modules.items() if type(m).__module__ == ti.__name__],\n"
        "  re.compile.__module__, dataclasses.dataclass.__module__, hasattr(pickle, 'Pickler'),\n"
        "  hasattr(typing_extensions, 'Sentinel') or hasattr(typing_extensions, 'Doc'), uuid.uuid4().version)"
    )
    assert _run(code) == "[] re dataclasses True True 4"


def test_what_came_late_is_there_when_it_is_used() -> None:
    """A markup, a wrong rule and a link need modules that the start left out."""
    code = (
        "from textual.content import Content\n"
        "from textual.style import Style; from textual.color import Color, ColorParseError\n"
        "from textual import app; from tui.late_imports import LateName\n"
        "print(Content.from_markup('[b]x[/b]').plain, Style.from_meta({'a': 1}).meta)\n"
        "try: Color.parse('greeen')\n"
        "except ColorParseError as error: print(error.suggested_color)\n"
        "print(app.mimetypes.guess_type('a.png')[0], len(app.uuid.uuid4().hex))\n"
        "print(isinstance('', LateName('rich.table', 'Table')))"
    )
    assert _run(code).splitlines() == ["x {'a': 1}", "green", "image/png 32", "False"]


def test_classes_of_widgets_are_made_here() -> None:
    """A start would look through all names of all parents of each."""
    code = "from textual.widgets import Static; print(Static._merge_bindings.__module__)"
    assert _run(code) == "tui.widget_classes"


def test_colors_of_a_palette_have_their_values() -> None:
    """A terminal of 16 or 256 colors: every dialog mixes them with what is behind it."""
    code = (
        "from rich.color import Color\n"
        "print(*(tuple(each.get_truecolor()) for each in (Color.from_ansi(1), Color.from_ansi(136))))\n"
        "print(Color.parse('#af8700').downgrade(2).number, Color.parse('#800000').downgrade(1).number)\n"
        "from rich.color import ColorSystem\n"
        "print(Color.parse('#af8700').downgrade(ColorSystem.WINDOWS).type.name)"
    )
    assert _run(code).splitlines() == ["(128, 0, 0) (175, 135, 0)", "136 1", "WINDOWS"]


def test_a_wrong_rule_is_explained() -> None:
    """The help for style rules is imported with the first wrong one."""
    code = (
        "from textual.css.stylesheet import Stylesheet, StylesheetParseError\n"
        "sheet = Stylesheet(); sheet.add_source('* { width: many }')\n"
        "try: sheet.parse()\n"
        "except StylesheetParseError as error: print(type(error.errors).__name__)"
    )
    assert _run(code) == "StylesheetErrors"


def test_only_what_is_called_or_subscripted_comes_late() -> None:
    """A number, a text or a base class cannot be stood in for: whoever compares or adds it would be wrong."""
    code = (
        "import gc; from tui.late_imports import LateName\n"
        "late = [each for each in gc.get_objects() if type(each) is LateName]\n"
        "late += [v for m in list(sys.modules.values()) for v in vars(m).values() if type(v) is LateName]\n"
        "real = [(each._module, each._name, each._real()) for each in set(late)]\n"
        "print(len(real) > 20, [(m, n) for m, n, r in real if not callable(r) and not hasattr(r, '__getitem__')],\n"
        "  [(m, n) for m, n, r in real if isinstance(r, str | bytes | int | float | tuple)])"
    )
    assert _run(code) == "True [] []"


def test_widgets_come_without_typing_extensions() -> None:
    """They need what Python itself has; whoever imports it afterwards gets the real one."""
    code = (
        "ti.import_widgets('_button', '_input', '_option_list', '_text_area')\n"
        "from textual.widgets import Button, Input, OptionList, TextArea\n"
        "print('typing_extensions' in sys.modules, TextArea.__name__)\n"
        "import typing_extensions; print(hasattr(typing_extensions, 'Doc'))"
    )
    assert _run(code).splitlines() == ["False TextArea", "True"]
