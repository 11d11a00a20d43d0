"""Rate limits of requests per user, or per address. In memory; refuses, never waits."""

import math
import time
from collections.abc import Callable, Hashable
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.errors import Allowance, RateLimited


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class RateLimit:
    """Token buckets: `limit` requests per `period` seconds for each key, refilled steadily."""

    def __init__(
        self, limit: int, period: float, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit: Final = limit
        self._rate: Final = limit / period
        self._monotonic: Final = monotonic
        self._buckets: dict[Hashable, _Bucket] = {}

    def spend(self, key: Hashable, cost: float = 1.0) -> Allowance:
        """Take `cost` requests from the key's bucket; raises RateLimited if it is empty."""
        now = self._monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            self._forget(now)
            bucket = self._buckets[key] = _Bucket(float(self._limit), now)
        bucket.tokens = min(self._limit, bucket.tokens + (now - bucket.at) * self._rate)
        bucket.at = now
        if bucket.tokens < cost:
            wait = round((cost - bucket.tokens) / self._rate, 3)
            raise RateLimited(wait, self._allowance(bucket, 0))
        bucket.tokens -= cost
        return self._allowance(bucket, math.floor(bucket.tokens))

    def _allowance(self, bucket: _Bucket, remaining: int) -> Allowance:
        reset_in = (self._limit - bucket.tokens) / self._rate
        return Allowance(remaining=remaining, limit=self._limit, reset_in=reset_in)

    def _forget(self, now: float) -> None:
        """Drop full buckets, which contain no information, once there are many keys."""
        if len(self._buckets) < 10_000:
            return
        full = [
            key
            for key, bucket in self._buckets.items()
            if bucket.tokens + (now - bucket.at) * self._rate >= self._limit
        ]
        for key in full:
            del self._buckets[key]
