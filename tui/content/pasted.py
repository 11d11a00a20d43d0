"""Text from the clipboard: removes control characters, and guesses the kind of text. Pure."""

import re
from typing import Final

from tui.dataclass import dataclass

_NEWLINES: Final = re.compile("\r\n?|[\u2028\u2029]")
_UNFIT: Final = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, which a terminal would obey
    "\u202a-\u202e\u2066-\u2069"  # they show a line in another order than it is sent
    "\ud800-\udfff"  # half characters, which nothing can store
    "\U000e0000-\U000e007f]"  # tags, which are invisible
)
_LOOKED_AT: Final = 4000
"""Characters from the beginning that decide the kind of text."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`language` stands behind the fence of a code block, `ending` at the end of a file's name."""

    language: str
    ending: str
    pattern: str = ""


PLAIN: Final = Kind("", "txt")
_JSON: Final = Kind("json", "json")
_KINDS: Final = (
    Kind("python", "py", r"\A#!.*python|^(?:def|class) \w+.*:$|^from \w[\w.]* import |^import \w+$"),
    Kind("bash", "sh", r"\A#!.*\b(?:ba|z|da|k)?sh\b"),
    Kind("diff", "diff", r"\Adiff --git |^--- \S.*\n\+\+\+ \S|^@@ -\d+"),
    Kind("pytb", "txt", r"^Traceback \(most recent call last\):$"),
    Kind("html", "html", r"(?i)\A\s*<(?:!doctype html|html)\b"),
    Kind("xml", "xml", r"\A\s*<\?xml "),
    Kind("c", "c", r"^#include [<\"]"),
    Kind("go", "go", r"\A(?:\s*//.*\n)*\s*package \w+$"),
    Kind("rust", "rs", r"^(?:pub )?fn \w+[<(]|^use \w+(?:::\w+)+"),
    Kind("java", "java", r"^public (?:final |abstract )?class \w+|^import java"),
    Kind("typescript", "ts", r"^(?:export )?interface \w+ \{|^import .* from ['\"].*['\"];?$"),
    Kind("javascript", "js", r"^(?:export )?(?:async )?function \w+\(|^const \w+ = "),
    Kind("sql", "sql", r"(?i)^(?:select .*|insert into |create (?:table|index|view) |update \w+ set )"),
    Kind("ini", "ini", r"\A(?:[#;].*\n|\s)*\[[\w.\- ]+\]$"),
)  # fmt: skip
"""Compiled when a text is pasted: that takes longer than importing the rest of the composer."""


def with_newlines(text: str) -> str:
    """Return the text with every line ended by a newline, whatever the terminal sends."""
    return _NEWLINES.sub("\n", text)


def fit(text: str) -> tuple[str, int]:
    """Return the text without control and invisible characters, and how many those were."""
    return re.subn(_UNFIT, "", with_newlines(text))


def count_lines(text: str) -> int:
    """Return the number of lines, without the empty ones at the end."""
    return text.rstrip("\n").count("\n") + 1


def kind_of(text: str) -> Kind:
    """Return the likely kind of a text, by its beginning; `PLAIN` if unknown."""
    beginning = text[:_LOOKED_AT]
    if beginning.lstrip()[:1] in ("{", "[") and _is_json(text):
        return _JSON
    for kind in _KINDS:
        if re.search(kind.pattern, beginning, re.M):
            return kind
    return PLAIN


def _is_json(text: str) -> bool:
    from tui.content import untrusted_json  # no start waits for it

    return untrusted_json.parsed(text) is not None


def code_block(text: str, language: str, *, before: str) -> str:
    """Return `text` in a fence longer than any within; `before` is the line before the position."""
    ticks = max((len(run) for run in re.findall("`{3,}", text)), default=2) + 1
    fence = "`" * ticks
    start = "\n" if before else ""
    return f"{start}{fence}{language}\n{text.strip(chr(10))}\n{fence}\n"
