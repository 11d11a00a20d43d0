"""Stores and deletes tokens of video call providers. Checks no permissions: callers did."""

from collections.abc import Callable
from typing import Final

from server_lite.events.server import BY_PROVIDER
from server_lite.store import sealing, video_call_tokens
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

PURPOSE: Final = "call token"
"""Purpose for which tokens are encrypted."""


def keep(tx: Tx, user: UserRow, provider: str, sealed: bytes) -> None:
    """Store a user's encrypted token; emits an event if it is the first for this provider."""
    had = provider in video_call_tokens.providers_of(tx, user.id)
    video_call_tokens.store(tx, user.id, provider, sealed)
    if not had:
        tx.emit(BY_PROVIDER[provider](value=True), to=[user.id])


def seal_anew(tx: Tx, secret: Callable[[], bytes]) -> None:
    """Re-encrypt tokens that an earlier version stored; those in today's format are left alone."""
    for user_id, provider, sealed in video_call_tokens.everything(tx):
        token = sealing.opened_earlier(secret(), sealed, PURPOSE)
        if token is not None:
            again = sealing.seal(secret(), token, PURPOSE)
            video_call_tokens.store(tx, user_id, provider, again)


def forget(tx: Tx, user: UserRow, provider: str) -> None:
    """Delete a token that the provider has stopped accepting."""
    if video_call_tokens.delete(tx, user.id, provider):
        tx.emit(BY_PROVIDER[provider](value=False), to=[user.id])
