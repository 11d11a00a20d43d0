"""Abbreviations of time zones, as used after a time. Data only.

An abbreviation of several zones stands for the one with the most people (`CST` in America, `IST` in India).
"""

from types import MappingProxyType
from typing import Final

_HOURS: Final = """
    -11 SST  -10 HST  -9 AKST HDT  -8 PST AKDT  -7 MST PDT  -6 CST MDT  -5 EST CDT  -4 AST EDT  -3 ADT BRT ART
    -3:30 NST  -2:30 NDT  0 UTC GMT WET Z  1 CET BST WEST WAT  2 CEST EET SAST CAT  3 EEST MSK EAT IDT
    5 PKT UZT  5:30 IST  5:45 NPT  7 ICT WIB  8 AWST HKT SGT WITA  9 JST KST WIT  9:30 ACST
    10 AEST CHST  10:30 ACDT  11 AEDT  12 NZST  13 NZDT
"""


def _minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes or 0) * (-1 if hours.startswith("-") else 1)


def _table() -> dict[str, int]:
    table: dict[str, int] = {}
    offset = 0
    for word in _HOURS.split():
        if word[0].isalpha():
            table[word] = offset
        else:
            offset = _minutes(word)
    return table


OFFSETS: Final = MappingProxyType(_table())
"""Minutes ahead of UTC by abbreviation."""
