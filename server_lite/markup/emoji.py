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
# Signs that are letters or typography to most writers: emoji only where U+FE0F asks for it.
_TYPOGRAPHY: Final = re.compile(r"[\u0000-\u1fff\u2100-\u22ff]")


@cache
def code_to_names() -> Mapping[str, tuple[str, ...]]:
    """Every code with its names, the canonical one first."""
    data = json.loads(Path(__file__).with_name("data").joinpath("emoji.json").read_text("utf-8"))
    return MappingProxyType({code: tuple(names) for code, names in data.items()})


@cache
def name_to_code() -> Mapping[str, str]:
    """Every name, canonical or not, with its code."""
    return MappingProxyType(
        {name: code for code, names in code_to_names().items() for name in names}
    )


def canonical_name(code: str) -> str:
    """The first name of a code that `find_all` found."""
    return code_to_names()[code][0]


def characters(code: str) -> str:
    """The emoji itself, as text without variation selectors."""
    return "".join(chr(int(part, 16)) for part in code.split("-"))


@cache
def _code_of() -> Mapping[str, str]:
    """The code of every emoji, by its characters without variation selectors."""
    return MappingProxyType({characters(code): code for code in code_to_names()})


@cache
def _sequence() -> re.Pattern[str]:
    """What may be one emoji: a flag, a keycap, or a picture with all that is joined to it."""
    firsts = {sequence[0] for sequence in _code_of()} - set("0123456789#*")
    return re.compile(
        "[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3"
        f"|[{re.escape(''.join(sorted(firsts)))}]"
        "(?:[\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d.)*",
        re.DOTALL,
    )


def find_all(text: str) -> Iterator[tuple[int, int, str]]:
    """The emoji in a text as (start, end, code).

    A skin tone or an unknown joined sequence stays text as a whole: a part of it would show a
    different picture than its writer saw.
    """
    if text.isascii():
        return
    codes = _code_of()
    for match in _sequence().finditer(text):
        letters = match[0]
        code = codes.get(letters if len(letters) == 1 else letters.replace(_SELECTOR, ""))
        if code is not None and not (len(letters) == 1 and _TYPOGRAPHY.match(letters)):
            yield match.start(), match.end(), code
