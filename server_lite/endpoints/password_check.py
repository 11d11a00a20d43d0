"""Checks a password, and slows down and limits those who guess. No endpoints."""

import asyncio

from server_lite.actions import credentials
from server_lite.api.params import RequestInfo
from server_lite.context import Context
from server_lite.store import users
from server_lite.store.users import UserRow


async def user_with_password(
    context: Context, request: RequestInfo, email: str, password: str
) -> UserRow | None:
    """Return the user with this email address, active or not, if it is their password; else None.

    Counts as a failed attempt to sign in, until the caller calls `failed_sign_ins.forget`. Raises RateLimited
    after too many.
    """
    limits = context.settings.limits
    wait = await context.write(lambda tx: credentials.claim(tx, request.address, email, limits))
    await asyncio.sleep(wait)
    user = context.read(lambda db: users.by_email(db, email.strip()))
    hashed = None if user is None else context.read(lambda db: users.password_of(db, user.id))
    right = await credentials.verify(context.settings.passwords, hashed, password)
    return user if right else None
