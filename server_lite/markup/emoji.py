"""Unicode emoji: names and codes, both ways. Reads its own data file once; otherwise pure.

A code is the emoji's code points in lower-case hexadecimal, joined by `-`, without U+FE0F.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

EXTRA_NAME: Final = "zulip"
"""The one built-in emoji outside Unicode, a name that messages of this ecosystem use."""

EXTRA_URL: Final = "/static/generated/emoji/images/emoji/unicode/zulip.png"

EMOTICONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        ":)": "smile",
        "(:": "smile",
        ":(": "frown",
        "<3": "heart",
        ":|": "neutral",
        ":/": "confused",
        ";)": "wink",
        ":D": "grinning",
        ":o": "open_mouth",
        ":O": "open_mouth",
        ":p": "stuck_out_tongue",
        ":P": "stuck_out_tongue",
    }
)
"""What people type, and the name that it stands for."""

_SELECTOR: Final = "\ufe0f"
_JOINERS: Final = frozenset("\u200d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
# Signs that are letters or typography to most writers: emoji only where U+FE0F asks for it.
_TYPOGRAPHY: Final = re.compile(r"[\u0000-\u1fff\u2100-\u22ff]")


@cache
def code_to_names() -> Mapping[str, tuple[str, ...]]:
    """Every code with its names, the canonical one first."""
    data = json.loads(files("server_lite.markup.data").joinpath("emoji.json").read_text("utf-8"))
    return MappingProxyType({code: tuple(names) for code, names in data.items()})


@cache
def name_to_code() -> Mapping[str, str]:
    """Every name, canonical or not, with its code."""
    return MappingProxyType(
        {name: code for code, names in code_to_names().items() for name in names}
    )


def canonical_name(code: str) -> str | None:
    """The first name of a code."""
    names = code_to_names().get(code)
    return names[0] if names else None


def characters(code: str) -> str:
    """The emoji itself, as text without variation selectors."""
    return "".join(chr(int(part, 16)) for part in code.split("-"))


@cache
def _codes_by_first() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """For each first character its emoji, longest first, as (characters, code)."""
    table: dict[str, list[tuple[str, str]]] = {}
    for code in code_to_names():
        sequence = characters(code)
        table.setdefault(sequence[0], []).append((sequence, code))
    return {
        first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in table.items()
    }


@cache
def starts() -> re.Pattern[str]:
    """One character that may begin an emoji; digits, # and * only before their keycap."""
    letters = "".join(first for first in _codes_by_first() if first not in "0123456789#*")
    return re.compile(f"[{re.escape(letters)}]|[0-9#*](?=\ufe0f?\u20e3)")


def match_at(text: str, start: int) -> tuple[int, str] | None:
    """The emoji that begins at `start` as (end, code).

    None where a skin tone or an unknown joined sequence follows: a part of it would show a
    different picture than its writer saw, so the whole stays text.
    """
    window = text[start : start + 24]
    for sequence, code in _codes_by_first().get(window[:1], ()):
        length = _matched(window, sequence)
        if length is None:
            continue
        if window[length : length + 1] in _JOINERS:
            return None
        if len(sequence) == 1 and _TYPOGRAPHY.match(sequence) and window[1:2] != _SELECTOR:
            return None
        return start + length, code
    return None


def _matched(window: str, sequence: str) -> int | None:
    """How many characters of `window` spell `sequence`, variation selectors skipped."""
    position = 0
    for character in sequence:
        if window[position : position + 1] != character:
            return None
        position += 1
        if window[position : position + 1] == _SELECTOR:
            position += 1
    return position
