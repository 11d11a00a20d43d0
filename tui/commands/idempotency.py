"""Keys of requests whose answer may get lost: the same wish again gets the same key. No Textual."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from tui.commands.outbox import new_key
from tui.errors import ApiError


class Attempts:
    """A wish is done once, however often it is tried; the same wish after that is another one."""

    def __init__(self) -> None:
        self._unclear: dict[Hashable, str] = {}

    @contextmanager
    def key(self, wish: Hashable) -> Iterator[str]:
        """The key for a request; remembered if the request failed and may have been carried out."""
        key = self._unclear.get(wish) or new_key()
        try:
            yield key
        except ApiError as error:
            if error.may_have_arrived:
                self._unclear[wish] = key
            raise
        self._unclear.pop(wish, None)
