"""Modules that others import and a start does not use: they are imported when one of their names is used. Pure.

`standing_in` puts stand-ins in their places while those others are imported; what these take from them then
are `LateName`s, which import the real module when they are called, or asked for anything.
"""

import os.path
import sys
import typing
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from tui.late_patterns import compiled_late
from tui.module_finder import listed_once
from tui.named_tuple import named_tuples_shared

_SELDOM: Final = ("html.entities", "ipaddress", "locale", "tokenize")
"""What modules of the standard library import for a few of their functions."""
_TYPING: Final = "typing_extensions"
_USUAL: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("html.entities", "html5"): {
        "amp;": "&", "apos;": "'", "gt;": ">", "lt;": "<", "nbsp;": "\xa0", "quot;": '"',
    },
}  # fmt: skip
"""Entries of tables that are used by everything, without an import: of 2,231 named characters, texts have these."""
_ZONES: Final = "/usr/share/zoneinfo:/usr/lib/zoneinfo:/usr/share/lib/zoneinfo:/etc/zoneinfo"
"""Where Python looks for time zones unless it was built for other folders."""


class LateName:
    """A function, class or table of a module that is imported when it is first used."""

    __slots__ = ("_imported", "_module", "_name", "_usual")

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._usual = _USUAL.get((module, name), {})
        self._imported: Any = None

    def __call__(self, *args: object, **named: object) -> Any:
        return self._real()(*args, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked of annotations
            raise AttributeError(name)
        return getattr(self._real(), name)

    def __getitem__(self, key: Any) -> Any:
        return self._usual[key] if key in self._usual else self._real()[key]

    def __contains__(self, key: object) -> bool:
        return key in self._usual or key in self._real()

    def __instancecheck__(self, instance: object) -> bool:
        is_there = isinstance(self._imported, type) or _is_imported(self._module)
        return is_there and isinstance(instance, self._real())

    def _real(self) -> Any:
        if self._imported is None:
            if not _is_imported(self._module):
                sys.modules.pop(self._module, None)
            self._imported = getattr(import_module(self._module), self._name)
        return self._imported


class LateModule(ModuleType):
    """Stands in for a module while others import names from it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return LateName(self.__name__, name)


class SeldomModule(LateModule):
    """Stands in for a module while others import it; afterwards it has what the real one has, numbers, too."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self or name.startswith("__"):
            return super().__getattr__(name)
        return getattr(import_module(self.__name__), name)


class TypingModule(ModuleType):
    """Stands in for `typing_extensions`: what Python itself has need not be had twice."""

    def __init__(self, **names: object) -> None:
        super().__init__(_TYPING)
        vars(self).update(names)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(typing, name)
        except AttributeError:
            del sys.modules[_TYPING]
            return getattr(import_module(_TYPING), name)


@contextmanager
def standing_in(stand_ins: Iterable[ModuleType]) -> Iterator[None]:
    """Let these modules be imported by their names, except where the real one is there already."""
    used = [each for each in stand_ins if each.__name__ not in sys.modules]
    sys.modules.update({each.__name__: each for each in used})
    try:
        yield
    finally:
        for each in used:
            if sys.modules.get(each.__name__) is each:
                del sys.modules[each.__name__]


@contextmanager
def made_cheaply() -> Iterator[None]:
    """Let what modules make while they are imported be made when it is used, or in a cheaper way."""
    seldom = standing_in(map(SeldomModule, _SELDOM))
    with listed_once(), compiled_late(), named_tuples_shared(), seldom:
        yield


def import_asyncio() -> None:
    """Import asyncio without TLS, which a start, and a server of this machine, have no use for."""
    with standing_in(map(LateModule, ("ssl", "asyncio.sslproto"))):
        import_module("asyncio")


def import_zoneinfo() -> ModuleType:
    """Import zoneinfo without the tables of how Python was built, which it asks for the folders of time zones alone."""
    building = LateModule("sysconfig")
    vars(building)["get_config_var"] = {"TZPATH": _ZONES}.get
    has_usual = os.path.isdir(_ZONES.split(":")[0])
    with standing_in([building] if has_usual else ()):
        return import_module("zoneinfo")


def _is_imported(name: str) -> bool:
    return not isinstance(sys.modules.get(name), LateModule | None)
