"""Identifies who makes a request, and counts it towards their limits. What they may do is decided elsewhere."""

from collections.abc import Hashable
from functools import partial
from typing import Final

from server_lite.api.authentication import (
    DEPENDENCIES,
    Caller,
    authenticate_header,
    authenticate_key,
)
from server_lite.api.params import EndpointSpec
from server_lite.api.rate_limits import RateLimit
from server_lite.api.request import Request
from server_lite.api.routing import PREFIX
from server_lite.config import Limits
from server_lite.errors import Allowance, Unauthenticated
from server_lite.store.connection import Db

KNOWN: Final = 1_000
"""Limit of cached credentials."""
LONGEST_KNOWN: Final = 512
"""Limit of characters of an Authorization header to cache; its address may be of any length."""


_EVENTS: Final = f"{PREFIX}events"
"""Polls are counted by the queues."""


class Callers:
    """Those who made requests to one server lately."""

    def __init__(self, limits: Limits) -> None:
        self.people: Final = _limit(limits.requests_per_minute)
        """Limits requests of each user."""
        self._addresses = _limit(limits.anonymous_per_minute)
        self._known: dict[str, Caller] = {}

    def identify(
        self, db: Db, request: Request, contract: EndpointSpec, spent: list[Allowance]
    ) -> Caller | None:
        """Return who makes a request; None where no key is required. Appends what is left of the limit to `spent`.

        Raises Unauthenticated or RateLimited.
        """
        authorization = request.headers.get("authorization") if contract.auth != "none" else None
        key = request.query().get("api_key") if contract.key_in_query else None
        caller = None
        if authorization is not None or key is not None:
            try:
                caller = self._identify(db, authorization, key or "")
            except Unauthenticated:
                _spend(self._addresses, request.address, spent)
                raise
        elif contract.auth == "required":
            _spend(self._addresses, request.address, spent)
            raise Unauthenticated("Not logged in: API authentication or user session required")
        if caller is None:
            _spend(self._addresses, request.address, spent)
        elif self.people is not None and (request.path != _EVENTS or request.verb != "GET"):
            spent.append(self.people.spend(caller.user.id))
        return caller

    def _identify(self, db: Db, authorization: str | None, key: str) -> Caller:
        if authorization is None:
            by_key = partial(authenticate_key, key=key)
            return Caller(by_key(db), by_key, db.generations(*DEPENDENCIES))
        # Clients repeat this header with each request; it is valid until any API key or user changes.
        caller = self._known.get(authorization)
        if caller is not None and caller.is_current(db):
            return caller
        by_header = partial(authenticate_header, authorization=authorization)
        if caller is not None or len(self._known) >= KNOWN:
            self._known.clear()  # all are of before the change
        caller = Caller(by_header(db), by_header, db.generations(*DEPENDENCIES))
        if len(authorization) <= LONGEST_KNOWN:
            self._known[authorization] = caller
        return caller


def _spend(limit: RateLimit | None, key: Hashable, spent: list[Allowance]) -> None:
    if limit is not None:
        spent.append(limit.spend(key))


def _limit(per_minute: int | None) -> RateLimit | None:
    return None if per_minute is None else RateLimit(per_minute, 60.0)
