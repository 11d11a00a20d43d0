"""Moments in words, whatever number a server says."""

from zoneinfo import ZoneInfo

import pytest

from tui.view.times import Times, ago, utc


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak", "UTC"])
@pytest.mark.parametrize("timestamp", [1e300, -1e300, 2**63, -(2**63), 10**18, 1e11, 0])
def test_any_number_is_a_moment(timestamp: float, zone: str) -> None:
    """A list of invitations, and a script that reads messages, ended at a year that dates cannot say."""
    times = Times(zone=ZoneInfo(zone), twelve_hour=True)
    assert times.moment(timestamp)
    assert utc(timestamp).isoformat()
    assert ago(timestamp)


def test_ordinary_moments() -> None:
    """As a reader wants them told."""
    times = Times(zone=ZoneInfo("UTC"))
    assert times.moment(1_750_000_000) == "15 Jun 2025, 15:06"
    assert ago(3 * 86_400) == "3 days"
