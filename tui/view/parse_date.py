"""Past days, as people type them: `yesterday`, `monday`, `3 nov`, `2026-11-03`, `2w`, `last month`. Pure."""

import re
from datetime import date, timedelta
from typing import Final

HINT: Final = "yesterday · monday · 3 nov · 2026-11-03 · 10d · 2w"

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")  # fmt: skip
_AGO = re.compile(r"(\d{1,4}|an? )\s*(d|w|mo|y)[a-z]*(?: ago)?")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_OF_MONTH = re.compile(r"(\d{1,2})\.?\s+([a-z]{3})[a-z]*(?:\s+(\d{4}))?")
_MONTH_AND_DAY = re.compile(r"([a-z]{3})[a-z]*\s+(\d{1,2})(?:,?\s+(\d{4}))?")


def parse_day(text: str, today: date) -> date | None:
    """Return the day, today or before; None if the text is no day. A weekday is the last one."""
    typed = " ".join(text.casefold().split())
    if typed in ("last week", "last month", "last year"):
        typed = typed.replace("last", "1")
    typed = typed.removeprefix("last ")
    if typed in ("today", "yesterday"):
        return today - timedelta(days=typed == "yesterday")
    weekdays = [at for at, name in enumerate(_DAYS) if len(typed) >= 3 and name.startswith(typed)]
    if weekdays:
        return today - timedelta(days=(today.weekday() - weekdays[0] - 1) % 7 + 1)
    try:
        day = _counted(typed, today)
    except (ValueError, OverflowError):
        return None
    return None if day is None or day > today else day


def _counted(typed: str, today: date) -> date | None:
    if ago := _AGO.fullmatch(typed):
        count = int(ago[1]) if ago[1].isdecimal() else 1
        if ago[2] in ("mo", "y"):
            return _months_before(today, count * (12 if ago[2] == "y" else 1))
        return today - timedelta(days=count * (7 if ago[2] == "w" else 1))
    if iso := _ISO.fullmatch(typed):
        return date(int(iso[1]), int(iso[2]), int(iso[3]))
    if first := _MONTH_AND_DAY.fullmatch(typed):
        typed = f"{first[2]} {first[1]}" + (f" {first[3]}" if first[3] else "")
    named = _DAY_OF_MONTH.fullmatch(typed)
    if named is None or named[2] not in _MONTHS:
        return None
    month, year = _MONTHS.index(named[2]) + 1, int(named[3] or today.year)
    day = date(year, month, int(named[1]))
    # Without a year the last such day is meant.
    return day.replace(year=year - 1) if day > today and named[3] is None else day


def _months_before(day: date, months: int) -> date:
    """Return the same day of an earlier month, or that month's last day."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    first = date(year, month + 1, 1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return min(last, first + timedelta(days=day.day - 1))
