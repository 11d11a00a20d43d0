"""Modules are found as Python finds them."""

import importlib.util
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import pytest

from tui.module_finder import FINDER, ListingFinder, listed_once


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a module, a package, a folder and an extension; forgotten afterwards."""
    folder = tmp_path / "found_here"
    (folder / "inner").mkdir(parents=True)
    (folder / "bare").mkdir()
    for name in ("__init__", "one", "inner/__init__", "inner/two"):
        (folder / f"{name}.py").write_text(f"name = {name!r}\n")
    (folder / "extension.so").write_bytes(b"")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [each for each in sys.modules if each.partition(".")[0] == "found_here"]:
        del sys.modules[name]


def _facts(spec: ModuleSpec | None) -> tuple[object, ...]:
    assert spec is not None
    places = spec.submodule_search_locations
    return (
        spec.name, spec.origin, spec.cached, spec.has_location, spec.parent, type(spec.loader),
        None if places is None else [*places],
    )  # fmt: skip


def test_modules_are_found_as_python_finds_them(package: Path) -> None:
    """A compiled file of another name would be written and read in vain, at each start."""
    finder = ListingFinder()
    for name, path in (("one", package), ("inner", package), ("inner.two", package / "inner")):
        named = f"found_here.{name}"
        assert _facts(finder.find_spec(named, [str(path)])) == _facts(
            PathFinder.find_spec(named, [str(path)])
        )


def test_what_is_no_source_is_left_to_others(package: Path) -> None:
    """Extensions, folders without a source, packages in several places, archives, and modules that came later."""
    finder = ListingFinder()
    for name in ("extension", "bare", "nowhere"):
        assert finder.find_spec(f"found_here.{name}", [str(package)]) is None
    assert finder.find_spec("found_here.one", [str(package), str(package / "inner")]) is None
    assert finder.find_spec("found_here.one", [str(package / "archive.zip")]) is None
    assert finder.find_spec("found_here") is None
    (package / "later.py").write_text("")
    assert finder.find_spec("found_here.later", [str(package)]) is None
    assert importlib.util.find_spec("found_here.later") is not None


def test_modules_are_imported_through_it_only_meanwhile(package: Path) -> None:
    """A module that the user adds while the program runs is found."""
    with listed_once():
        assert import_module("found_here.inner.two").name == "inner/two"
        assert import_module("found_here.one").__file__ == str(package / "one.py")
        with pytest.raises(ModuleNotFoundError):
            import_module("found_here.nowhere")
    assert FINDER not in sys.meta_path


def test_others_are_asked_first() -> None:
    """Debuggers and tools that measure coverage find modules before Python does."""
    before = [*sys.meta_path]
    with listed_once():
        at = sys.meta_path.index(FINDER)
        assert sys.meta_path[at + 1] is PathFinder
        assert sys.meta_path[:at] == before[:at]
    assert sys.meta_path == before
