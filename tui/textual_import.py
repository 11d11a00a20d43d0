"""Imports Textual without what a start does not use, which comes when it is used. Shows nothing.

A start takes most of its time for imports, and most of them are Textual's. While they are imported here,

- modules that no start uses (`LATE`) are stand-ins, whose names import the real module when one is used;
- the command palette, which is turned off, is an empty module, since it brings widgets;
- patterns are compiled when they are first used, dataclasses get their methods then, and named tuples share theirs;
- classes of widgets are made by `tui.widget_classes`.

Afterwards everything is as it was: later imports get the real modules. Textual is pinned exactly, and tests
name the modules that a start imports.
"""

import _pickle
import dataclasses
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from tui.dataclass import dataclass
from tui.late_imports import LateModule, TypingModule, made_cheaply, standing_in

_APP: Final = "textual.app"
_DOM: Final = "textual.dom"
"""The base of all widgets, without a widget."""
MODULES: Final = (
    _APP, "textual.scrollbar", "textual.layouts.factory", "textual._xterm_parser",
    "textual.drivers.linux_driver" if sys.platform != "win32" else "textual.drivers",
)  # fmt: skip
"""Those of Textual that every start needs."""
LATE: Final = (
    "html", "mimetypes", "platformdirs", "shutil", "uuid",
    "rich._palettes", "rich.align", "rich.emoji", "rich.markup", "rich.pager", "rich.panel", "rich.screen", "rich.styled",
    "rich.table", "rich.tree",
    "textual.canvas", "textual.css._help_renderables", "textual.css._help_text", "textual.file_monitor",
    "textual.markup", "textual.suggestions",
)  # fmt: skip
"""Errors in style rules, debugging, tables, links, files: their functions and classes are called late or never."""
_PALETTE: Final = "textual.command"
_PALETTE_NAMES: Final = ("CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider")  # fmt: skip
"""The names that `textual.app` and `textual.theme` import: for annotations, and to open the palette."""


def import_textual() -> None:
    """Import `textual.app`, unless it is imported already."""
    if _APP in sys.modules:
        return
    palette = ModuleType(_PALETTE)
    vars(palette).update({name: type(name, (), {}) for name in _PALETTE_NAMES})
    pickling = ModuleType("pickle")
    vars(pickling).update(dumps=_pickle.dumps, loads=_pickle.loads)
    stand_ins = [palette, pickling, TypingModule(), *map(LateModule, LATE)]
    with standing_in(stand_ins), made_cheaply(), _dataclasses_made_late():
        import_module(_DOM)
        import_module("tui.widget_classes").look_once()
        for name in MODULES:
            import_module(name)


def import_widgets(*names: str) -> None:
    """Import modules of `textual.widgets` without `typing_extensions`, of which they need what Python itself has."""
    with standing_in([TypingModule()]), made_cheaply():
        for name in names:
            import_module(f"textual.widgets.{name}")


@contextmanager
def _dataclasses_made_late() -> Iterator[None]:
    """Let the methods of dataclasses be made at first use."""
    usual: Any = dataclasses.dataclass
    vars(dataclasses)["dataclass"] = dataclass
    try:
        yield
    finally:
        dataclasses.dataclass = usual
