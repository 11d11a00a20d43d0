"""Fields that other clients require in our answers, and a check of answers against them.

Facts about their decoders: a field that is missing or of another type makes such a client drop the whole
answer. A type is `int`, `num`, `str`, `bool`, `any`, an object of the table, `[type]`, `{type}` (a map), or
several with `|` between them; a following `?` allows null or absence.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

Needs = Mapping[str, str]

_LIST: Final = re.compile(r"^\[(.+)\]$")
_MAP: Final = re.compile(r"^\{(.+)\}$")
_SCALARS: Final[Mapping[str, tuple[type, ...]]] = {
    "int": (int,),
    "num": (int, float),
    "str": (str,),
    "bool": (bool,),
}


def lacks(table: Mapping[str, Needs], kind: str, value: Any, place: str = "") -> Iterator[str]:
    """Yield everything that prevents decoding `value` as `kind`: its place, and the actual value."""
    optional, kind = kind.endswith("?"), kind.removesuffix("?")
    if value is None:
        if not optional:
            yield f"{place}: nothing, not {kind}"
    elif "|" in kind:
        if all(any(lacks(table, one, value)) for one in kind.split("|")):
            yield f"{place}: {value!r}, not {kind}"
    elif kind == "any":
        pass
    elif kind in _SCALARS:
        if not isinstance(value, _SCALARS[kind]) or isinstance(value, bool) != (kind == "bool"):
            yield f"{place}: {value!r}, not {kind}"
    elif within := _LIST.match(kind):
        if not isinstance(value, list):
            yield f"{place}: {value!r}, not a list"
            return
        for at, one in enumerate(value):
            yield from lacks(table, within[1], one, f"{place}[{at}]")
    elif within := _MAP.match(kind):
        for key, one in value.items():
            yield from lacks(table, within[1], one, f"{place}.{key}")
    elif not isinstance(value, dict):
        yield f"{place}: {value!r}, not {kind}"
    else:
        for name, wanted in table[kind].items():
            yield from lacks(table, wanted, value.get(name), f"{place}.{name}")
