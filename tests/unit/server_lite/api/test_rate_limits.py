"""Rate limits: a burst is let through, a flood is told how long to wait, one key does not cost another."""

import pytest

from server_lite.api.rate_limits import RateLimit
from server_lite.errors import RateLimited


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_flood_is_told_when_to_come_back() -> None:
    """After the burst comes a refusal with the seconds to wait, and they are right."""
    clock = Clock()
    limit = RateLimit(3, 60, monotonic=clock)
    assert [limit.spend("ann").remaining for _ in range(3)] == [2, 1, 0]
    with pytest.raises(RateLimited) as refused:
        limit.spend("ann")
    assert refused.value.data["retry-after"] == pytest.approx(20)
    limit.spend("bob")
    clock.now += refused.value.retry_after
    assert limit.spend("ann").remaining == 0


def test_many_addresses_cost_bounded_memory() -> None:
    """An attacker with many addresses does not fill the server's memory."""
    clock = Clock()
    limit = RateLimit(3, 60, monotonic=clock)
    for address in range(25_000):
        clock.now += 0.1
        limit.spend(address)
    assert len(limit._buckets) <= 10_000
