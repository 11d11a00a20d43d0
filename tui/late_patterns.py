"""Patterns that are compiled when they are first used: of those that modules make, a start uses a third. Pure."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

_COMPILE: Final = re.compile
_METHODS: Final = frozenset({"finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn"})  # fmt: skip
_OTHERS: Final = ("flags", "groupindex", "groups", "pattern", "scanner")


class LatePattern:
    """A pattern that is compiled when it is first used; its methods and its text can be taken before."""

    def __init__(self, pattern: Any, flags: Any = 0) -> None:
        self._arguments = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        """Called until the pattern is compiled: then it has the names itself, at no further cost."""
        if name == "pattern":
            return self._arguments[0]
        if name in _METHODS:
            return self._method(name)
        if name not in _OTHERS:
            raise AttributeError(name)
        return getattr(self._compiled(), name)

    def _method(self, name: str) -> Callable[..., Any]:
        def method(*arguments: Any, **named: Any) -> Any:
            if name not in vars(self):
                self._compiled()
            return vars(self)[name](*arguments, **named)

        return method

    def _compiled(self) -> re.Pattern[Any]:
        compiled = _COMPILE(*self._arguments)
        vars(self).update({name: getattr(compiled, name) for name in (*_METHODS, *_OTHERS)})
        return compiled


@contextmanager
def compiled_late() -> Iterator[None]:
    """Let patterns that are made while modules are imported be compiled at first use."""
    usual: Callable[..., Any] = re.compile
    vars(re)["compile"] = LatePattern
    try:
        yield
    finally:
        re.compile = usual
