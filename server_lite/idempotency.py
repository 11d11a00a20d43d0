"""A request sent twice under one key changes one thing once: the second gets the first one's answer."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import orjson

from server_lite.errors import ApiError
from server_lite.params import Resend, Upload
from server_lite.store.connection import Db
from server_lite.store.database import Tx

MAX_LENGTH: Final = 200


def resend_of(
    key: str, method: str, path: str, form: Mapping[str, str], files: Iterable[Upload]
) -> Resend:
    """The key of a request, with a digest of all that was asked."""
    if not 0 < len(key) <= MAX_LENGTH:
        raise ApiError(f"Idempotency-Key must have 1 to {MAX_LENGTH} characters")
    asked = orjson.dumps([method, path, sorted(form.items())])
    digest = hashlib.blake2b(asked, digest_size=16)
    for file in files:
        digest.update(orjson.dumps([file.name, file.content_type, len(file.data)]))
        digest.update(file.data)
    return Resend(key=key, request=digest.digest())


def earlier_answer(db: Db, user_id: int, resend: Resend) -> Any:
    """What the first request under this key was answered; None where there was none.

    The same key with another request is refused, so that nobody takes one message's answer for
    another's.
    """
    earlier = db.row(
        "SELECT request, answer FROM idempotency WHERE user_id = ? AND key = ?", user_id, resend.key
    )
    if earlier is None:
        return None
    if earlier[0] != resend.request:
        raise ApiError("This Idempotency-Key was used for another request.")
    return orjson.loads(earlier[1])


def once(user_id: int, resend: Resend, change: Callable[[Tx], Any]) -> Callable[[Tx], Any]:
    """`change`, made at most once for this person and key; kept for a day.

    A change that fails leaves no trace of the key.
    """

    def run(tx: Tx) -> Any:
        earlier = earlier_answer(tx, user_id, resend)
        if earlier is not None:
            return earlier
        answer = change(tx)
        tx.run(
            "INSERT INTO idempotency (user_id, key, request, answer, at) VALUES (?, ?, ?, ?, ?)",
            user_id,
            resend.key,
            resend.request,
            orjson.dumps(answer, option=orjson.OPT_NON_STR_KEYS).decode(),
            tx.now,
        )
        return answer

    return run
