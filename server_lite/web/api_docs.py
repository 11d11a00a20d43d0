"""The API description as a page: parameters and answers of each endpoint. Pure."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

Schema = dict[str, Any]
STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}"
    "code{font-family:ui-monospace,monospace}nav a{margin-right:.8rem;display:inline-block}"
    "section{border-top:1px solid #8888;margin-top:1.5rem}h3{margin-bottom:0}"
    "dl{margin:.3rem 0 .3rem 1rem}dt{float:left;clear:left;margin-right:.6rem}dd{margin:0}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8bf}}"
)
_WORDS: Final[Mapping[str, str]] = {
    "integer": "number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
}


def page(document: Mapping[str, Any]) -> str:
    """Return the HTML of the whole document, without scripts."""
    by_noun: dict[str, list[str]] = {}
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            (noun,) = operation["tags"]
            by_noun.setdefault(noun, []).append(_operation(verb.upper(), path, operation))
    objects = document["components"]["schemas"]
    links = "".join(
        f'<a href="#{noun}">{noun.replace("_", " ")}</a>' for noun in [*by_noun, "objects"]
    )
    parts = [
        f'<section id="{noun}"><h2>{noun.replace("_", " ")}</h2>{"".join(shown)}</section>'
        for noun, shown in by_noun.items()
    ]
    shapes = "".join(_object(name, schema) for name, schema in sorted(objects.items()))
    info = document["info"]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(info['title'])} API</title><style>{STYLE}</style>"
        f"<h1>{escape(info['title'])} API</h1><p>{escape(info['description'])} Paths are below"
        " <code>/api/v1</code>; parameters are a form or a query, structures in them JSON."
        ' For programs: <a href="/api/v1/openapi.json">openapi.json</a>.</p>'
        f"<nav>{links}</nav>{''.join(parts)}"
        f'<section id="objects"><h2>objects</h2>{shapes}</section></html>'
    )


def _operation(verb: str, path: str, operation: Schema) -> str:
    anonymous = "" if operation["security"] == [{"key": []}] else " · also without signing in"
    return (
        f'<article id="{operation["operationId"]}"><h3><code>{verb} {escape(path)}</code></h3>'
        f"<p>{escape(operation['summary'])}{anonymous}</p>"
        f"{_fields('takes', _taken(operation))}{_answer(operation)}</article>"
    )


def _taken(operation: Schema) -> Iterable[tuple[str, Schema, bool]]:
    """Yield name, schema and whether it is required, of each parameter."""
    for parameter in operation["parameters"]:
        schema = parameter.get("schema")
        if schema is None:
            schema = parameter["content"]["application/json"]["schema"]
        yield parameter["name"], schema, parameter["required"]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        body = content["schema"]
        for name, schema in body.get("properties", {}).items():
            yield name, schema, name in body.get("required", ())


def _answer(operation: Schema) -> str:
    done = operation["responses"].get("200")
    if done is None:
        return "<p>Is always refused here.</p>"
    schema = done["content"]["application/json"]["schema"]
    own = schema["allOf"][1] if "allOf" in schema else {}
    note = f"<p>{escape(own['description'])}</p>" if "description" in own else ""
    return _fields("answers", _named(own)) + note


def _object(name: str, schema: Schema) -> str:
    note = escape(schema.get("description", ""))
    return (
        f'<article id="{escape(name)}"><h3><code>{escape(name)}</code></h3>'
        f"<p>{note}</p>{_fields('has', _named(schema))}</article>"
    )


def _named(schema: Schema) -> Iterable[tuple[str, Schema, bool]]:
    for name, one in schema.get("properties", {}).items():
        yield name, one, name in schema.get("required", ())


def _fields(title: str, fields: Iterable[tuple[str, Schema, bool]]) -> str:
    items = "".join(
        f"<dt><code>{escape(name)}</code></dt><dd>{_type(schema)}{'' if needed else ', optional'}</dd>"
        for name, schema, needed in fields
    )
    return f"<p>{title}</p><dl>{items}</dl>" if items else ""


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return " or ".join(map(_type, options))
    if "enum" in schema or "const" in schema:
        return " or ".join(escape(repr(one)) for one in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}" if schema.get("items") else "list"
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        return f"{_type(values)}, by key"
    return _WORDS.get(schema.get("type", ""), "anything")
