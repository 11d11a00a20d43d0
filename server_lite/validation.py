"""Validates values by their type hints, with pydantic's core, without the rest of pydantic. No I/O.

The core is what validates in pydantic, too; the rest makes a schema of a type hint for it, and takes 6 MB and a
third of the start. The schemas of the few types that requests, events and commands have are made here, and refuse
what pydantic's own would, in the same words.
"""

import dataclasses
import sys
import types
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NewType,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)


def _import_core() -> None:
    """Import the core without the types of its schemas, which are nearly all of it; these are dictionaries.

    Who imports the types afterwards, as pydantic does, gets them.
    """
    if "pydantic_core" in sys.modules:
        return
    name = "pydantic_core.core_schema"
    stand_in = sys.modules[name] = types.ModuleType(name)
    vars(stand_in).update(
        CoreConfig=object, CoreSchema=object, CoreSchemaType=object, ErrorType=object
    )
    try:
        import_module("pydantic_core")
    finally:
        del sys.modules[name]


_import_core()
from pydantic_core import SchemaValidator, ValidationError, from_json  # noqa: E402  # see above

__all__ = ["SchemaValidator", "ValidationError", "from_json", "validator"]

Schema = dict[str, object]
"""As described by `pydantic_core.core_schema`."""

_ANY: Final[Schema] = {"type": "any"}
_SCALARS: Final[Mapping[object, Schema]] = {
    bool: {"type": "bool"},
    int: {"type": "int"},
    float: {"type": "float"},
    str: {"type": "str"},
    object: _ANY,
    Any: _ANY,
    types.NoneType: {"type": "none"},
}


_VALIDATORS: Final[dict[object, SchemaValidator]] = {}


def validator(hint: object) -> SchemaValidator:
    """Return what validates values of this type. Raises TypeError for a type that no schema is known for."""
    made = _VALIDATORS.get(hint)
    if made is None:  # at first use: all would take a quarter of the start
        schema: Any = _schema(hint)
        made = _VALIDATORS[hint] = SchemaValidator(schema)
    return made


def _schema(hint: object) -> Schema:
    if isinstance(hint, NewType):
        return _schema(hint.__supertype__)
    if hint in _SCALARS:
        return _SCALARS[hint]
    if dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _schema(inner[0])
    if origin in (list, Sequence):
        return {"type": "list", "items_schema": _schema(inner[0])}
    if origin is tuple and ... not in inner:
        return {"type": "tuple", "items_schema": [_schema(each) for each in inner]}
    if origin in (dict, Mapping):
        names, values = map(_schema, inner)
        return {"type": "dict", "keys_schema": names, "values_schema": values}
    if origin is Literal:
        return {"type": "literal", "expected": list(inner)}
    if origin in (Union, types.UnionType):
        return _union(inner)
    raise TypeError(f"no schema is known for {hint}")


def _union(kinds: Sequence[object]) -> Schema:
    schemas = [_schema(kind) for kind in kinds if kind is not types.NoneType]
    schema: Schema = schemas[0] if len(schemas) == 1 else {"type": "union", "choices": schemas}
    return schema if len(schemas) == len(kinds) else {"type": "nullable", "schema": schema}


def _dataclass(cls: Any) -> Schema:
    hints, fields = get_type_hints(cls), dataclasses.fields(cls)
    return {
        "type": "dataclass",
        "cls": cls,
        "fields": [field.name for field in fields],
        "schema": {
            "type": "dataclass-args",
            "dataclass_name": cls.__name__,
            "fields": [_field(field, hints[field.name]) for field in fields],
        },
        "slots": "__slots__" in vars(cls),
        "config": {
            "extra_fields_behavior": getattr(cls, "__pydantic_config__", {}).get("extra", "ignore")
        },
    }


def _field(field: "dataclasses.Field[object]", hint: object) -> Schema:
    schema = _schema(hint)
    if field.default is not dataclasses.MISSING:
        schema = {"type": "default", "schema": schema, "default": field.default}
    elif field.default_factory is not dataclasses.MISSING:
        schema = {"type": "default", "schema": schema, "default_factory": field.default_factory}
    return {
        "type": "dataclass-field",
        "name": field.name,
        "schema": schema,
        "kw_only": field.kw_only,
    }
