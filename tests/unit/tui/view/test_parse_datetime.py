"""Times as people type them mean what people mean."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.view.parse_datetime import parse_moment, usual

NOW = datetime(2026, 11, 19, 15, 30, tzinfo=UTC)  # a Thursday


def _meant(text: str) -> str:
    moment = parse_moment(text, NOW.timestamp(), UTC)
    return "" if moment is None else f"{datetime.fromtimestamp(moment, UTC):%a %Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("18:30", "Thu 2026-11-19 18:30"),
        ("9", "Fri 2026-11-20 09:00"),
        ("9pm", "Thu 2026-11-19 21:00"),
        ("12 am", "Fri 2026-11-20 00:00"),
        ("noon", "Fri 2026-11-20 12:00"),
        ("tomorrow", "Fri 2026-11-20 09:00"),
        ("Tomorrow  9", "Fri 2026-11-20 09:00"),
        ("tomorrow at 14.15", "Fri 2026-11-20 14:15"),
        ("tomorrow evening", "Fri 2026-11-20 18:00"),
        ("today 17", "Thu 2026-11-19 17:00"),
        ("tonight", "Thu 2026-11-19 20:00"),
        ("friday", "Fri 2026-11-20 09:00"),
        ("thu 16:00", "Thu 2026-11-19 16:00"),
        ("thu", "Thu 2026-11-26 09:00"),
        ("next monday 8", "Mon 2026-11-23 08:00"),
        ("next week", "Mon 2026-11-23 09:00"),
        ("+2h", "Thu 2026-11-19 17:30"),
        ("+1h 30m", "Thu 2026-11-19 17:00"),
        ("in 10 minutes", "Thu 2026-11-19 15:40"),
        ("in 3 days", "Sun 2026-11-22 15:30"),
        ("24 dec 8:00", "Thu 2026-12-24 08:00"),
        ("3 march", "Wed 2027-03-03 09:00"),
        ("2026-12-01 10:05", "Tue 2026-12-01 10:05"),
        ("yesterday", "Wed 2026-11-18 09:00"),
        ("yesterday 14:00", "Wed 2026-11-18 14:00"),
        ("yesterday at noon", "Wed 2026-11-18 12:00"),
        ("last monday", "Mon 2026-11-16 09:00"),
        ("last thu 16:00", "Thu 2026-11-12 16:00"),
        ("last week", "Mon 2026-11-09 09:00"),
        ("3 days ago", "Mon 2026-11-16 15:30"),
        ("1h 30m ago", "Thu 2026-11-19 14:00"),
        ("today 9", "Thu 2026-11-19 09:00"),
        ("2026-01-01", "Thu 2026-01-01 09:00"),
    ],
)
def test_it_means_what_people_mean(text: str, meant: str) -> None:
    """Each form leads to the moment that somebody who types it on a Thursday afternoon expects."""
    assert _meant(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "25:00",
        "13pm",
        "31 feb",
        "tomorrow at",
        "+h",
        "2026-13-01",
        "t",
        "9:7",
        "last",
        "last 9",
        "ago",
        "3 ago",
        "last tomorrow",
    ],
)
def test_what_is_no_moment_is_none(text: str) -> None:
    """Nothing is sent at a time that was guessed."""
    assert _meant(text) == ""


def test_a_day_is_a_day_of_the_calendar_and_a_span_is_exact() -> None:
    """When the clocks go back in the night, tomorrow at nine is still at nine."""
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 10, 24, 12, 0, tzinfo=berlin)
    nine = parse_moment("tomorrow 9", now.timestamp(), berlin)
    assert nine == datetime(2026, 10, 25, 9, 0, tzinfo=berlin).timestamp()
    assert parse_moment("+1d", now.timestamp(), berlin) == now.timestamp() + 86400


@given(
    st.text(max_size=30)
    | st.from_regex(
        r"(tomorrow|\+|in|mon|last mon)? ?[0-9]{0,4}[:hm ]?[0-9]{0,5}( ago)?", fullmatch=True
    )
)
@settings(max_examples=60)
def test_whatever_is_typed_it_is_a_moment_or_none(text: str) -> None:
    """The preview follows every key, so no beginning of a time may break it."""
    moment = parse_moment(text, NOW.timestamp(), UTC)
    assert moment is None or abs(moment) < 1e12


def test_what_is_offered_is_to_come_and_offered_once() -> None:
    """On a Sunday tomorrow is next Monday; in the evening there is no evening to come."""
    sunday = datetime(2026, 11, 22, 15, 30, tzinfo=UTC).timestamp()
    assert usual(sunday, UTC) == ["in 1 hour", "this evening", "tomorrow"]
    late = datetime(2026, 11, 19, 19, 0, tzinfo=UTC).timestamp()
    assert usual(late, UTC) == ["in 1 hour", "tomorrow", "next monday"]
