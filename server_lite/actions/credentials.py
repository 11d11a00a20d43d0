"""Signs users in: verifies passwords, issues API keys. No HTTP."""

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
"""Limited to two threads: each hash costs 19 MiB and 30 ms and must not starve other requests."""


LONGEST_WAIT: Final = 15.0
"""Maximum delay of an attempt in seconds."""


@cache
def _hasher(cost: PasswordCost) -> "PasswordHasher":
    from argon2 import PasswordHasher

    return PasswordHasher(
        time_cost=cost.time_cost, memory_cost=cost.memory_kib, parallelism=cost.parallelism
    )


@cache
def _nobody(cost: PasswordCost) -> str:
    """Return a hash to verify against for unknown names, so that they take as long as known ones."""
    return _hasher(cost).hash("")


def hash_password(cost: PasswordCost, password: str) -> str:
    """Return the argon2id hash to store."""
    return _hasher(cost).hash(password)


async def hash_off_loop(cost: PasswordCost, password: str) -> str:
    """Return the hash as `hash_password` does, off the event loop."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_HASHING, hash_password, cost, password)


async def verify(cost: PasswordCost, hashed: str | None, password: str) -> bool:
    """Whether the password is correct; verified off the event loop."""
    loop = asyncio.get_running_loop()
    right = await loop.run_in_executor(_HASHING, _verify, cost, hashed, password)
    return right and hashed is not None


def _verify(cost: PasswordCost, hashed: str | None, password: str) -> bool:
    """In a thread from its import on: the first password of a server takes longest."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher(cost).verify(hashed or _nobody(cost), password)
    except (VerificationError, InvalidHashError):
        return False


def claim(tx: Tx, address: str, name: str, limits: Limits) -> float:
    """Count an attempt before it is made, so that concurrent attempts all count.

    Returns the seconds to delay it when many addresses try one name: that slows guessing down and locks
    nobody out. Raises RateLimited after too many failures from one address within the period.
    `failed_sign_ins.forget` removes the count when the attempt succeeds.
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
    """A new API key and its owner."""

    api_key: str
    email: str
    user_id: UserId


def sign_in(tx: Tx, user: UserRow, label: str) -> SignedIn:
    """Create and return a new API key: earlier ones are stored as digests and cannot be shown again."""
    key = keys.new_key()
    keys.insert(tx, user.id, key, label, tx.now)
    if user.first_sign_in is None:
        _came_first(tx, user)
    return {"api_key": key, "email": user.email, "user_id": user.id}


def _came_first(tx: Tx, user: UserRow) -> None:
    """Record the first sign-in, which becomes the user's date of joining."""
    users.set_value(tx, user.id, "first_sign_in", tx.now)
    after = replace(user, first_sign_in=tx.now)
    person = {"user_id": user.id, "date_joined": joined(after)}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, after))


def regenerate(tx: Tx, user: UserRow, label: str) -> str:
    """Revoke all API keys of the user and return a new one."""
    keys.delete_all(tx, user.id)
    key = keys.new_key()
    keys.insert(tx, user.id, key, label, tx.now)
    return key
