"""The table of the API as an OpenAPI 3.1 document, generated from the signatures. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from server_lite import FEATURE_LEVEL, VERSION
from server_lite.api.answers import LINES, Done
from server_lite.api.decoding import MaxLength, NotBlank
from server_lite.api.params import Document, EndpointSpec, Parameter
from server_lite.api.routing import Route, Table

Schema = dict[str, Any]

_PLACE: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
_REFERENCE: Final = "#/components/schemas/{model}"

_SUCCESS: Final[Schema] = {
    "type": "object",
    "required": ["result", "msg"],
    "properties": {
        "result": {"const": "success"},
        "msg": {"type": "string"},
        "ignored_parameters_unsupported": {"type": "array", "items": {"type": "string"}},
    },
}
_ERROR: Final[Schema] = {
    "type": "object",
    "required": ["result", "msg", "code"],
    "properties": {
        "result": {"const": "error"},
        "msg": {"type": "string"},
        "code": {"type": "string"},
    },
}


def document(table: Table) -> dict[str, Any]:
    """Return the whole document; paths are below /api/v1."""
    schemas = envelope()
    paths: dict[str, dict[str, Any]] = {}
    known: dict[str, str] = {}
    for route in table.routes:
        path = "/" + _PLACE.sub(r"{\1}", route.pattern)
        # Routes that differ only in a placeholder's name are one OpenAPI path, named by the first one.
        path = known.setdefault(_PLACE.sub("{}", path), path)
        verbs = paths.setdefault(path, {})
        for verb, contract in route.contracts.items():
            names = _PLACE.findall(path)
            verbs.setdefault(verb.lower(), _operation(route, verb, contract, names, schemas))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chinwag",
            "version": VERSION,
            "description": f"Topic-threaded team chat. Feature level {FEATURE_LEVEL}.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "basic",
                    "description": "Email address and API key.",
                }
            },
        },
    }


def envelope() -> dict[str, Schema]:
    """Return the schemas common to all answers, by name."""
    return {"Success": _SUCCESS, "Error": _ERROR}


_SECURITY: Final[Mapping[str, list[Schema]]] = {
    "required": [{"key": []}],
    "optional": [{"key": []}, {}],
    "none": [],
}


def _operation(
    route: Route, verb: str, contract: EndpointSpec, names: list[str], schemas: dict[str, Schema]
) -> Schema:
    function = contract.function
    noun = function.__module__.rpartition(".")[2]
    operation_id = route.pattern.replace("{", "").replace("}", "").replace(":", "_")
    operation: Schema = {
        "operationId": f"{verb.lower()}_{re.sub(r'[^a-z0-9_]+', '_', operation_id)}",
        "summary": (function.__doc__ or "").partition("\n")[0],
        "tags": [noun],
        "security": _SECURITY[contract.auth],
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": _schema(place, schemas)}
            for name, place in zip(names, contract.path, strict=True)
        ],
        "responses": _responses(contract, schemas),
    }
    if verb == "GET" or contract.wants_body:
        operation["parameters"] += [_query(parameter, schemas) for parameter in contract.form]
        if contract.wants_body:
            anything: Schema = {"application/json": {"schema": {"type": "object"}}}
            operation["requestBody"] = {"required": True, "content": anything}
    elif contract.form or contract.takes_file:
        operation["requestBody"] = _body(contract, schemas)
    return operation


def _responses(contract: EndpointSpec, schemas: dict[str, Schema]) -> Schema:
    refused = {
        "default": _response("It was refused, and nothing was changed.", _reference("Error"))
    }
    answer = answer_schema(contract, schemas)
    if answer is None:
        return refused
    done = _response("It is done.", answer)
    if contract.may_stream:  # a line; all but the first have the fields alone
        done["content"][LINES] = {"schema": {"type": "string"}}
    return {"200": done, **refused}


def _response(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _reference(name: str) -> Schema:
    return {"$ref": _REFERENCE.format(model=name)}


def answer_schema(contract: EndpointSpec, schemas: dict[str, Schema]) -> Schema | None:
    """Return the envelope with the endpoint's fields; None if the endpoint always refuses.

    The types of the objects within are added to `schemas`.
    """
    if contract.answer is NoReturn:
        return None
    if contract.answer is Document:
        return {"type": "object"}
    if contract.answer is Done:
        return _reference("Success")
    fields = described(contract.answer, schemas, "serialization")
    return {"allOf": [_reference("Success"), fields]}


def _query(parameter: Parameter, schemas: dict[str, Schema]) -> Schema:
    query_schema: Schema = {"name": parameter.name, "in": "query", "required": parameter.required}
    schema = _schema(parameter, schemas)
    if _is_plain(schema):
        return query_schema | {"schema": schema}
    return query_schema | {"content": {"application/json": {"schema": schema}}}


def _body(contract: EndpointSpec, schemas: dict[str, Schema]) -> Schema:
    properties = {parameter.name: _schema(parameter, schemas) for parameter in contract.form}
    required = [parameter.name for parameter in contract.form if parameter.required]
    encoding = {
        name: {"contentType": "application/json"}
        for name, schema in properties.items()
        if not _is_plain(schema)
    }
    kind = "application/x-www-form-urlencoded"
    if contract.takes_file:
        kind = "multipart/form-data"
        properties["file"] = {"type": "string", "contentMediaType": "application/octet-stream"}
    body: Schema = {"schema": {"type": "object", "properties": properties}}
    if required:
        body["schema"]["required"] = required
    if encoding:
        body["encoding"] = encoding
    return {"required": bool(required), "content": {kind: body}}


def _is_plain(schema: Schema) -> bool:
    """Whether the value is sent as plain text, not as JSON."""
    options: Iterable[Schema] = schema.get("anyOf", [schema])
    return all(
        option.get("type") in ("string", "integer", "boolean", "null") or "enum" in option
        for option in options
    )


def _schema(parameter: Parameter, schemas: dict[str, Schema]) -> Schema:
    schema = described(parameter.hint, schemas, "validation")
    for note in parameter.notes:
        if isinstance(note, MaxLength):
            schema["maxLength"] = note.limit
        elif isinstance(note, NotBlank):
            schema["pattern"] = r"\S"
    if not parameter.required and isinstance(parameter.default, (bool, int, str)):
        schema["default"] = parameter.default
    return schema


class _Untitled(GenerateJsonSchema):
    """Omits the titles of fields, which would only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # as pydantic asks
        return False


def described(hint: Any, schemas: dict[str, Schema], mode: JsonSchemaMode) -> Schema:
    """Return the type's schema; nested types are added to `schemas`, where each name is unique."""
    adapter: TypeAdapter[Any] = TypeAdapter(hint)
    schema: Schema = adapter.json_schema(
        ref_template=_REFERENCE, mode=mode, schema_generator=_Untitled
    )
    for name, inner in schema.pop("$defs", {}).items():
        inner.pop("title", None)
        if schemas.setdefault(name, inner) != inner:
            raise TypeError(f"two types of the API are called {name}")
    schema.pop("title", None)
    return schema
