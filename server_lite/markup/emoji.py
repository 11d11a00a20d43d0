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
def _code_of() -> Mapping[str, str]:
    """The code of every emoji, by its characters without variation selectors."""
    return MappingProxyType({characters(code): code for code in code_to_names()})


@cache
def _longest() -> int:
    return max(map(len, _code_of()))


@cache
def starts() -> re.Pattern[str]:
    """One character that may begin an emoji; digits, # and * only before their keycap."""
    letters = "".join({sequence[0] for sequence in _code_of()} - set("0123456789#*"))
    return re.compile(f"[{re.escape(letters)}]|[0-9#*](?=\ufe0f?\u20e3)")


def match_at(text: str, start: int) -> tuple[int, str] | None:
    """The longest emoji that begins at `start` as (end, code).

    None where a skin tone or an unknown joined sequence follows: a part of it would show a
    different picture than its writer saw, so the whole stays text.
    """
    # Ends after each character and its selector, so that lengths can be tried from the longest.
    ends: list[int] = []
    letters = ""
    position = start
    while len(letters) < _longest() and position < len(text):
        letters += text[position]
        position += 2 if text[position + 1 : position + 2] == _SELECTOR else 1
        ends.append(position)
    for length in range(len(letters), 0, -1):
        code = _code_of().get(letters[:length])
        if code is not None:
            end = ends[length - 1]
            is_part = text[end : end + 1] in _JOINERS
            is_sign = length == 1 and end == start + 1 and _TYPOGRAPHY.match(letters)
            return None if is_part or is_sign else (end, code)
    return None
