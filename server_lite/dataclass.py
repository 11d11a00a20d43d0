"""`dataclass` with methods created on first use, because a start defines hundreds of classes. Pure.

The standard decorator compiles six methods for each class, a millisecond of CPU time, most of them for
classes that the run never instantiates. Here the standard decorator reads the fields and creates the slots;
`__init__` is compiled with the first instance, and the others are shared. `fields`, `replace`, `match` and
pydantic see an ordinary dataclass. Type checkers see the standard decorator itself.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Type checkers see the standard decorator.
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        kw_only: bool = False,
        **rest: bool,
    ) -> Any:
        """Make a dataclass; what is asked for beyond these three is left to the standard decorator."""
        if rest:
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, kw_only=kw_only, **rest)

        def make(created: type) -> type:
            return _make(created, frozen=frozen, slots=slots, kw_only=kw_only)

        return make if cls is None else make(cls)


class _DefaultFactory:
    """The default of a field whose value is created for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE_ANEW = _DefaultFactory()


def _make(cls: type, *, frozen: bool, slots: bool, kw_only: bool) -> type:
    own = vars(cls)
    says = {name for name in ("__init__", "__repr__", "__eq__", "__hash__") if name in own}
    if "__doc__" not in own or own["__doc__"] is None:
        cls.__doc__ = cls.__name__  # the standard decorator would compute a signature for it
    created: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
    )(cls)
    fields = created.__dataclass_fields__
    if "__init__" not in says:
        created.__init__ = _first_init(created, frozen=frozen)
        created.__signature__ = _Signature(created, frozen=frozen)
    if "__repr__" not in says:
        created.__repr__ = _repr
    if "__eq__" not in says:
        values = _values(tuple(each.name for each in dataclasses.fields(created) if each.compare))
        created.__eq__ = _eq(values)
        if "__hash__" not in says:
            created.__hash__ = _hash(values) if frozen else None
    if frozen:
        created.__setattr__, created.__delattr__ = _refusing(created, frozenset(fields))
        if slots:
            created.__getstate__, created.__setstate__ = _getstate, _setstate
    return created  # type: ignore[no-any-return]  # a class


def _first_init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    def __init__(self: Any, /, *args: Any, **named: Any) -> None:  # noqa: N807  # becomes a method
        if "__signature__" in vars(cls):
            del cls.__signature__
        cls.__init__ = _compiled_init(cls, frozen=frozen)
        cls.__init__(self, *args, **named)

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


class _Signature:
    """Compiles a class's real `__init__` when its signature is inspected, and returns that."""

    def __init__(self, cls: Any, *, frozen: bool) -> None:
        self._cls = cls
        self._frozen = frozen

    def __get__(self, _: object, owner: type) -> Any:
        self._cls.__init__ = _compiled_init(self._cls, frozen=self._frozen)
        del self._cls.__signature__
        raise AttributeError("__signature__")


def _compiled_init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    """Return an `__init__` like the standard decorator's: a line for each field, in order of the fields."""
    known: dict[str, Any] = {"__put": object.__setattr__, "__missing": _MADE_ANEW}
    places: list[str] = []
    keys: list[str] = []
    lines: list[str] = []
    for at, each in enumerate(dataclasses.fields(cls)):
        default, value = "", each.name
        if each.default is not dataclasses.MISSING:
            known[f"__default{at}"], default = each.default, f"=__default{at}"
        elif each.default_factory is not dataclasses.MISSING:
            known[f"__make{at}"], default = each.default_factory, "=__missing"
            value = f"__make{at}() if {each.name} is __missing else {each.name}"
        (keys if each.kw_only else places).append(f"{each.name}{default}")
        put = _slot(cls, each.name) if frozen else None
        if not frozen:
            lines.append(f"self.{each.name} = {value}")
        elif put is None:
            lines.append(f"__put(self, {each.name!r}, {value})")
        else:  # takes two thirds of the time: no lookups by name
            known[f"__put{at}"] = put
            lines.append(f"__put{at}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *places, *(["*", *keys] if keys else [])])
    body = "\n    ".join(lines or ["pass"])
    exec(f"def __init__({parameters}):\n    {body}\n", known)  # noqa: S102  # names of fields only
    created: Callable[..., None] = known["__init__"]
    created.__qualname__ = f"{cls.__qualname__}.__init__"
    created.__annotations__ = {each.name: each.type for each in dataclasses.fields(cls)}
    created.__annotations__["return"] = None
    return created


def _slot(cls: type, name: str) -> Callable[[Any, object], None] | None:
    """Return the setter of a field's slot; None if it has none."""
    for base in cls.__mro__:
        if isinstance(member := vars(base).get(name), MemberDescriptorType):
            put: Callable[[Any, object], None] = member.__set__
            return put
    return None


def _values(names: tuple[str, ...]) -> Callable[[Any], object]:
    """Return a function for the values to compare, which compare and hash like a tuple."""
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda each: (get(each),)


def _eq(values: Callable[[Any], object]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807  # becomes a method
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[Any], object]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807  # becomes a method
        return hash(values(self))

    return __hash__


@recursive_repr()
def _repr(self: Any) -> str:
    """Return the representation without secret fields."""
    names = (each.name for each in dataclasses.fields(self) if each.repr)
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
    return f"{type(self).__qualname__}({inner})"


def _refusing(cls: Any, names: frozenset[str]) -> tuple[Callable[..., None], Callable[..., None]]:
    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807  # becomes a method
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807  # becomes a method
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


def _getstate(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
