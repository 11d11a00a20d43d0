"""Templates for any service's JSON, in a subset of Mustache: no code, and every loop ends. Pure.

    {{name}} {{build.number}} {{tags.0}}      a value as one line of inert text: no links, no mentions
    {{{body}}}                                a text as Markdown, without mentions
    {{#items}}* {{title}}{{/items}}           once for each item, or if the value exists
    {{^items}}Nothing new.{{/items}}          if the value is missing or empty

In a section, names are looked up in the item first; `{{.}}` is the item itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.markup.untrusted_text import on_one_line, plain, without_mentions

MAX_LENGTH: Final = 5000
"""Maximum characters of a template."""
MAX_DEPTH: Final = 5
"""Maximum depth of nested sections."""
MAX_ITEMS: Final = 50
"""Maximum of list items that a section repeats."""
MAX_STEPS: Final = 2000
"""Maximum of tags and texts in all sections together."""
MAX_OUTPUT: Final = 20_000
_TAG: Final = re.compile(r"\{\{\{([^{}]{1,200})\}\}\}|\{\{([#^/!&]?)([^{}]{0,200})\}\}")
_AT: Final = ("@", "@_")
_NAME: Final = re.compile(r"\.|[\w$@-]+(?:\.[\w$@-]+){0,9}")


@dataclass(frozen=True, slots=True)
class _Value:
    """A tag that stands for a value."""

    name: str
    is_text: bool


@dataclass(frozen=True, slots=True)
class _Section:
    """A part that is repeated, or omitted."""

    name: str
    inverted: bool
    parts: "tuple[_Part, ...]"


_Part = str | _Value | _Section


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template."""

    parts: tuple[_Part, ...]


def parse(source: str) -> Template:
    """Return the template; raises ApiError if it is too long or malformed."""
    if len(source) > MAX_LENGTH:
        raise ApiError(f"The template is too long (limit: {MAX_LENGTH} characters).")
    tokens = _tokens(source)
    parts, closed = _parts(tokens, 0)
    if closed is not None:
        raise ApiError(f"Invalid template: '{{{{/{closed}}}}}' closes no section.")
    return Template(parts)


def _tokens(source: str) -> Iterator[str | tuple[str, str]]:
    position = 0
    for tag in _TAG.finditer(source):
        if tag.start() > position:
            yield source[position : tag.start()]
        position = tag.end()
        sign, name = ("&", tag[1]) if tag[1] is not None else (tag[2], tag[3])
        if sign != "!":  # a comment
            yield sign, _checked(name.strip())
    if position < len(source):
        yield source[position:]


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ApiError(f"Invalid template: '{on_one_line(name, 40)}' is not the name of a field.")
    return name


def _parts(
    tokens: Iterator[str | tuple[str, str]], depth: int
) -> tuple[tuple[_Part, ...], str | None]:
    """Return the parts up to the end or the closing tag of a section, and the name in that tag."""
    if depth > MAX_DEPTH:
        raise ApiError(f"Invalid template: more than {MAX_DEPTH} sections in one another.")
    template_parts: list[_Part] = []
    for token in tokens:
        if isinstance(token, str):
            template_parts.append(token)
            continue
        sign, name = token
        if sign == "/":
            return tuple(template_parts), name
        if sign in ("#", "^"):
            parts, closed = _parts(tokens, depth + 1)
            if closed != name:
                raise ApiError(f"Invalid template: section '{name}' is not closed.")
            template_parts.append(_Section(name, sign == "^", parts))
        else:
            template_parts.append(_Value(name, sign == "&"))
    return tuple(template_parts), None


class _Writer:
    """The text written so far, and the remaining limits."""

    def __init__(self, line: Callable[[str], str]) -> None:
        self._line = line
        self._dumped: dict[int, str] = {}
        self.written: list[str] = []
        self._steps = MAX_STEPS
        self._room = MAX_OUTPUT

    def write(self, parts: Sequence[_Part], stack: tuple[object, ...]) -> None:
        for part in parts:
            self._steps -= 1
            if self._steps < 0 or self._room <= 0:
                return
            if isinstance(part, _Section):
                self._section(part, stack)
                continue
            text = part if isinstance(part, str) else self._apart(self._value(part, stack))
            if text:
                self.written.append(text[: self._room])
            self._room -= len(text)

    def _section(self, part: _Section, stack: tuple[object, ...]) -> None:
        value = _looked_up(part.name, stack)
        if part.inverted:
            if not value:
                self.write(part.parts, stack)
        elif isinstance(value, list):
            for item in value[:MAX_ITEMS]:
                self.write(part.parts, (*stack, item))
        elif value:
            self.write(part.parts, (*stack, value) if isinstance(value, dict) else stack)

    def _value(self, part: _Value, stack: tuple[object, ...]) -> str:
        value = _looked_up(part.name, stack)
        if value is None:
            return ""
        text = value if isinstance(value, str) else self._as_json(value)
        return without_mentions(text[:MAX_OUTPUT]) if part.is_text else self._line(text)

    def _apart(self, text: str) -> str:
        """Return the value, protected from forming a mention with the text before or after it."""
        if text.endswith(_AT):
            text = f"{text}\u200b"
        is_after_at = bool(self.written) and self.written[-1].endswith(_AT)
        return f"\u200b{text}" if is_after_at and text.startswith(("*", "_")) else text

    def _as_json(self, value: object) -> str:
        """Return the value as JSON, cached: a loop may use a large one in each iteration."""
        if id(value) not in self._dumped:
            try:
                self._dumped[id(value)] = orjson.dumps(value).decode()
            except orjson.JSONEncodeError as error:
                raise ApiError("The JSON is nested too deeply.") from error
        return self._dumped[id(value)]


def content(template: Template, payload: Mapping[str, object]) -> str:
    """Return Markdown with the values of a payload; missing ones are empty."""
    return _filled(template, payload, plain)


def topic(template: Template, payload: Mapping[str, object]) -> str:
    """Return a topic with the values of a payload: topics have no Markdown."""
    return _filled(template, payload, on_one_line)


def _filled(template: Template, payload: Mapping[str, object], line: Callable[[str], str]) -> str:
    writer = _Writer(line)
    writer.write(template.parts, (payload,))
    return "".join(writer.written)


def _looked_up(name: str, stack: tuple[object, ...]) -> object:
    """Return the value: the first name in the innermost object that has it, further names within."""
    if name == ".":
        return stack[-1]
    first, *rest = name.split(".")
    value = next(
        (each[first] for each in reversed(stack) if isinstance(each, dict) and first in each), None
    )
    for step in rest:
        value = _inner(value, step)
    return value


def _inner(value: object, step: str) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and step.isdecimal() and step.isascii() and len(step) < 6:
        return value[int(step)] if int(step) < len(value) else None
    return None
