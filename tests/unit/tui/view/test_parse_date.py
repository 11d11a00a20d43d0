"""Days gone by, as people type them."""

from datetime import date

import pytest

from tui.view.parse_date import parse_day

TODAY = date(2026, 11, 21)
"""A Saturday."""


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("today", date(2026, 11, 21)),
        ("Yesterday", date(2026, 11, 20)),
        ("mon", date(2026, 11, 16)),
        ("last saturday", date(2026, 11, 14)),
        ("10d", date(2026, 11, 11)),
        ("2 weeks ago", date(2026, 11, 7)),
        ("3 nov", date(2026, 11, 3)),
        ("24. December", date(2025, 12, 24)),
        ("1 may 2024", date(2024, 5, 1)),
        ("2026-02-28", date(2026, 2, 28)),
        ("last  week", date(2026, 11, 14)),
        ("a week ago", date(2026, 11, 14)),
        ("3 days ago", date(2026, 11, 18)),
        ("last month", date(2026, 10, 21)),
        ("9 months ago", date(2026, 2, 21)),
        ("2y", date(2024, 11, 21)),
        ("last year", date(2025, 11, 21)),
        ("nov 3", date(2026, 11, 3)),
        ("December 24, 2024", date(2024, 12, 24)),
    ],
)
def test_a_day_that_was(words: str, day: date) -> None:
    """A weekday is the last one, a date without a year the last such day."""
    assert parse_day(words, TODAY) == day


@pytest.mark.parametrize(
    "words",
    [
        "",
        "m",
        "31 feb",
        "2026-13-01",
        "2027-01-01",
        "99999w",
        "30 nov 2026",
        "29 feb",
        "tomorrow",
        "9999y",
        "last",
    ],
)
def test_what_is_no_day_that_was(words: str) -> None:
    """Days to come, and days that no calendar has, lead nowhere."""
    assert parse_day(words, TODAY) is None


def test_a_month_before_a_long_one_ends_earlier() -> None:
    """A month before 31 March is the end of February."""
    assert parse_day("1 month ago", date(2026, 3, 31)) == date(2026, 2, 28)
