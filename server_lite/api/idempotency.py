"""Makes a repeated request with the same key act only once: the second gets the first one's answer."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

import orjson

from server_lite.api.params import Picture, Resend
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.store import idempotency
from server_lite.store.connection import Db
from server_lite.store.database import Tx

T = TypeVar("T")
MAX_LENGTH: Final = 200
KEPT: Final = 24 * 3600.0
"""Seconds for which a key is kept while the server runs."""


def resend_of(
    key: str, method: str, path: str, form: Mapping[str, str], picture: Picture | None
) -> Resend:
    """Return the key with a digest of the request; endpoints that read files add their digests."""
    if not 0 < len(key) <= MAX_LENGTH:
        raise ApiError(f"Idempotency-Key must have 1 to {MAX_LENGTH} characters")
    request_bytes = orjson.dumps([method, path, sorted(form.items())])
    digest = hashlib.blake2b(request_bytes, digest_size=16)
    if picture is not None:
        digest.update(orjson.dumps([picture.name, picture.content_type, len(picture.data)]))
        digest.update(picture.data)
    return Resend(key=key, request=digest.digest())


def was_used(db: Db, user_id: UserId, resend: Resend) -> bool:
    """Whether any request was made with this key."""
    return idempotency.find(db, user_id, resend.key) is not None


def earlier_answer(db: Db, user_id: UserId, resend: Resend) -> Any:
    """Return the answer of the first request with this key; None if there was none.

    The same key with another request is refused, so that one message's answer is never taken for
    another's.
    """
    earlier = idempotency.find(db, user_id, resend.key)
    if earlier is None:
        return None
    if earlier[0] != resend.request:
        raise ApiError("This Idempotency-Key was used for another request.")
    return orjson.loads(earlier[1])


def once(user_id: UserId, resend: Resend, change: Callable[[Tx], T]) -> Callable[[Tx], T]:
    """Wrap `change` so that it runs at most once for this user and key; the answer is kept for a day.

    A change that fails leaves no trace of the key.
    """

    def run(tx: Tx) -> T:
        earlier = earlier_answer(tx, user_id, resend)
        if earlier is not None:
            return cast(T, earlier)
        answer = change(tx)
        remember(tx, user_id, resend, answer)
        return answer

    return run


def begun(resend: Resend) -> Resend:
    """Return the key under which a change in slices notes what it has begun: none that a client may send."""
    return replace(resend, key=f"{resend.key}\nbegun")


def remember(tx: Tx, user_id: UserId, resend: Resend, answer: object) -> None:
    """Store the answer for repeated requests, in the transaction that it reports."""
    idempotency.insert(
        tx,
        user_id,
        resend.key,
        request=resend.request,
        answer=orjson.dumps(answer, option=orjson.OPT_NON_STR_KEYS).decode(),
        at=tx.running,
    )


def forget_old(tx: Tx) -> None:
    """Delete keys a day old in the server's running time, which clock changes do not affect.

    Running time lost in a crash makes keys younger, never older.
    """
    idempotency.set_running(tx, tx.running)
    idempotency.forget_before(tx, tx.running - KEPT)
