"""API types as JSON that is read back without their schemas: for the file that a start waits for. Pure.

`tui.api.decode` checks each value against the type of its field. What it needs for that, pydantic and the schemas of
fifty types, takes longer than to read the values. A packed value names the types that it contains; whoever reads it
has to know that it was written by `pack`, e.g. by a checksum.

A type becomes a list of its fields and the type's number; a tuple, set, or dictionary becomes one, too. Large values are
packed and read part by part: their lists take several times as much memory as they do.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias, TypeVar

from tui.api.id_set import IdSet
from tui.api.wire import UNSET, shared

T = TypeVar("T")

Types: TypeAlias = Sequence[tuple[str, str, tuple[str, ...]]]
"""The types in a packed value, by their numbers: module, name, and slots."""

_TUPLE: Final = 0
_FROZENSET: Final = 1
_DICT: Final = 2
_LIST: Final = 3
_UNSET: Final = 4
_ID_SET: Final = 5
_FIRST_TYPE: Final = 6
_SCALARS: Final = frozenset({str, int, bool, float, type(None)})
_MODULES: Final = frozenset({"tui.api.model", "tui.api.organization", "tui.api.snapshot"})


class OtherTypes(Exception):
    """The packed value has types that were different when it was written."""


class Packer:
    """Packs values; those of one packer share their types."""

    def __init__(self, *types: type) -> None:
        """`types` are named even if no value has them: their parts are packed one by one."""
        self._numbers = {cls: number for number, cls in enumerate(types)}

    def pack(self, value: object) -> object:
        """Return a value as JSON."""
        return _packed(value, self._numbers)

    @property
    def types(self) -> Types:
        """The types in the values so far."""
        return [(cls.__module__, cls.__qualname__, slots_of(cls)) for cls in self._numbers]


def _packed(value: Any, numbers: dict[type, int]) -> object:
    cls = value.__class__
    if cls in _SCALARS:
        return value
    if isinstance(value, int):
        return int(value)  # of an enumeration: the server sends a number, too
    if cls.__module__ in _MODULES:
        number = numbers.setdefault(cls, len(numbers)) + _FIRST_TYPE
        return [*(_packed(getattr(value, name), numbers) for name in slots_of(cls)), number]
    if isinstance(value, Mapping):
        return [*(_packed(each, numbers) for each in chain(*value.items())), _DICT]
    if value is UNSET:
        return [_UNSET]
    kind = {tuple: _TUPLE, frozenset: _FROZENSET, list: _LIST, IdSet: _ID_SET}[cls]
    items = sorted(value) if kind == _FROZENSET else value
    return [*(_packed(each, numbers) for each in items), kind]


def slots_of(cls: type) -> tuple[str, ...]:
    """Return the names of all slots, those of its bases first."""
    return tuple(chain(*(vars(base).get("__slots__", ()) for base in reversed(cls.__mro__))))


def made_of(cls: type[T], values: Iterable[object]) -> T:
    """Return the object of a type with a value for each of its slots."""
    made = cls.__new__(cls)
    for slot, value in zip(slots_of(cls), values, strict=True):
        getattr(cls, slot).__set__(made, value)
    return made


class Unpacker:
    """Makes values of what one packer packed."""

    def __init__(self, types: Types) -> None:
        """Raises OtherTypes."""
        self._makers: list[Callable[[list[Any]], object]] = [
            self._tuple, self._frozenset, self._dict, self._list, lambda _: UNSET, IdSet,
            *(self._maker(*each) for each in types),
        ]  # fmt: skip

    def unpack(self, packed: Any) -> Any:
        """Return a value; the packed one is used up."""
        return self._makers[packed.pop()](packed) if packed.__class__ is list else packed

    def _list(self, items: list[Any]) -> list[object]:
        makers = self._makers
        return [makers[each.pop()](each) if each.__class__ is list else each for each in items]

    def _tuple(self, items: list[Any]) -> tuple[object, ...]:
        return tuple(self._list(items)) if items else ()

    def _frozenset(self, items: list[Any]) -> frozenset[Any]:
        values = frozenset(self._list(items))
        return shared(values) if items and items[0].__class__ is str else values

    def _dict(self, items: list[Any]) -> dict[Any, object]:
        values = self._list(items)
        return dict(zip(values[::2], values[1::2], strict=True))

    def _maker(self, module: str, name: str, slots: Sequence[str]) -> Callable[[list[Any]], object]:
        cls = getattr(sys.modules[module], name, None) if module in _MODULES else None
        if cls is None or slots_of(cls) != tuple(slots):
            raise OtherTypes(name)
        new, puts = cls.__new__, [getattr(cls, slot).__set__ for slot in slots]

        def make(items: list[Any]) -> object:
            made = new(cls)
            for put, value in zip(puts, self._list(items), strict=True):
                put(made, value)
            return made

        return make
