"""`NamedTuple` with classes that are cheap to make, because a start makes fifty of them. Pure.

The standard one compiles a constructor and each postponed annotation of every class, makes six methods for it, and
creates it in two steps. Here constructors with as many arguments share their code, the methods are shared, and
annotations stay as they are written. What classes and tuples can do is the same; a test compares both. Python
3.14 keeps annotations in another way, and has its own there.
"""

import sys
import typing
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType
from typing import Any, Final, cast

_STANDARD: Final[Any] = typing.NamedTuple
_STANDARD_BASE: Final[Any] = _STANDARD.__mro_entries__((_STANDARD,))[0]
_Getter: Final[Any] = type(vars(namedtuple("_Getter", "field"))["field"])  # for its attribute
_ANNOTATIONS: Final = "__annotations__"
_SPECIAL: Final = frozenset(
    {"__new__", "__init__", "__slots__", "__getnewargs__", "__classcell__"}
    | {"_fields", "_field_defaults", "_make", "_replace", "_asdict", "_source"}
)
"""Names that a class statement must not have, and gets no further with: left to the standard one to refuse."""


@contextmanager
def named_tuples_shared() -> Iterator[None]:
    """Let the named tuples of modules that are imported meanwhile be made here."""
    if sys.version_info >= (3, 14):
        yield
        return
    vars(typing)["NamedTuple"] = NamedTuple
    try:
        yield
    finally:
        vars(typing)["NamedTuple"] = _STANDARD


class _Maker(type):
    """Makes the class of a class statement."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], attributes: dict[str, Any]
    ) -> type[tuple[Any, ...]]:
        hints: dict[str, Any] = attributes.get(_ANNOTATIONS, {})
        defaults = tuple(attributes[field] for field in hints if field in attributes)
        if len(bases) > 1 or not _are_usual(hints, attributes, defaults):
            usual = tuple(_STANDARD_BASE if base is _Base else base for base in bases)
            return cast("type[tuple[Any, ...]]", type(_STANDARD_BASE)(name, usual, attributes))
        return _named_tuple(name, hints, defaults, attributes)


def _are_usual(
    hints: Mapping[str, Any], attributes: Mapping[str, Any], defaults: tuple[Any, ...]
) -> bool:
    """Whether nothing about these fields has to be refused."""
    fields = tuple(hints)
    return (
        not any(field.startswith("_") for field in fields)
        and _SPECIAL.isdisjoint(attributes)
        and all(field in attributes for field in fields[len(fields) - len(defaults) :])
    )


def _named_tuple(
    name: str, hints: dict[str, Any], defaults: tuple[Any, ...], attributes: Mapping[str, Any]
) -> type[tuple[Any, ...]]:
    fields = tuple(map(sys.intern, hints))
    arguments = ", ".join(fields) if len(fields) != 1 else f"{fields[0]},"
    new = FunctionType(
        _constructor(len(fields)).replace(co_varnames=("_cls", *fields)),
        _NAMES,
        "__new__",
        defaults,
    )
    new.__qualname__, new.__annotations__ = f"{name}.__new__", hints
    new.__doc__ = f"Create new instance of {name}({arguments})"
    return type(
        name,
        (tuple,),
        {
            "__doc__": f"{name}({arguments})",
            **_SHARED,
            **attributes,
            "__slots__": (),
            "__new__": new,
            "__match_args__": fields,
            "_fields": fields,
            "_field_defaults": dict(
                zip(fields[len(fields) - len(defaults) :], defaults, strict=True)
            ),
            **{
                field: _Getter(at, sys.intern(f"Alias for field number {at}"))
                for at, field in enumerate(fields)
            },
        },
    )


_NAMES: Final[dict[str, Any]] = {
    "_tuple_new": tuple.__new__,
    "__builtins__": {},
    "__name__": "namedtuple",
}
"""What constructors know."""


@cache
def _constructor(count: int) -> CodeType:
    """Return the code of the constructors with this many fields."""
    names = "".join(f"_{at}, " for at in range(count))
    made: FunctionType = eval(f"lambda _cls, {names}: _tuple_new(_cls, ({names}))", _NAMES)  # noqa: S307  # no text of others
    return made.__code__


_Base: Final = type.__new__(_Maker, "NamedTuple", (), {})
"""The parent in class statements."""


def _make(cls: Any, iterable: Iterable[Any]) -> Any:
    """Make a new object from a sequence or iterable."""
    made = tuple.__new__(cls, iterable)
    if len(made) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **values: Any) -> Any:
    """Return a new object replacing specified fields with new values."""
    made = self._make(map(values.pop, self._fields, self))
    if values:
        raise (TypeError if sys.version_info >= (3, 13) else ValueError)(
            f"Got unexpected field names: {list(values)!r}"
        )
    return made


def _repr(self: Any) -> str:
    """Return a nicely formatted representation string."""
    values = (f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
    return f"{type(self).__name__}({', '.join(values)})"


def _asdict(self: Any) -> dict[str, Any]:
    """Return a new dict which maps field names to their values."""
    return dict(zip(self._fields, self, strict=True))


def _getnewargs(self: Any) -> tuple[Any, ...]:
    """Return self as a plain tuple; used by copy and pickle."""
    return tuple(self)


_SHARED: Final[dict[str, Any]] = {
    "_make": classmethod(_make), "_replace": _replace, "__replace__": _replace, "__repr__": _repr,
    "_asdict": _asdict, "__getnewargs__": _getnewargs,
}  # fmt: skip
"""The methods of all classes."""


class _NamedTuple:
    """Takes the place of `typing.NamedTuple`."""

    def __call__(self, *arguments: Any, **fields: Any) -> Any:
        """Leave a call to the standard one."""
        return _STANDARD(*arguments, **fields)

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (_Base,)


NamedTuple: Final = _NamedTuple()
