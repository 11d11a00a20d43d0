"""Templates that turn the variables of a link back into the text that a linkifier matches. Pure.

`#{id}` makes `#12` of id = 12; `{{` and `}}` are braces.
"""

import re
from collections.abc import Mapping
from typing import Final

_PART: Final = re.compile(
    r"(?P<brace>\{\{|\}\})|\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}|(?P<bad>[{}])"
)


class BadReverseTemplate(ValueError):
    """Raised for an invalid template; the text gives its author the reason."""


def variables(template: str) -> frozenset[str]:
    """Return the variables of a template; raises BadReverseTemplate."""
    names = set()
    for part in _PART.finditer(template):
        if part["bad"]:
            raise BadReverseTemplate("Invalid reverse template: unmatched brace.")
        if part["name"]:
            names.add(part["name"])
    return frozenset(names)


def expand(template: str, values: Mapping[str, str]) -> str:
    """Return the text; every variable of the template must have a value."""
    return _PART.sub(lambda part: part[0][0] if part["brace"] else values[part["name"]], template)


def check_example(pattern: str, example: str) -> dict[str, str]:
    """Return the values of the pattern's groups in a text that it matches as a whole.

    Raises BadReverseTemplate if it does not match; the pattern must be valid.
    """
    import re2  # type: ignore[import-untyped]  # google-re2 ships no types; few need it

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 4 << 20
    match = re2.fullmatch(pattern, example, options=options)
    if match is None:
        raise BadReverseTemplate("Example input does not match the linkifier pattern.")
    return {name: value or "" for name, value in match.groupdict().items()}


def check(pattern: str, example: str | None, template: str) -> None:
    """Raise BadReverseTemplate unless the template reproduces the example."""
    names = variables(template)
    if example is None:
        raise BadReverseTemplate("Example input is required for a reverse template.")
    values = check_example(pattern, example)
    if extra := sorted(names - values.keys()):
        raise BadReverseTemplate(
            f"Group {extra[0]!r} in reverse template is not present in linkifier pattern."
        )
    if expand(template, values) != example:
        raise BadReverseTemplate("Reverse template does not reproduce the example input.")
