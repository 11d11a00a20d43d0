"""Completions of `<time:`, from a time in words. Pure; the clock is given."""

import re
from datetime import datetime, tzinfo
from typing import Final

from tui.view.completions import Completion
from tui.view.parse_datetime import parse_moment

_BEGUN: Final = re.compile(r"<time:([^<>]*)$")
EXAMPLES: Final = ("tomorrow 9", "+1h")
"""Proposed before a word is typed."""


def time_completions(before: str, now: float, zone: tzinfo | None) -> list[Completion]:
    """Return the times named at the end of `before`; empty where no time is being typed."""
    begun = _BEGUN.search(before)
    if begun is None:
        return []
    typed = begun[1].strip()
    completions = []
    for words in [typed] if typed else EXAMPLES:
        moment = parse_moment(words, now, zone)
        if moment is not None:
            there = datetime.fromtimestamp(moment, zone).astimezone(zone)
            text = f"<time:{there.isoformat(timespec='minutes')}> "
            when = f"{there:%a} {there.day} {there:%b %H:%M}"
            completions.append(
                Completion(label=when, detail=words, text=text, replaces=len(begun[0]))
            )
    return completions
