"""Features of a full server at each feature level, from levels.toml. Changes no request.

Endpoint names are those of docs/api-tiers.csv, parameters and fields those of the API.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).with_name("levels.toml")

ANY: Final = "*"


@dataclass(frozen=True)
class Words:
    """Names with the level that introduced each; 0 for those that always existed."""

    since: Mapping[str, int]

    @classmethod
    def read(cls, text: str) -> "Words":
        pairs = (word.partition("@") for word in text.split())
        return cls({name: int(level or 0) for name, _, level in pairs})

    def known(self, name: str, level: int) -> bool:
        """Whether a server of `level` knows the name; unlisted names are unknown."""
        return ANY in self.since or self.since.get(name, level + 1) <= level

    def later(self, level: int) -> frozenset[str]:
        """Return the listed names that came after `level`."""
        return frozenset(name for name, since in self.since.items() if since > level)


@dataclass(frozen=True)
class Levels:
    """The whole table."""

    endpoints: Mapping[str, tuple[int, Words]]
    """`VERB /path` -> the level that introduced it, and its parameters."""

    objects: Mapping[str, Words]
    """Only fields added later."""

    register: Words
    """All fields of the answer, and no others."""

    events: Mapping[str, int]
    """`type/op` or `type` of events added later."""

    capabilities: Words
    operators: Words
    operands: Mapping[str, Words]
    """Of the operators `is` and `has`."""

    message_types: Words
    renamed: Mapping[str, tuple[str, int]]
    """A field's previous name, and the level of its new name."""

    def called(self, name: str, level: int) -> str:
        """Return a field's name on a server of `level`."""
        before, since = self.renamed.get(name, (name, 0))
        return before if level < since else name

    def has(self, endpoint: str | None, level: int) -> bool:
        """Whether a server of `level` has an endpoint."""
        return endpoint is not None and self.endpoints.get(endpoint, (level + 1,))[0] <= level

    def unknown(self, endpoint: str, names: Mapping[str, Any], level: int) -> list[str]:
        """Return the parameters among `names` that a server of `level` ignores, in order."""
        words = self.endpoints[endpoint][1]
        return sorted(name for name in names if not words.known(name, level))


def _endpoint(text: str) -> tuple[int, Words]:
    first, _, rest = text.strip().partition(" ")
    return (int(first[1:]), Words.read(rest)) if first.startswith("@") else (0, Words.read(text))


def _renamed(text: str) -> tuple[str, int]:
    before, _, since = text.partition("@")
    return before, int(since)


@cache
def levels() -> Levels:
    """Return the table of levels.toml."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    narrow = table["narrow"]
    return Levels(
        endpoints={name: _endpoint(text) for name, text in table["endpoints"].items()},
        objects={name: Words.read(text) for name, text in table["objects"].items()},
        register=Words.read(table["register"]["fields"]),
        events=table["events"],
        capabilities=Words.read(table["capabilities"]["known"]),
        operators=Words.read(narrow["operators"]),
        operands={name: Words.read(narrow[name]) for name in ("is", "has")},
        message_types=Words.read(table["types"]["message"]),
        renamed={name: _renamed(text) for name, text in table["renamed"].items()},
    )
