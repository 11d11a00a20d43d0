"""Imports uvicorn's server without its command line, its reloader and the configuration of logs: 3 MB.

Importing this module is enough. uvicorn's package imports all of it, and nothing here uses it; if somebody does,
it is imported then.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Final

_PACKAGE: Final = "uvicorn"
_UNUSED: Final[dict[str, tuple[str, ...]]] = {
    "configparser": ("RawConfigParser",),
    "logging.config": (),
}
"""Modules for logs that are configured by a file, with the names that uvicorn imports for annotations."""


def _import_server() -> None:
    if _PACKAGE in sys.modules:
        return
    spec = find_spec(_PACKAGE)
    assert spec is not None
    package = module_from_spec(spec)

    def rest_of(name: str) -> object:
        """Execute the package itself when a name of it is used."""
        if name.startswith("__"):
            raise AttributeError(name)
        del package.__getattr__  # a missing name stays missing
        loader = spec.loader
        assert loader is not None
        loader.exec_module(package)
        return getattr(package, name)

    package.__getattr__ = rest_of  # type: ignore[method-assign]  # a module's own, see PEP 562
    sys.modules[_PACKAGE] = package
    with _without(_UNUSED):
        server = import_module(f"{_PACKAGE}.server")
    vars(package).update(Config=server.Config, Server=server.Server)  # modules of uvicorn use these


@contextmanager
def _without(names: dict[str, tuple[str, ...]]) -> Iterator[None]:
    """Let empty modules stand in for those that are not imported yet."""
    stand_ins = {name: ModuleType(name) for name in names if name not in sys.modules}
    for name, module in stand_ins.items():
        vars(module).update({each: type(each, (), {}) for each in names[name]})
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


_import_server()
