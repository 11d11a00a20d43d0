"""Top-level domains that make `word.tld` an address without `http://`: IANA's list, less endings of files."""

from importlib.resources import files
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
"""`main.py` and `readme.md` are more often files: such an address needs its scheme."""

TOP_LEVEL_DOMAINS: Final = (
    frozenset(
        files("server_lite.markup.data")
        .joinpath("top_level_domains.txt")
        .read_text("utf-8")
        .split()
    )
    - _ENDINGS_OF_FILES
)
