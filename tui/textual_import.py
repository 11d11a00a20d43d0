"""Imports Textual without what a start does not use, which comes when it is used. Shows nothing.

A start takes most of its time for imports, and most of them are Textual's. While they are imported here,

- modules that no start uses (`LATE`) are stand-ins, whose names import the real module when one is used;
- the command palette, which is turned off, is an empty module, since it brings widgets;
- patterns are compiled when they are first used, and dataclasses get their methods then.

Afterwards everything is as it was: later imports get the real modules. Textual is pinned exactly, and tests
name the modules that a start imports.
"""

import _pickle
import dataclasses
import re
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from tui.dataclass import dataclass
from tui.late_imports import LateModule, standing_in

_APP: Final = "textual.app"
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
_TYPING: Final = "typing_extensions"
_COMPILE: Final = re.compile


def import_textual() -> None:
    """Import `textual.app`, unless it is imported already."""
    if _APP in sys.modules:
        return
    palette = ModuleType(_PALETTE)
    vars(palette).update({name: type(name, (), {}) for name in _PALETTE_NAMES})
    pickling = ModuleType("pickle")
    vars(pickling).update(dumps=_pickle.dumps, loads=_pickle.loads)
    stand_ins = [palette, pickling, _Typing(_TYPING), *map(LateModule, LATE)]
    with standing_in(stand_ins), _compiled_late():
        for name in MODULES:
            import_module(name)


class LatePattern:
    """A pattern that is compiled when it is first used; its methods can be taken before."""

    __slots__ = ("_arguments", "_compiled")

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments
        self._compiled: re.Pattern[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None and name in _METHODS:
            return lambda *args, **named: getattr(self._real(), name)(*args, **named)
        return getattr(self._real(), name)

    def _real(self) -> re.Pattern[Any]:
        if self._compiled is None:
            self._compiled = _COMPILE(*self._arguments)
        return self._compiled


_METHODS: Final = frozenset({"finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn"})  # fmt: skip


class _Typing(ModuleType):
    """Stands in for `typing_extensions`: what Python itself has need not be had twice."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(typing, name)
        except AttributeError:
            del sys.modules[_TYPING]
            return getattr(import_module(_TYPING), name)


@contextmanager
def _compiled_late() -> Iterator[None]:
    """Let patterns and the methods of dataclasses be made at first use."""
    usual: tuple[Callable[..., Any], Any] = (re.compile, dataclasses.dataclass)
    vars(re)["compile"], vars(dataclasses)["dataclass"] = LatePattern, dataclass
    try:
        yield
    finally:
        re.compile, dataclasses.dataclass = usual
