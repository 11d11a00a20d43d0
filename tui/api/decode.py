"""Decodes JSON into API types: the only user of pydantic, which is imported with the first answer; no I/O.

The validators are pydantic's core, built from the dataclasses themselves: keys without a field are ignored,
absent ones mean what the field says (`tui.api.wire`). A value that does not fit raises `MalformedResponse`
with its place, never with its content.
"""

import functools
import sys
import types
import typing
from collections.abc import Callable, Hashable, Mapping, Set
from importlib import import_module
from typing import Any, TypeAlias, TypeVar

from tui.api import events
from tui.api.fields import WireField, bare, members, recurs, spellings, wire_fields
from tui.api.id_set import IdSet
from tui.api.legacy import reshaping
from tui.api.snapshot import InitialSnapshot
from tui.api.wire import shared
from tui.dataclass import field_types
from tui.errors import MalformedResponse
from tui.late_imports import TypingModule, standing_in

if typing.TYPE_CHECKING:
    # Imported with the first answer: a start shows what is on the disk before that.
    import pydantic_core

T = TypeVar("T")

Schema: TypeAlias = dict[str, Any]
"""As described by `pydantic_core.core_schema`."""

_SCALARS: Mapping[object, Schema] = {
    bool: {"type": "bool"},
    int: {"type": "int", "ge": -(2**63), "le": 2**63 - 1},  # larger ones fit into no column
    float: {"type": "float", "allow_inf_nan": False},
    str: {"type": "str"},
    object: {"type": "any"},
    types.NoneType: {"type": "none"},
}

_EMPTY: Mapping[object, Schema] = {
    tuple: {"type": "tuple", "items_schema": [{"type": "any"}], "variadic_item_index": 0},
    Mapping: {"type": "dict"},
}
"""By the types of lists and objects: those without anything in them."""

MAX_CONTAINERS = 1_000_000
"""Lists and objects in one answer: `[],` is three bytes and takes 72 in memory, `{"a":1},` takes 190.

`register` for an organization of 50,000 people has about twelve for each of them at most.
"""
_SLICE_BYTES = 2**20

_OTHER_OPS = {("realm_emoji", "edit"): "update_one"}


class _Sentinel:
    """A value that stands for nothing else; that of `typing_extensions` comes with more than pydantic's core."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}>"


@functools.cache
def _core() -> types.ModuleType:
    """Import pydantic's core without the types of its schemas, which are nearly all of it; these are dictionaries.

    Later imports of the types get them.
    """
    if "pydantic_core" not in sys.modules:
        stand_in = types.ModuleType("pydantic_core.core_schema")
        vars(stand_in).update(CoreConfig=Any, CoreSchema=Any, CoreSchemaType=Any, ErrorType=Any)
        with standing_in([stand_in, TypingModule(Sentinel=_Sentinel)]):
            import_module("pydantic_core")
    return import_module("pydantic_core")


def json_object(body: bytes | str, route: str) -> dict[str, object]:
    """Return the JSON object in `body`. Raises MalformedResponse, also for one that would fill the memory."""
    data = body.encode(errors="replace") if isinstance(body, str) else body
    if data.count(b"[") + data.count(b"{") > MAX_CONTAINERS and _has_too_many(data):
        raise MalformedResponse(route, f"it holds more than {MAX_CONTAINERS:,} lists and objects")
    try:
        # Without a cache of values: it would keep sixteen thousand texts, of messages that were dropped, too.
        value = _core().from_json(body, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        raise MalformedResponse(route, "it is not JSON") from None
    if not isinstance(value, dict):
        raise MalformedResponse(route, "it is not an object")
    return value


def _has_too_many(data: bytes) -> bool:
    """Whether JSON has more lists and objects than the limit; brackets in texts do not count.

    Looks at a slice after the other, so that the pieces between quotation marks need little memory.
    """
    data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    count = is_text = 0
    for start in range(0, len(data), _SLICE_BYTES):
        pieces = data[start : start + _SLICE_BYTES].split(b'"')
        count += sum(piece.count(b"[") + piece.count(b"{") for piece in pieces[is_text::2])
        if count > MAX_CONTAINERS:
            return True
        is_text = (is_text + len(pieces) - 1) % 2
    return False


def decode(kind: type[T], value: object, route: str) -> T:
    """Return `value`, decoded JSON, as an API type or a tuple, set or mapping of them. Raises
    MalformedResponse.
    """
    try:
        return typing.cast("T", _validator(typing.cast("Hashable", kind)).validate_python(value))
    except _core().ValidationError as error:
        raise MalformedResponse(route, _place(error)) from None


def field(kind: type[T], answer: Mapping[str, object], key: str, route: str) -> T:
    """Return one value of an answer. Raises MalformedResponse."""
    if key not in answer:
        raise MalformedResponse(route, f"{key} is missing")
    return decode(kind, answer[key], f"{route} {key}")


def snapshot(answer: Mapping[str, object], route: str) -> InitialSnapshot:
    """Return the answer of POST /register. What is empty in it needs no validator of what it might hold."""
    reshape = reshaping(InitialSnapshot)
    shaped = answer if reshape is None else reshape(answer)
    empty = frozenset(
        field.name
        for field in wire_fields(InitialSnapshot)
        if typing.get_origin(bare(field.type)) in _EMPTY
        and not any(shaped.get(path[0]) for path in field.paths)
    )
    try:
        return typing.cast("InitialSnapshot", _snapshot_validator(empty).validate_python(shaped))
    except _core().ValidationError as error:
        raise MalformedResponse(route, _place(error)) from None


def event(value: object, route: str) -> "events.Event":
    """Return one event; of an unknown (type, op) an `UnknownEvent`, never an error."""
    if not isinstance(value, dict):
        raise MalformedResponse(route, "an event is not an object")
    kind, op = value.get("type"), value.get("op")
    if isinstance(kind, str) and kind.startswith("has_") and kind.endswith("_token"):
        provider = kind.removeprefix("has_").removesuffix("_token")
        return decode(events.CallTokenEvent, {**value, "provider": provider}, f"{route} {kind}")
    cls = _event_class(kind, op)
    if cls is None:
        return decode(events.UnknownEvent, value, route)
    return typing.cast("events.Event", decode(cls, value, f"{route} {kind}/{op}"))


@functools.cache
def _event_classes() -> "Mapping[tuple[str, str | None], type[events.BaseEvent]]":
    classes = typing.get_args(events.Event)
    return {(cls.type, cls.op): cls for cls in classes if issubclass(cls, events.BaseEvent)}


def _event_class(kind: object, op: object) -> "type[events.BaseEvent] | None":
    """Return the class of an event, None if unknown; types without an op here match any op."""
    if not isinstance(kind, str):
        return None
    op = _OTHER_OPS.get((kind, op), op) if isinstance(op, str) else None
    classes = _event_classes()
    return classes.get((kind, op)) or classes.get((kind, None))


def _place(error: "pydantic_core.ValidationError") -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the value"
    return f"{where}: {first['msg']}"


@functools.lru_cache(maxsize=4)
def _snapshot_validator(empty: frozenset[str]) -> "pydantic_core.SchemaValidator":
    """Return the validator of a snapshot in which these fields are empty or not there."""
    made: pydantic_core.SchemaValidator = _core().SchemaValidator(
        _fields_schema(InitialSnapshot, empty)
    )
    return made


@functools.cache
def _validator(kind: Hashable) -> "pydantic_core.SchemaValidator":
    made: pydantic_core.SchemaValidator = _core().SchemaValidator(_schema(kind))
    return made


def _before(function: Callable[[object], object], schema: Schema) -> Schema:
    """Return a schema that validates the result of the function."""
    called = {"type": "no-info", "function": function}
    return {"type": "function-before", "function": called, "schema": schema}


def _after(function: Callable[[Any], object], schema: Schema) -> Schema:
    """Return a schema that applies the function to validated values."""
    called = {"type": "no-info", "function": function}
    return {"type": "function-after", "function": called, "schema": schema}


def _schema(hint: object) -> Schema:
    other = spellings(hint)
    if other:
        return _before(functools.partial(_respell, other), _bare_schema(bare(hint)))
    if recurs(hint):
        return _after(sys.intern, _bare_schema(bare(hint)))
    return _bare_schema(bare(hint))


def _bare_schema(hint: object) -> Schema:
    if hint in _SCALARS:
        return _SCALARS[hint]
    if isinstance(hint, type) and field_types(hint) is not None:
        return _dataclass_schema(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        assert args[1:] == (...,), hint
        return {"type": "tuple", "items_schema": [_schema(args[0])], "variadic_item_index": 0}
    if origin is frozenset:
        schema = {"type": "frozenset", "items_schema": _schema(args[0])}
        return _after(shared, schema) if args[0] is str else schema
    if origin is Set:
        return _after(IdSet, {"type": "list", "items_schema": _schema(args[0])})
    if origin in (dict, Mapping):
        keys, values = args
        return {"type": "dict", "keys_schema": _schema(keys), "values_schema": _schema(values)}
    if origin is typing.Literal:
        return {"type": "literal", "expected": list(args)}
    return _union_schema(hint)


def _union_schema(hint: object) -> Schema:
    kinds = members(hint)
    assert kinds != (hint,), f"no JSON is known for {hint}"
    schemas = [_schema(kind) for kind in kinds if kind is not types.NoneType]
    schema = schemas[0] if len(schemas) == 1 else {"type": "union", "choices": schemas}
    return {"type": "nullable", "schema": schema} if types.NoneType in kinds else schema


@functools.cache
def _dataclass_schema(cls: type) -> Schema:
    schema = _fields_schema(cls)
    if (reshape := reshaping(cls)) is None:
        return schema
    return _before(functools.partial(_reshape, reshape), schema)


def _fields_schema(cls: type, empty: Set[str] = frozenset()) -> Schema:
    """Return the schema of a dataclass; fields that are `empty` are containers of anything."""
    fields = wire_fields(cls)
    arguments = {
        "type": "dataclass-args",
        "dataclass_name": cls.__name__,
        "fields": [_dataclass_field(field, is_empty=field.name in empty) for field in fields],
    }
    return {
        "type": "dataclass",
        "cls": cls,
        "fields": [field.name for field in fields],
        "schema": arguments,
        "frozen": True,
        "slots": True,
    }


def _dataclass_field(field: WireField, *, is_empty: bool) -> Schema:
    origin = typing.get_origin(bare(field.type))
    schema = _EMPTY[origin] if is_empty else _schema(field.type)
    if field.absent is not None:
        schema = {"type": "default", "schema": schema, "default": field.absent.value}
    return {
        "type": "dataclass-field",
        "name": field.name,
        "schema": schema,
        "kw_only": True,
        "validation_alias": [list(path) for path in field.paths],
    }


def _reshape(
    reshape: Callable[[Mapping[str, object]], Mapping[str, object]], value: object
) -> object:
    return reshape(value) if isinstance(value, Mapping) else value


def _respell(other: Mapping[str, str], value: object) -> object:
    return other.get(value, value) if isinstance(value, str) else value
