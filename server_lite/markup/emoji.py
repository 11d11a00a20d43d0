"""Unicode emoji: names and codes, both ways. Reads its own data file once; otherwise pure.

A code is the emoji's code points in lower-case hexadecimal, joined by `-`, without U+FE0F.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

EXTRA_NAME: Final = "zulip"
"""The one built-in emoji outside Unicode, by a name that messages on other servers use."""

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
"""Emoticons, and the names of their emoji."""

_SELECTOR: Final = "\ufe0f"
# Signs that most writers use as letters or typography: emoji only with U+FE0F.
_TYPOGRAPHY: Final = re.compile(r"[\u0000-\u1fff\u2100-\u22ff]")


@cache
def code_to_names() -> Mapping[str, tuple[str, ...]]:
    """Return all codes with their names, the canonical one first."""
    data = json.loads(Path(__file__).with_name("data").joinpath("emoji.json").read_text("utf-8"))
    return MappingProxyType({code: tuple(names) for code, names in data.items()})


@cache
def name_to_code() -> Mapping[str, str]:
    """Return all names, canonical or not, with their code."""
    return MappingProxyType(
        {name: code for code, names in code_to_names().items() for name in names}
    )


def canonical_name(code: str) -> str:
    """Return the canonical name of a code that `find_all` found."""
    return code_to_names()[code][0]


def characters(code: str) -> str:
    """Return the emoji as text, without variation selectors."""
    return "".join(chr(int(part, 16)) for part in code.split("-"))


@cache
def _code_of() -> Mapping[str, str]:
    """Return the codes of all emoji, by their characters without variation selectors."""
    return MappingProxyType({characters(code): code for code in code_to_names()})


@cache
def _sequence() -> re.Pattern[str]:
    """Return a pattern of possible emoji: a flag, a keycap, or a symbol with everything joined to it."""
    firsts = {sequence[0] for sequence in _code_of()} - set("0123456789#*")
    return re.compile(
        "[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3"
        f"|[{re.escape(''.join(sorted(firsts)))}]"
        "(?:[\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d.)*",
        re.DOTALL,
    )


def find_all(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the emoji in a text as (start, end, code).

    A skin tone or an unknown joined sequence stays text as a whole: a part of it would show a
    different emoji than its writer saw.
    """
    if text.isascii():
        return
    codes = _code_of()
    for match in _sequence().finditer(text):
        letters = match[0]
        code = codes.get(letters if len(letters) == 1 else letters.replace(_SELECTOR, ""))
        if code is not None and not (len(letters) == 1 and _TYPOGRAPHY.match(letters)):
            yield match.start(), match.end(), code
