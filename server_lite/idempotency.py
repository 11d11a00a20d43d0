"""A request sent twice under one key changes one thing once: the second gets the first one's answer."""

from collections.abc import Callable
from typing import Any, Final

import orjson

from server_lite.errors import ApiError
from server_lite.store.database import Tx

MAX_LENGTH: Final = 200


def once(
    user_id: int, key: str, request: bytes, change: Callable[[Tx], Any]
) -> Callable[[Tx], Any]:
    """`change`, made at most once for this person and key; kept for a day.

    `request` is a digest of what was asked: the same key with another request is refused, so that
    nobody takes one message's answer for another's. A change that fails leaves no trace of the key.
    """
    if not 0 < len(key) <= MAX_LENGTH:
        raise ApiError(f"Idempotency-Key must have 1 to {MAX_LENGTH} characters")

    def run(tx: Tx) -> Any:
        earlier = tx.row(
            "SELECT request, answer FROM idempotency WHERE user_id = ? AND key = ?", user_id, key
        )
        if earlier is not None:
            if earlier[0] != request:
                raise ApiError("This Idempotency-Key was used for another request.")
            return orjson.loads(earlier[1])
        answer = change(tx)
        tx.run(
            "INSERT INTO idempotency (user_id, key, request, answer, at) VALUES (?, ?, ?, ?, ?)",
            user_id,
            key,
            request,
            orjson.dumps(answer, option=orjson.OPT_NON_STR_KEYS).decode(),
            tx.now,
        )
        return answer

    return run
