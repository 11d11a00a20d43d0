"""Lets Textual's styles remember what they computed without a dictionary for each. Draws nothing.

A style computes its hash, its style for the terminal and more when they are first asked for, and keeps them with
`cached_property`, which makes Python give the object a dictionary of its own: 600 to 1,200 bytes for each style that was
drawn. An attribute that is set takes 8 bytes, if its name is among those that Python knows of the class's objects: it
takes names from the first few objects only.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from textual.style import Style

VALUES: Final = ("hash", "_is_null", "rich_style", "meta")
"""What most styles are asked for."""


class Kept:
    """A property whose first value becomes an attribute of the object, which Python then finds without it."""

    def __init__(self, compute: Callable[[Any], Any], name: str) -> None:
        self._compute = compute
        self._name = name
        self.__doc__ = compute.__doc__

    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        """Compute the value, which is done once for an object."""
        if instance is None:
            return self
        value = self._compute(instance)
        # The class's own refuses, since a style does not change.
        object.__setattr__(instance, self._name, value)
        return value


def keep_without_dictionaries(cls: type = Style) -> None:
    """Let styles keep these values as attributes from now on; to be called before many are made."""
    own = {name: vars(cls)[name] for name in VALUES}
    for name, value in own.items():
        if isinstance(value, cached_property):
            setattr(cls, name, Kept(value.func, name))
    first = cls()
    for name in VALUES:
        getattr(first, name)
