"""Top-level domains that make `word.tld` a URL without `http://`: IANA's list, without file extensions."""

from pathlib import Path
from typing import Final

_ENDINGS_OF_FILES: Final = frozenset(
    [
        "as",
        "cc",
        "java",
        "map",
        "md",
        "ml",
        "mov",
        "properties",
        "ps",
        "py",
        "rs",
        "sh",
        "so",
        "tf",
        "zip",
    ]
)
"""`main.py` and `readme.md` are more often files: such a URL needs its scheme."""

TOP_LEVEL_DOMAINS: Final = (
    frozenset(
        Path(__file__)
        .with_name("data")
        .joinpath("top_level_domains.txt")
        .read_text("utf-8")
        .split()
    )
    - _ENDINGS_OF_FILES
)
