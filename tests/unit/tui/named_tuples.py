"""The same named tuples, made by the standard library and by `tui.named_tuple`."""

import typing
from types import SimpleNamespace
from typing import Any, Generic, TypeAlias, TypeVar

from tui.named_tuple import named_tuples_shared

Made: TypeAlias = Any
T = TypeVar("T")


def _made() -> Made:
    parent: Any = typing.NamedTuple

    class Point(parent):  # type: ignore[misc]  # it is the one or the other
        """A point."""

        x: int
        y: "int" = 2

        def total(self) -> int:
            return int(self.x) + int(self.y)

        @property
        def double(self) -> tuple[int, ...]:
            return (*self, *self)

        @classmethod
        def of(cls, text: str) -> Any:
            return cls(int(text))

    class One(parent):  # type: ignore[misc]  # it is the one or the other
        value: object

    class None_(parent):  # type: ignore[misc]  # noqa: N801  # it is the one or the other
        pass

    class Below(Point):
        __slots__ = ()

        def __new__(cls, x: int) -> Any:
            return super().__new__(cls, x, 7)

    class Pair(parent, Generic[T]):  # type: ignore[misc]  # it is the one or the other
        first: T
        second: str

    def misnamed() -> object:
        class Misnamed(parent):  # type: ignore[misc]  # it is the one or the other
            _x: int

        return Misnamed

    def misplaced() -> object:
        class Misplaced(parent):  # type: ignore[misc]  # it is the one or the other
            x: int = 1
            y: int

        return Misplaced

    def overwritten() -> object:
        class Overwritten(parent):  # type: ignore[misc]  # it is the one or the other
            x: int

            def _asdict(self) -> dict[str, int]:
                return {}

        return Overwritten

    def called() -> Any:
        return parent("Called", [("x", int)])

    return SimpleNamespace(**locals())


STANDARD = _made()
with named_tuples_shared():
    HERE = _made()
for _each in (HERE.Point, HERE.One):
    _each.__qualname__ = _each.__name__
    globals()[_each.__name__] = _each
for _each in (STANDARD.Point, STANDARD.One):
    _each.__qualname__ = _each.__name__
