"""Times as people type them: `18:30`, `tomorrow 9`, `+2h`, `yesterday 14:00`. Pure; the clock is given."""

import re
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

MORNING: Final = time(9)
"""The time of a day that is given without one."""

_UNITS: Final = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_PART: Final = r"(\d{1,4})\s*(m|h|d|w)[a-z]*"
_PARTS: Final = r"((?:\d{1,4}\s*(?:m|h|d|w)[a-z]*\s*)+)"
_SPAN: Final = rf"(?:\+|in\s)\s*{_PARTS}"
_AGO: Final = rf"{_PARTS}\sago"
_CLOCK: Final = r"(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?"
_NAMED: Final = {"noon": time(12), "midnight": time(0), "morning": MORNING, "evening": time(18)}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")  # fmt: skip
_ISO: Final = r"(\d{4})-(\d{1,2})-(\d{1,2})"
_DAY_OF_MONTH: Final = r"(\d{1,2})\.?\s+([a-z]{3})[a-z]*(?:\s+(\d{4}))?"

HINT: Final = "18:30 · tomorrow 9 · friday 14:00 · 24 dec 8:00 · +2h"


_USUAL: Final = ("in 1 hour", "this evening", "tomorrow", "next monday")


def usual(now: float, zone: tzinfo | None) -> list[str]:
    """Return suggested times: those in the future, each once (on a Sunday, tomorrow is next Monday)."""
    texts_by_time: dict[float, str] = {}
    for text in _USUAL:
        at = parse_moment(text, now, zone)
        if at is not None and at > now:
            texts_by_time.setdefault(at, text)
    return list(texts_by_time.values())


def parse_moment(text: str, now: float, zone: tzinfo | None) -> float | None:
    """Return the time as UNIX seconds, None if the text is none; `zone` None is the machine's own.

    A time of day is the next one. A weekday is the next one, today too if the time is to come, and after
    `last` the one before today. A span is exact, however the clocks change; days are days of the calendar.
    """
    typed = " ".join(text.casefold().split())
    if span := re.fullmatch(_SPAN, typed):
        return now + _seconds(span[1])
    if span := re.fullmatch(_AGO, typed):
        return now - _seconds(span[1])
    here = datetime.fromtimestamp(now, zone).replace(tzinfo=None)
    local_time = _on_a_day(typed.removeprefix("next ").removeprefix("on "), here)
    if local_time is None:
        return None
    try:
        return local_time.replace(tzinfo=zone).timestamp()
    except (OverflowError, ValueError, OSError):
        return None


def _seconds(parts: str) -> int:
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(_PART, parts))


def _on_a_day(typed: str, here: datetime) -> datetime | None:
    alone = _clock(typed)
    if alone is not None:
        moment = datetime.combine(here, alone)
        return moment if moment > here else moment + timedelta(days=1)
    day_words, clock = _split(typed)
    if clock is None:
        return None
    day = _day(day_words, here, clock)
    return None if day is None else datetime.combine(day, clock)


def _split(typed: str) -> tuple[str, time | None]:
    """Split the text into the words for the day and the time of day after them."""
    if typed in ("tonight", "this evening"):
        return "today", time(20) if typed == "tonight" else time(18)
    if _is_day(typed):
        return typed, MORNING
    for at in (match.start() for match in re.finditer(" ", typed)):
        clock = _clock(typed[at + 1 :].removeprefix("at "))
        if clock is not None and _is_day(typed[:at]):
            return typed[:at], clock
    return typed, None


def _clock(typed: str) -> time | None:
    if typed in _NAMED:
        return _NAMED[typed]
    match = re.fullmatch(_CLOCK, typed)
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), match[3]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half == "pm")
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _is_day(typed: str) -> bool:
    return _day(typed, datetime.combine(date(2000, 1, 1), MORNING), MORNING) is not None


def _day(typed: str, here: datetime, clock: time) -> date | None:
    today = here.date()
    weeks = {"week": 7 - today.weekday(), "last week": -7 - today.weekday()}
    days = {"today": 0, "tomorrow": 1, "tmr": 1, "yesterday": -1, **weeks}
    if typed in days:
        return today + timedelta(days=days[typed])
    name = typed.removeprefix("last ")
    if len(name) >= 2 and any(day.startswith(name) for day in _DAYS):
        weekday = next(i for i, day in enumerate(_DAYS) if day.startswith(name))
        ahead = (weekday - today.weekday()) % 7
        if name != typed:
            return today - timedelta(days=7 - ahead)
        return today + timedelta(days=7 if ahead == 0 and clock <= here.time() else ahead)
    return _date(typed, here, clock)


def _date(typed: str, here: datetime, clock: time) -> date | None:
    iso = re.fullmatch(_ISO, typed)
    named = re.fullmatch(_DAY_OF_MONTH, typed)
    try:
        if iso is not None:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if named is None or named[2] not in _MONTHS:
            return None
        day, month = int(named[1]), _MONTHS.index(named[2]) + 1
        if named[3] is not None:
            return date(int(named[3]), month, day)
        this_year = date(here.year, month, day)
        past = datetime.combine(this_year, clock) <= here
        return date(here.year + 1, month, day) if past else this_year
    except ValueError:
        return None
