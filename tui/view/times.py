"""Times as the user wants them shown: clock, day, relative. No clock of its own."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from tui.dataclass import dataclass

FIRST: Final = -62_135_400_000.0
LAST: Final = 253_402_100_000.0
"""UNIX seconds of the years 1 and 9999, a day within them: no zone exceeds the range of dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How times are shown: `zone` None is the machine's own."""

    zone: tzinfo | None = None
    twelve_hour: bool = False

    def local(self, timestamp: float) -> datetime:
        """Return UNIX seconds as a time in the user's zone."""
        return datetime.fromtimestamp(_within(timestamp), self.zone).astimezone(self.zone)

    def clock(self, timestamp: float) -> str:
        """Format the time of day: `14:05`, or `2:05 PM`."""
        moment = self.local(timestamp)
        if not self.twelve_hour:
            return f"{moment:%H:%M}"
        return f"{moment.hour % 12 or 12}:{moment:%M} {'PM' if moment.hour >= 12 else 'AM'}"

    def day(self, timestamp: float) -> date:
        """Return the user's date at that time."""
        return self.local(timestamp).date()

    def moment(self, timestamp: float) -> str:
        """Format day and time: `21 Nov 2026, 14:05`."""
        day = self.day(timestamp)
        return f"{day.day} {day:%b %Y}, {self.clock(timestamp)}"


def utc(timestamp: float) -> datetime:
    """Return UNIX seconds as a time in UTC, for programs."""
    return datetime.fromtimestamp(_within(timestamp), UTC)


def _within(seconds: float) -> float:
    """Clamp seconds to the range of dates: a server may send any number."""
    return min(max(seconds, FIRST), LAST)


def day_name(day: date, today: date) -> str:
    """Format a day: `Today`, `Yesterday`, `Friday`, `Friday 6 November`, with the year if not this one."""
    ago = (today - day).days
    if ago == 0:
        return "Today"
    if ago == 1:
        return "Yesterday"
    name = f"{day:%A} {day.day} {day:%B}"
    return name if day.year == today.year else f"{name} {day.year}"


def ago(seconds: float) -> str:
    """Format a span: `now`, `5 min`, `3 h`, `2 days`."""
    span = timedelta(seconds=_within(max(0, seconds)))
    if span < timedelta(minutes=2):
        return "now"
    if span < timedelta(hours=2):
        return f"{span.seconds // 60} min"
    if span < timedelta(days=2):
        return f"{round(span.total_seconds() / 3600)} h"
    return f"{span.days} days"
