"""`dataclass` with methods created on first use, because a start defines hundreds of classes. Pure.

The standard decorator compiles six methods for each class, a millisecond of CPU time, most of them for
classes that the run never instantiates. Here a class gets its slots; the standard decorator reads its fields
when they are first asked for, `__init__` is compiled with the first instance, and the other methods are
shared. `fields`, `replace`, `match` and pydantic see an ordinary dataclass, without `InitVar` and `KW_ONLY`.
Type checkers see the standard decorator itself.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

_standard: Any = dataclasses.dataclass

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
            return _standard(cls, frozen=frozen, slots=slots, kw_only=kw_only, **rest)

        def make(created: type) -> type:
            return _make(created, frozen=frozen, slots=slots, kw_only=kw_only)

        return make if cls is None else make(cls)


class _DefaultFactory:
    """The default of a field whose value is created for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE_ANEW = _DefaultFactory()


FEW: Final = 8
"""Instances of a class that are made without compiling its `__init__`, which takes as long as some more."""


class _Field(NamedTuple):
    """What makes an instance's value of a field; `default` or `factory` is MISSING."""

    default: object
    factory: Any
    kw_only: bool
    compare: bool


_READ = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
"""The attributes of a class that the standard decorator makes of its fields."""
_Alias: Any = type(ClassVar[int])
_READING = RLock()
"""Held while the fields of a class and its parents are read: threads may ask at once."""


def field_types(cls: type) -> dict[str, object] | None:
    """Return the annotations of a class's fields by their names, in order, without the standard decorator.

    None for a class that was not made here.
    """
    if "__made__" not in vars(cls):
        return None
    return {
        name: kind
        for base in reversed(cls.__mro__)
        if "__made__" in vars(base)
        for name, kind in base.__annotations__.items()
        if not _is_class_variable(kind)
    }


def _make(cls: type, *, frozen: bool, slots: bool, kw_only: bool) -> type:
    own = vars(cls)
    if own.get("__doc__") is None:
        cls.__doc__ = cls.__name__  # the standard decorator would compute a signature for it
    made = _Made(cls, frozen=frozen, kw_only=kw_only)
    methods = _methods(made, own)
    if slots:
        made.cls = _with_slots(cls, methods | _READS)
    else:
        made.read()
        for name, value in methods.items():
            setattr(cls, name, value)
    decorated: type = made.cls
    return decorated


def _with_slots(cls: type, more: Mapping[str, object]) -> type:
    """Return the class with a slot for each field and these attributes: slots have to be there when it is
    created.
    """
    annotations = cls.__annotations__
    names = [name for name, kind in annotations.items() if not _is_class_variable(kind)]
    above = {name for base in cls.__mro__[1:-1] for name in vars(base).get("__slots__", ())}
    attributes = {**vars(cls), **more, "__qualname__": cls.__qualname__}
    for name in (*names, "__dict__", "__weakref__"):
        attributes.pop(name, None)
    attributes["__slots__"] = tuple(name for name in names if name not in above)
    return type(cls)(cls.__name__, cls.__bases__, attributes)


def _is_class_variable(kind: Any) -> bool:
    if isinstance(kind, str):  # postponed
        return kind.startswith(("ClassVar", "typing.ClassVar"))
    return kind is ClassVar or (type(kind) is _Alias and kind.__origin__ is ClassVar)


class _Made:
    """A class whose fields are read when they are first asked for.

    `cls` is the decorated class: with slots, it is another one than that of the class statement.
    """

    __slots__ = ("_fields", "_kw_only", "_stated", "cls", "few", "frozen")

    def __init__(self, stated: type, *, frozen: bool, kw_only: bool) -> None:
        self.cls: Any = stated
        self.frozen = frozen
        self._kw_only = kw_only
        self._stated: type | None = stated
        self._fields: dict[str, _Field] | None = None
        self.few: _FewInstances | None = None
        """What makes the first instances."""

    @property
    def fields(self) -> dict[str, _Field]:
        """The class's fields in order, without the standard decorator."""
        if self._fields is None:
            with _READING:
                self._fields = self._own_fields()
        return self._fields

    def _own_fields(self) -> dict[str, _Field]:
        if self._stated is None:
            return _fields_read(self.cls)
        fields: dict[str, _Field] = {}
        for base in reversed(self._stated.__mro__[1:-1]):
            if (made := vars(base).get("__made__")) is not None:
                fields |= made.fields
            elif "__dataclass_fields__" in vars(base):
                fields |= _fields_read(base)
        own = vars(self._stated)
        for name, kind in self._stated.__annotations__.items():
            if not _is_class_variable(kind):
                fields[name] = _field_of(own.get(name, dataclasses.MISSING), kw_only=self._kw_only)
        return fields

    def read(self) -> None:
        """Let the standard decorator read the fields."""
        with _READING:
            if self._stated is None:
                return
            decorate = _standard(init=False, repr=False, eq=False, kw_only=self._kw_only)
            standard = decorate(self._stated)
            for name in _READ:
                setattr(self.cls, name, vars(standard)[name])
            self._stated = None


def _fields_read(cls: Any) -> dict[str, _Field]:
    return {
        each.name: _Field(each.default, each.default_factory, each.kw_only is True, each.compare)
        for each in dataclasses.fields(cls)
    }


def _field_of(stated: object, *, kw_only: bool) -> _Field:
    """Return a field by what the class statement has for it."""
    if not isinstance(stated, dataclasses.Field):
        return _Field(stated, dataclasses.MISSING, kw_only, compare=True)
    own = kw_only if stated.kw_only is dataclasses.MISSING else bool(stated.kw_only)
    return _Field(stated.default, stated.default_factory, own, stated.compare)


class _Read:
    """An attribute of a class that is there once its fields were read."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, _: object, owner: type) -> object:
        made = _made_with(owner, self._name, self)
        made.read()
        return vars(made.cls)[self._name]


_READS: Final = {name: _Read(name) for name in _READ}


def _made_with(cls: type, name: str, attribute: object) -> _Made:
    """Return what is known of the first class among `cls` and its parents that has this attribute of all classes.

    There are hundreds of classes, most of which are never asked for any: they have no functions of their own.
    """
    ours = [own for base in cls.__mro__ if "__made__" in (own := vars(base))]
    own = next((own for own in ours if own.get(name) is attribute), ours[0])
    made: _Made = own["__made__"]  # without the attribute, another thread has just replaced it
    return made


def _methods(made: _Made, own: Mapping[str, object]) -> dict[str, object]:
    """Return the methods that the class does not have itself."""
    methods: dict[str, object] = {"__repr__": _repr, "__made__": made}
    if "__init__" not in own:
        methods["__init__"] = _first_init
        methods["__signature__"] = _SIGNATURE
    if "__eq__" not in own:
        methods["__eq__"] = _first_eq
        methods["__hash__"] = _first_hash if made.frozen else None
    methods = {name: method for name, method in methods.items() if name not in own}
    if made.frozen:
        methods["__setattr__"], methods["__delattr__"] = _refusing(made)
        methods["__getstate__"], methods["__setstate__"] = _getstate, _setstate
    return methods


def _first_init(self: object, /, *args: object, **named: object) -> None:
    made = _made_with(type(self), "__init__", _first_init)
    made.few = made.few or _FewInstances(made)
    if made.few.fill(self, args, named):
        return
    cls = made.cls
    if "__signature__" in vars(cls):
        del cls.__signature__
    cls.__init__ = _compiled_init(cls, frozen=made.frozen)
    made.few = None
    cls.__init__(self, *args, **named)


class _FewInstances:
    """Gives the first instances of a class their values."""

    def __init__(self, made: _Made) -> None:
        cls, fields = made.cls, made.fields
        self._left = FEW
        self._places = tuple(name for name, each in fields.items() if not each.kw_only)
        self._fields = fields
        self._puts = [(name, _put(cls, name, frozen=made.frozen)) for name in fields]
        self._post_init = hasattr(cls, "__post_init__")

    def fill(self, instance: Any, places: Sequence[object], named: Mapping[str, object]) -> bool:
        """Set the fields; False, and nothing done, for wrong arguments, and after the first few instances."""
        self._left -= 1
        if self._left < 0 or len(places) > len(self._places):
            return False
        values = {**dict(zip(self._places, places, strict=False)), **named}
        if len(values) != len(places) + len(named) or not values.keys() <= self._fields.keys():
            return False
        for name in self._fields.keys() - values.keys():
            default, factory, *_ = self._fields[name]
            if default is factory:  # both are missing
                return False
            values[name] = default if factory is dataclasses.MISSING else factory()
        for name, put in self._puts:
            put(instance, values[name])
        if self._post_init:
            instance.__post_init__()
        return True


def _put(cls: type, name: str, *, frozen: bool) -> Callable[[object, object], None]:
    """Return the function that sets a field."""
    if frozen:
        return _slot(cls, name) or partial(_put_in, object.__setattr__, name)
    return partial(_put_in, setattr, name)


def _put_in(put: Callable[..., None], name: str, instance: object, value: object) -> None:
    put(instance, name, value)


class _Signature:
    """Compiles a class's real `__init__` when its signature is inspected, and returns that."""

    def __get__(self, _: object, owner: type) -> object:
        made = _made_with(owner, "__signature__", self)
        made.cls.__init__ = _compiled_init(made.cls, frozen=made.frozen)
        del made.cls.__signature__
        raise AttributeError("__signature__")


_SIGNATURE: Final = _Signature()


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


def _slot(cls: type, name: str) -> Callable[[object, object], None] | None:
    """Return the setter of a field's slot; None if it has none."""
    for base in cls.__mro__:
        if isinstance(member := vars(base).get(name), MemberDescriptorType):
            put: Callable[[object, object], None] = member.__set__
            return put
    return None


def _first_eq(self: object, other: object) -> bool:
    made = _made_with(type(self), "__eq__", _first_eq)
    made.cls.__eq__ = equal = _eq(_values(made))
    return equal(self, other)


def _first_hash(self: object) -> int:
    made = _made_with(type(self), "__hash__", _first_hash)
    made.cls.__hash__ = hashed = _hash(_values(made))
    return hashed(self)


def _values(made: _Made) -> Callable[[object], object]:
    """Return a function for the values to compare, which compare and hash like a tuple."""
    names = [name for name, each in made.fields.items() if each.compare]
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda each: (get(each),)


def _eq(values: Callable[[object], object]) -> Callable[[object, object], bool]:
    def __eq__(self: object, other: object) -> bool:  # noqa: N807  # becomes a method
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[object], object]) -> Callable[[object], int]:
    def __hash__(self: object) -> int:  # noqa: N807  # becomes a method
        return hash(values(self))

    return __hash__


@recursive_repr()
def _repr(self: Any) -> str:
    """Return the representation without secret fields."""
    names = (each.name for each in dataclasses.fields(self) if each.repr)
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
    return f"{type(self).__qualname__}({inner})"


def _refusing(made: _Made) -> tuple[Callable[..., None], Callable[..., None]]:
    above = {vars(base).get("__setattr__") for base in made.cls.__mro__[1:-1]}
    if above <= {None, _refuse_set}:
        return _refuse_set, _refuse_delete

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807  # becomes a method
        if type(self) is made.cls or name in made.cls.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made.cls, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807  # becomes a method
        if type(self) is made.cls or name in made.cls.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made.cls, self).__delattr__(name)

    return __setattr__, __delattr__


def _refuse_set(self: object, name: str, value: object) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_delete(self: object, name: str) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_frozen(instance: object, name: str) -> bool:
    """Whether a class of ours has the field; nothing else can be set of an instance of the class itself."""
    made = _made_with(type(instance), "__setattr__", _refuse_set)
    return type(instance) is made.cls or name in made.cls.__dataclass_fields__


def _getstate(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
