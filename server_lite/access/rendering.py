"""Renders the text of messages, costly ones in a thread before the change that stores them. Reads only.

Theory of operation. Rendering takes a millisecond for an ordinary message, but a text of 10,000 characters may have
20,000 pieces of markup or a thousand names. Such a text is rendered by a reader of its own, as of the moment when it
arrives; the change finds the result under its sender and its characters. A change that finds none renders the text
itself. While a user's costly text is rendered, their further texts wait for it, so that they keep their order;
other people's do not.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import field
from typing import Final, TypeVar

from server_lite.access.mentions import Names
from server_lite.access.message_validation import normalize_content
from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.markup.render import render
from server_lite.markup.rendered import Rendered
from server_lite.store.connection import Db
from server_lite.store.database import Database
from server_lite.store.users import UserRow

T = TypeVar("T")

COSTLY: Final = 1_500
"""Characters from which a text is rendered in a thread."""


_Key = tuple[UserId, str, str]
"""Sender, address of the server for clients, source."""


def _rendered_ahead(_: Db) -> dict[_Key, Rendered]:
    """Return the texts that were rendered, but are not stored yet."""
    return {}


def is_costly(content: str) -> bool:
    """Whether rendering a text may take long: for its length, or for code, whose language may have to be imported."""
    return len(content) > COSTLY or "```" in content or "~~~" in content


def rendered_for(db: Db, names: Names, content: str) -> Rendered:
    """Render a message from the sender of `names`, unless that was done ahead."""
    if is_costly(content):
        rendered = db.kept(_rendered_ahead).get((*names.asker, content))
        if rendered is not None:
            return rendered
    return render(content, names)


@dataclass(slots=True)
class _Turn:
    """The order of one user's texts."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0
    """Texts that have it or wait for it."""


class Rendering:
    """Renders costly texts ahead of the changes that store them. For the event loop."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database
        self._ahead: Final = database.reader.kept(_rendered_ahead)
        self._turns: Final[dict[UserId, _Turn]] = {}

    def has_to_wait(self, sender: UserRow, content: str) -> bool:
        """Whether a text is costly, or its sender has one that is; others need not be rendered ahead."""
        return is_costly(content) or sender.id in self._turns

    def ahead(
        self, sender: UserRow, content: str, base_url: str = ""
    ) -> AbstractAsyncContextManager[None]:
        """Enter when the text is rendered, and those that its sender sent before are stored. Leave when it is stored.

        `content` as the client sent it. `base_url` is the server's address for clients.
        """
        if not self.has_to_wait(sender, content):
            return nullcontext()
        turn = self._turns.setdefault(sender.id, _Turn())
        turn.wanted += 1  # at once: a further text may follow before this one is begun
        return self._in_turn(turn, sender, content, base_url)

    @asynccontextmanager
    async def _in_turn(
        self, turn: _Turn, sender: UserRow, content: str, base_url: str
    ) -> AsyncIterator[None]:
        key = sender.id, base_url, normalize_content(content) if content.strip() else ""
        try:
            async with turn.lock:
                if is_costly(key[2]):
                    self._ahead[key] = await self._in_thread(sender, key[2], base_url)
                yield
        finally:
            self._ahead.pop(key, None)
            turn.wanted -= 1
            if not turn.wanted:
                del self._turns[sender.id]

    async def rendered(self, sender: UserRow, content: str, base_url: str) -> Rendered:
        """Render a text as if the user sent it."""
        if is_costly(content):
            return await self._in_thread(sender, content, base_url)
        return self._database.read(lambda db: render(content, Names(db, sender, base_url)))

    async def apart(self, asker: UserId, fn: Callable[[], T]) -> T:
        """Run what else makes the text of a message from much that a program sent, in the same thread."""
        return await self._database.rendering.read(lambda _: fn(), asker=asker, deadline=False)

    async def _in_thread(self, sender: UserRow, content: str, base_url: str) -> Rendered:
        return await self._database.rendering.read(
            lambda db: render(content, Names(db, sender, base_url)),
            asker=sender.id,  # hundreds of previews would delay other people's messages
            deadline=False,
        )
