"""Makes a repeated request with the same key act only once: the second gets the first one's answer.

A change in slices that was cut short goes on when the same user makes the same request again, with or without a key.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final, Generic, TypeVar, cast

import orjson

from server_lite.api.params import Picture, Resend
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.store import idempotency
from server_lite.store.connection import Db
from server_lite.store.database import Tx

T = TypeVar("T")
MAX_LENGTH: Final = 200
KEPT: Final = 24 * 3600.0
"""Seconds for which a key is kept while the server runs."""
CONTINUED: Final = 3600.0
"""Seconds for which a change that was cut short can go on; later, the same request is a new one."""


def resend_of(
    key: str, method: str, path: str, form: Mapping[str, str], picture: Picture | None
) -> Resend:
    """Return the key with a digest of the request; endpoints that read files add their digests."""
    if not 0 < len(key) <= MAX_LENGTH:
        raise ApiError(f"Idempotency-Key must have 1 to {MAX_LENGTH} characters")
    return Resend(key=key, request=_digest(method, path, form, picture))


def _digest(method: str, path: str, form: Mapping[str, str], picture: Picture | None) -> bytes:
    request_bytes = orjson.dumps([method, path, sorted(form.items())])
    digest = hashlib.blake2b(request_bytes, digest_size=16)
    if picture is not None:
        digest.update(orjson.dumps([picture.name, picture.content_type, len(picture.data)]))
        digest.update(picture.data)
    return digest.digest()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRequest:
    """A user's request for a change that may take several slices."""

    user_id: UserId
    resend: Resend | None
    method: str
    path: str
    form: Mapping[str, str]

    def digest(self) -> bytes:
        """Return a digest of what is requested: the same for whoever repeats it."""
        if self.resend is not None:
            return self.resend.request
        return _digest(self.method, self.path, self.form, None)

    def earlier_answer(self, db: Db) -> object:
        """Return the answer of the first request with this key; None if there was none, or it has no key."""
        return None if self.resend is None else earlier_answer(db, self.user_id, self.resend)


@dataclass(slots=True)
class Progress:
    """What a change in slices has done, as far as the tables do not show it: a base of dataclasses of JSON values.

    Others may have undone some of it before the request is repeated: whatever was done is looked up again.
    """

    def restore(self, text: str) -> None:
        """Set all fields to what was stored, unless another version stored others."""
        values = orjson.loads(text)
        if values.keys() == {one.name for one in fields(self)}:
            for name, value in values.items():
                setattr(self, name, value)


class SlicedChange(Generic[T]):
    """One run of a change in slices: call it until it returns the answer.

    `step` makes the next slice and changes `progress`, which is stored in the transaction of the slice; the last one
    deletes it. If the change is cut short in between, a run of the same request starts with what was stored.
    """

    def __init__(
        self,
        request: ChangeRequest,
        step: Callable[[Tx], T | None],
        progress: Progress | None,
    ) -> None:
        self._request = request
        self._step = step
        self._progress = progress
        digest = b"" if progress is None else request.digest()
        self._row = Resend(key=f"\n{digest.hex()}", request=digest)  # no client can send the key
        """The row of the progress."""
        self._is_stored: bool | None = None
        """Whether there is such a row; None until the first slice looks."""

    def __call__(self, tx: Tx) -> T | None:
        """Make the next slice; returns the answer, None while more is left."""
        earlier = self._request.earlier_answer(tx)
        if earlier is not None:
            return cast(T, earlier)
        if self._is_stored is None:
            self._is_stored = self._progress is not None and self._restore(tx, self._progress)
        answer = self._step(tx)
        user_id, resend = self._request.user_id, self._request.resend
        if answer is not None and resend is not None:
            remember(tx, user_id, resend, answer)
        if self._is_stored:
            idempotency.delete(tx, user_id, self._row.key)
        self._is_stored = answer is None and self._progress is not None
        if self._is_stored:
            remember(tx, user_id, self._row, self._progress)
        return answer

    def _restore(self, tx: Tx, progress: Progress) -> bool:
        stored = idempotency.find(tx, self._request.user_id, self._row.key)
        if stored is not None and stored[2] >= tx.running - CONTINUED:
            progress.restore(stored[1])
        return stored is not None


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


def forget_some(tx: Tx, limit: int) -> bool:
    """Delete keys a day old in the server's running time, which clock changes do not affect, at most `limit`.

    Running time lost in a crash makes keys younger, never older. Returns whether there may be more.
    """
    idempotency.set_running(tx, tx.running)
    return idempotency.forget_some(tx, tx.running - KEPT, limit)
