"""JSON into wire types: the only user of pydantic. Loaded after the first frame; no I/O.

The validators are pydantic's core, built from the dataclasses themselves: keys that no field
asks for are passed over, absent ones mean what the field says (`tui.api.wire`). What does not
fit raises `MalformedResponse` with the place, never with the content.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

import pydantic_core
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from tui.api import events
from tui.api.fields import WireField, bare, members, spellings, wire_fields
from tui.api.legacy import RESHAPE
from tui.api.snapshot import InitialSnapshot
from tui.errors import MalformedResponse

T = TypeVar("T")

_SCALARS: Mapping[object, Callable[[], CoreSchema]] = {
    bool: core_schema.bool_schema,
    int: core_schema.int_schema,
    float: lambda: core_schema.float_schema(allow_inf_nan=False),
    str: core_schema.str_schema,
    object: core_schema.any_schema,
    types.NoneType: core_schema.none_schema,
}

_EVENT_CLASSES: Mapping[tuple[str, str | None], type[events.BaseEvent]] = {
    (cls.type, cls.op): cls
    for cls in typing.get_args(events.Event)
    if issubclass(cls, events.BaseEvent)
}
_OTHER_OPS = {("realm_emoji", "edit"): "update_one"}


def json_object(body: bytes | str, route: str) -> dict[str, object]:
    """The JSON object that `body` is."""
    try:
        value = pydantic_core.from_json(body, allow_inf_nan=False)
    except ValueError:
        raise MalformedResponse(route, "it is not JSON") from None
    if not isinstance(value, dict):
        raise MalformedResponse(route, "it is not an object")
    return value


def decode(kind: type[T], value: object, route: str) -> T:
    """`value`, decoded JSON, as a wire type or a tuple, set or mapping of them."""
    try:
        return typing.cast("T", _validator(typing.cast("Hashable", kind)).validate_python(value))
    except pydantic_core.ValidationError as error:
        raise MalformedResponse(route, _place(error)) from None


def field(kind: type[T], answer: Mapping[str, object], key: str, route: str) -> T:
    """One value of an answer."""
    if key not in answer:
        raise MalformedResponse(route, f"{key} is missing")
    return decode(kind, answer[key], f"{route} {key}")


def snapshot(answer: Mapping[str, object], route: str) -> InitialSnapshot:
    """The answer to POST /register."""
    return decode(InitialSnapshot, answer, route)


def event(value: object, route: str) -> events.Event:
    """One event; of an unknown (type, op) an `UnknownEvent`, never an error."""
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


def _event_class(kind: object, op: object) -> type[events.BaseEvent] | None:
    """Types without an op here are known whatever op comes with them."""
    if not isinstance(kind, str):
        return None
    op = _OTHER_OPS.get((kind, op), op) if isinstance(op, str) else None
    return _EVENT_CLASSES.get((kind, op)) or _EVENT_CLASSES.get((kind, None))


def _place(error: pydantic_core.ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the value"
    return f"{where}: {first['msg']}"


@functools.cache
def _validator(kind: Hashable) -> SchemaValidator:
    return SchemaValidator(_schema(kind))


def _schema(hint: object) -> CoreSchema:
    other = spellings(hint)
    if other:
        return core_schema.no_info_before_validator_function(
            functools.partial(_respell, other), _bare_schema(bare(hint))
        )
    return _bare_schema(bare(hint))


def _bare_schema(hint: object) -> CoreSchema:
    if hint in _SCALARS:
        return _SCALARS[hint]()
    if dataclasses.is_dataclass(hint):
        return _dataclass_schema(typing.cast("type", hint))
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        assert args[1:] == (...,), hint
        return core_schema.tuple_schema([_schema(args[0])], variadic_item_index=0)
    if origin is frozenset:
        return core_schema.frozenset_schema(_schema(args[0]))
    if origin in (dict, Mapping):
        return core_schema.dict_schema(_schema(args[0]), _schema(args[1]))
    if origin is typing.Literal:
        return core_schema.literal_schema(list(args))
    return _union_schema(hint)


def _union_schema(hint: object) -> CoreSchema:
    kinds = [member for member in members(hint) if member is not types.NoneType]
    assert members(hint) != (hint,), f"no JSON is known for {hint}"
    schema = (
        _schema(kinds[0])
        if len(kinds) == 1
        else core_schema.union_schema([_schema(kind) for kind in kinds])
    )
    return core_schema.nullable_schema(schema) if types.NoneType in members(hint) else schema


@functools.cache
def _dataclass_schema(cls: type) -> CoreSchema:
    fields = wire_fields(cls)
    schema: CoreSchema = core_schema.dataclass_schema(
        cls,
        core_schema.dataclass_args_schema(
            cls.__name__, [_dataclass_field(field) for field in fields]
        ),
        fields=[field.name for field in fields],
        frozen=True,
        slots=True,
    )
    if cls not in RESHAPE:
        return schema
    return core_schema.no_info_before_validator_function(
        functools.partial(_reshape, RESHAPE[cls]), schema
    )


def _dataclass_field(field: WireField) -> core_schema.DataclassField:
    schema = _schema(field.type)
    if field.absent is not None:
        schema = core_schema.with_default_schema(schema, default=field.absent.value)
    alias: list[list[str | int]] = [list(path) for path in field.paths]
    return core_schema.dataclass_field(field.name, schema, kw_only=True, validation_alias=alias)


def _reshape(
    reshape: Callable[[Mapping[str, object]], Mapping[str, object]], value: object
) -> object:
    return reshape(value) if isinstance(value, Mapping) else value


def _respell(other: Mapping[str, str], value: object) -> object:
    return other.get(value, value) if isinstance(value, str) else value
