"""Idempotency keys of requests whose answer may get lost: repeats get the same key. No Textual."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from tui.commands.outbox import new_key
from tui.errors import ApiError


class Attempts:
    """Remembers the keys of unclear requests: a repeat gets the same key; after success, a new one."""

    def __init__(self) -> None:
        self._unclear: dict[Hashable, str] = {}

    @contextmanager
    def key(self, request: Hashable) -> Iterator[str]:
        """Yield the key for a request; keep it if the request failed and may have been carried out."""
        key = self._unclear.get(request) or new_key()
        try:
            yield key
        except ApiError as error:
            if error.may_have_arrived:
                self._unclear[request] = key
            raise
        self._unclear.pop(request, None)
