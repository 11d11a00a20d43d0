"""Finds modules of packages in fewer steps than Python, while hundreds are imported. Imports none.

Python looks three times at the disk for each module before it opens the compiled file, and puts many paths together. Here a
package's folder is listed once, and a module that is in it as a source is loaded by Python's own loader. Everything
else, such as an extension or a folder without `__init__.py`, is left to the finders that follow.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Final

_INIT: Final = "__init__.py"
_TAG: Final = sys.implementation.cache_tag


class ListingFinder:
    """A finder that lists each folder once."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str]] = {}

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,  # noqa: ARG002  # the protocol's
    ) -> ModuleSpec | None:
        """Return how to load a module of a package in one folder; None to leave it to others."""
        if path is None or len(path) != 1:
            return None
        folder = path[0]
        names = self._names.get(folder)
        if names is None:
            names = self._names[folder] = self._listed(folder)
        last = name.rpartition(".")[2]
        if f"{last}.py" in names:
            return _spec(name, folder, last)
        if last not in names:
            return None
        inner = f"{folder}{os.sep}{last}"
        below = self._names[inner] = self._listed(inner)
        if _INIT not in below:
            return None
        spec = _spec(name, inner, "__init__")
        spec.submodule_search_locations = [inner]
        return spec

    def _listed(self, folder: str) -> frozenset[str]:
        try:
            return frozenset(os.listdir(folder))  # the names alone, without paths
        except OSError:
            return frozenset()  # in an archive, or gone


def _spec(name: str, folder: str, stem: str) -> ModuleSpec:
    file = f"{folder}{os.sep}{stem}.py"
    spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file)
    spec.has_location = True
    if sys.pycache_prefix is None and not sys.flags.optimize:  # else Python finds it out
        spec.cached = f"{folder}{os.sep}__pycache__{os.sep}{stem}.{_TAG}.pyc"
    return spec


@contextmanager
def listed_once() -> Iterator[None]:
    """Let folders be listed once while modules are imported; finders of others, such as debuggers, come first."""
    usual = [each is PathFinder for each in sys.meta_path]
    sys.meta_path.insert(usual.index(True) if any(usual) else len(usual), FINDER)
    try:
        yield
    finally:
        sys.meta_path.remove(FINDER)


FINDER: Final = ListingFinder()
"""Kept from one import to the next."""
