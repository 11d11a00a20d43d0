"""Signing in: checking passwords, giving out keys. No HTTP."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from typing_extensions import TypedDict

from server_lite.access.users import ids_who_can_access
from server_lite.config import Limits, PasswordCost
from server_lite.errors import Allowance, RateLimited
from server_lite.events.users import UserUpdated
from server_lite.ids import UserId
from server_lite.objects.users import joined
from server_lite.store import failed_sign_ins, keys, users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

if TYPE_CHECKING:  # imported with the first password
    from argon2 import PasswordHasher

_HASHING: Final = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2")
"""At most two at once: each costs 19 MiB and 30 ms, and must not starve those who chat."""


LONGEST_WAIT: Final = 15.0
"""Seconds that an attempt waits at most."""


@cache
def _hasher(cost: PasswordCost) -> "PasswordHasher":
    from argon2 import PasswordHasher

    return PasswordHasher(
        time_cost=cost.time_cost, memory_cost=cost.memory_kib, parallelism=cost.parallelism
    )


@cache
def _nobody(cost: PasswordCost) -> str:
    """A hash to check against where there is none: an unknown name takes as long as a known one."""
    return _hasher(cost).hash("")


def hash_password(cost: PasswordCost, password: str) -> str:
    """The argon2id hash to store."""
    return _hasher(cost).hash(password)


async def hash_off_loop(cost: PasswordCost, password: str) -> str:
    """The same, while others go on chatting."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_HASHING, hash_password, cost, password)


async def verify(cost: PasswordCost, hashed: str | None, password: str) -> bool:
    """Whether the password is right, off the event loop."""
    loop = asyncio.get_running_loop()
    right = await loop.run_in_executor(_HASHING, _verify, cost, hashed or _nobody(cost), password)
    return right and hashed is not None


def _verify(cost: PasswordCost, hashed: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher(cost).verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


def claim(tx: Tx, address: str, name: str, limits: Limits) -> float:
    """Count an attempt before it is made, so that many at once count as many.

    Returns the seconds that it has to wait, where many addresses try one name: that slows guessing
    down and locks nobody out. Raises RateLimited after too many vain ones from one address within the
    period. `store.sign_ins.forget` takes it back when the attempt succeeds.
    """
    if limits.failed_logins_per_half_hour is None:
        return 0.0
    now = tx.running
    failed_sign_ins.forget_old(tx, now)
    for earlier, most in (
        (failed_sign_ins.attempts(tx, address, name, now), limits.failed_logins_per_half_hour),
        (failed_sign_ins.attempts_from(tx, address, now), limits.failed_logins_per_address),
    ):
        if len(earlier) >= most:
            wait = round(earlier[-most] + failed_sign_ins.PERIOD - now, 3)
            reset_in = max(earlier) + failed_sign_ins.PERIOD - now
            raise RateLimited(wait, Allowance(remaining=0, limit=most, reset_in=reset_in))
    failed_sign_ins.add(tx, address, name, now)
    beyond = failed_sign_ins.attempts_on(tx, name, now) - limits.failed_logins_per_name
    return 0.0 if beyond <= 0 else min(LONGEST_WAIT, 0.5 * beyond)


class SignedIn(TypedDict):
    """A key, and whose it is."""

    api_key: str
    email: str
    user_id: UserId


def sign_in(tx: Tx, user: UserRow, label: str) -> SignedIn:
    """A fresh key: old ones are digests and cannot be shown again."""
    key = keys.new_key()
    keys.insert(tx, user.id, key, label, tx.now)
    if user.first_sign_in is None:
        _came_first(tx, user)
    return {"api_key": key, "email": user.email, "user_id": user.id}


def _came_first(tx: Tx, user: UserRow) -> None:
    """From the first sign-in on, that is when somebody joined."""
    users.set_value(tx, user.id, "first_sign_in", tx.now)
    after = replace(user, first_sign_in=tx.now)
    person = {"user_id": user.id, "date_joined": joined(after)}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, after))


def regenerate(tx: Tx, user: UserRow, label: str) -> str:
    """Revoke every key of the person and give out a new one."""
    keys.delete_all(tx, user.id)
    key = keys.new_key()
    keys.insert(tx, user.id, key, label, tx.now)
    return key
