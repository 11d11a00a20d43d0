"""Parses times: `31 Dec 2017`, `2017-12-31 10:00 CET`, `Fri 3pm`, ISO 8601, UNIX seconds. Pure.

Accepted formats, and which of several numbers is the day, follow dateutil, which full servers use: a time
of day with its zone may be anywhere, and the rest is a date. Missing parts are those of today, in UTC.
An unknown zone is an error here, and `UTC+3` is ahead of UTC, because a wrong time is worse than none.
"""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import partial
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.markup.time_zones import OFFSETS

MAX_LENGTH: Final = 100
"""Limit of characters in a text to parse."""

_UNIX: Final = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?")
_HALF: Final = r"\s?(?P<half>[AaPp])(?:\.?[Mm]\.?)?(?![A-Ya-y])"
_CLOCK: Final = re.compile(
    rf"""
    (?: (?<![0-9:.+-]) (?P<hour>[0-9]{{1,2}}) (?: : (?P<minute>[0-9]{{1,2}})
            (?: : (?P<second>[0-9]{{1,2}}) (?: [.,] (?P<fraction>[0-9]{{1,9}}) )? )? (?: {_HALF} )?
          | {_HALF.replace("half", "bare_half")}
          | \s?h (?: (?P<minute_of_h>[0-9]{{2}}) | \s? (?P<minute_of_m>[0-9]{{1,2}}) \s?m )? (?![A-Ya-y0-9]) )
      | (?<=[0-9][Tt]) (?P<packed>[0-9]{{2}}|[0-9]{{4}}|[0-9]{{6}}) (?![0-9:])
    )
    (?: \s? (?P<zone>[A-Z]{{3,5}}|[Zz]) (?![A-Za-z]) )?
    (?: \s? (?P<sign>[+-]) (?P<hours>[0-9]{{1,2}}) (?: :? (?P<minutes>[0-9]{{2}}) )? (?![0-9:]) )?
    (?: \s? \([A-Z]{{3,5}}\) )?
    """,
    re.VERBOSE,
)
_WORD: Final = re.compile(r"([0-9]+)(?:st|nd|rd|th)?|([a-z]+)\.?|[\s,;./'-]", re.IGNORECASE)
_FILLERS: Final = frozenset({"at", "on", "and", "of", "ad", "t"})


def _places(names: str) -> dict[str, int]:
    """Return names, in full and by their first three letters, with their positions."""
    place_by_name = {name: place for place, name in enumerate(names.split())}
    return place_by_name | {name[:3]: place for name, place in place_by_name.items()}


_MONTHS: Final = _places(
    "january february march april may june july august september october november december"
) | {"sept": 8}
_WEEKDAYS: Final = _places("monday tuesday wednesday thursday friday saturday sunday")
_LAST_DAY: Final = 31
_LAST_MONTH: Final = 12
_YEAR_DIGITS: Final = 4
_PACKED_DATES: Final = (6, 8, 12, 14)


def parse_moment(text: str, today: date) -> datetime | None:
    """Return the time in UTC; None if the text is not a time."""
    stripped = text.strip()
    if not stripped or len(stripped) > MAX_LENGTH:
        return None
    for read in (_iso, partial(_written, today=today), _unix):
        try:
            moment = read(stripped)
            if moment is not None:
                return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError, OSError):
            pass  # it may have the next format
    return None


def _iso(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _unix(text: str) -> datetime | None:
    return datetime.fromtimestamp(float(text), UTC) if _UNIX.fullmatch(text) else None


def _written(text: str, today: date) -> datetime | None:
    clock = _CLOCK.search(text)
    rest = text if clock is None else f"{text[: clock.start()]} {text[clock.end() :]}"
    parts = _date_parts(rest)
    if parts is None or (clock is None and parts.is_empty):
        return None
    if clock is not None and parts.clock is not None:
        return None
    at = parts.clock or (time() if clock is None else _time_of_day(clock))
    moment = datetime.combine(_resolved(parts, today), at)
    offset = _offset(clock) if clock else timedelta()
    return moment.replace(tzinfo=timezone(offset))


def _time_of_day(clock: re.Match[str]) -> time:
    """Return the time of day; raises ValueError for invalid hours and minutes."""
    if packed := clock["packed"]:
        return time.fromisoformat(packed)
    hour = int(clock["hour"])
    half = clock["half"] or clock["bare_half"]
    if half and hour <= _LAST_MONTH:
        hour = hour % 12 + (12 if half in "Pp" else 0)
    minute = int(clock["minute"] or clock["minute_of_h"] or clock["minute_of_m"] or 0)
    microsecond = int((clock["fraction"] or "0").ljust(6, "0")[:6])
    return time(hour, minute, int(clock["second"] or 0), microsecond)


def _offset(clock: re.Match[str]) -> timedelta:
    """Return the offset ahead of UTC; raises ValueError for an unknown zone."""
    minutes = 0
    if clock["zone"]:
        if clock["zone"].upper() not in OFFSETS:
            raise ValueError(clock["zone"])
        minutes = OFFSETS[clock["zone"].upper()]
    if clock["sign"]:
        ahead = int(clock["hours"]) * 60 + int(clock["minutes"] or 0)
        minutes += -ahead if clock["sign"] == "-" else ahead
    return timedelta(minutes=minutes)


@dataclass(slots=True)
class _DateParts:
    """The parts of a date: its numbers in order (with the position of the month, if it is a word)."""

    numbers: list[int]
    month_place: int | None = None
    year_place: int | None = None
    weekday: int | None = None
    clock: time | None = None

    @property
    def is_empty(self) -> bool:
        return not self.numbers and self.weekday is None


def _date_parts(text: str) -> _DateParts | None:
    """Return the parts of a date; None if the text contains anything else."""
    parts = _DateParts([])
    position = 0
    while position < len(text):
        match = _WORD.match(text, position)
        if match is None or not _take(parts, match) or len(parts.numbers) > 3:
            return None
        position = match.end()
    return parts


def _take(parts: _DateParts, match: re.Match[str]) -> bool:
    digits, word = match[1], (match[2] or "").lower()
    if digits:
        _take_digits(parts, digits)
    elif (month := _MONTHS.get(word)) is not None:
        if parts.month_place is not None:
            return False
        parts.month_place = len(parts.numbers)
        parts.numbers.append(month + 1)
    elif (weekday := _WEEKDAYS.get(word)) is not None:
        parts.weekday = weekday
    else:
        return not word or word in _FILLERS
    return True


def _take_digits(parts: _DateParts, digits: str) -> None:
    if len(parts.numbers) == 3 and len(digits) in {2, 4}:
        parts.clock = time(int(digits[:2]), int(digits[2:] or 0))
    elif not parts.numbers and len(digits) in _PACKED_DATES:
        year = 2 if len(digits) == _PACKED_DATES[0] else _YEAR_DIGITS
        parts.numbers += (
            int(digits[:year]),
            int(digits[year : year + 2]),
            int(digits[year + 2 : year + 4]),
        )
        parts.year_place = 0 if year == _YEAR_DIGITS else None
        if rest := digits[year + 4 :]:
            parts.clock = time.fromisoformat(rest)
    else:
        if len(digits) > 2:
            parts.year_place = len(parts.numbers)
        parts.numbers.append(int(digits))


def _resolved(parts: _DateParts, today: date) -> date:
    """Return the date; raises ValueError for one that does not exist."""
    year, month, day = _ordered(parts)
    if year is not None and parts.year_place is None:
        year += today.year // 100 * 100
        year += 100 * ((year < today.year - 50) - (year >= today.year + 50))
    year, month = year or today.year, month or today.month
    if day is not None:
        return date(year, month, day)
    near_date = date(year, month, min(today.day, monthrange(year, month)[1]))
    if parts.weekday is None:
        return near_date
    return near_date + timedelta(days=(parts.weekday - near_date.weekday()) % 7)


def _ordered(parts: _DateParts) -> tuple[int | None, int | None, int | None]:
    """Return year, month and day: American order for ambiguous numbers, as in `12/31/2017`."""
    match parts.numbers, parts.month_place:
        case [], _:
            return None, None, None
        case [month], 0:
            return None, month, None
        case [number], _:
            return (number, None, None) if _is_year(parts, 0) else (None, None, number)
        case [first, second], None:
            if _is_year(parts, 0):
                return first, second, None
            return (second, first, None) if _is_year(parts, 1) else (None, first, second)
        case [_, _], place:
            month, other = (0, 1) if place == 0 else (1, 0)
            if _is_year(parts, other):
                return parts.numbers[other], parts.numbers[month], None
            return None, parts.numbers[month], parts.numbers[other]
        case [first, second, third], None:
            if _is_year(parts, 0):
                return first, second, third
            return (third, second, first) if first > _LAST_MONTH else (third, first, second)
        case [first, second, third], 0:
            return (second, first, third) if _is_year(parts, 1) else (third, first, second)
        case [first, second, third], 1:
            return (first, second, third) if _is_year(parts, 0) else (third, second, first)
        case [first, second, third], _:
            return (second, third, first) if _is_year(parts, 1) else (first, third, second)
    raise ValueError(parts)


def _is_year(parts: _DateParts, place: int) -> bool:
    return parts.year_place == place or parts.numbers[place] > _LAST_DAY
