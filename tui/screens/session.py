"""An open account: its connection, what is known through it, and what works in the background.

httpx and pydantic are imported when a session is opened, after the first frame. No widgets.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tui.accounts import Account
from tui.config import Folders
from tui.store import Store

if TYPE_CHECKING:
    from tui.cache.database import Database
    from tui.cache.outbox import OutboxFile
    from tui.commands.drafts import DraftKeeper
    from tui.commands.flags import ReadMarks
    from tui.commands.outbox import SendQueue
    from tui.commands.presence import PresencePings
    from tui.commands.typing import TypingNotices
    from tui.sync.machine import Sync
    from tui.sync.status import Listener


class OpenSession(Protocol):
    """Opens the account's session; what happens there is told to the listener."""

    def __call__(self, listener: Listener) -> Session: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What the main screen works with: each part has its own documentation."""

    site: str
    """The server's address, for links."""
    sync: Sync
    database: Database
    outbox: OutboxFile
    sending: SendQueue
    reading: ReadMarks
    typing: TypingNotices
    drafts: DraftKeeper
    presence: PresencePings

    @property
    def store(self) -> Store:
        """What is known now; another object after each new registration."""
        return self.sync.store

    @property
    def has_store(self) -> bool:
        """Whether anything is known yet."""
        return self.sync.store_if_any is not None

    async def run(self) -> None:
        """Keep everything going until cancelled or signed out."""
        work = (self.sending, self.reading, self.drafts, self.presence)
        tasks = [asyncio.ensure_future(each.run()) for each in work]
        try:
            await self.sync.run()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.sync.connection.aclose()
            self.outbox.close()
            self.database.close()


def open_session(account: Account, folders: Folders, listener: Listener) -> Session:
    """Begin a session of a stored account."""
    from tui.cache.account_folder import account_folder
    from tui.commands.sign_in import connect
    from tui.sync.machine import Sync

    places = account_folder(folders, site=account.site, email=account.email)
    return assemble(Sync(connect(account)), places.state, account.site, listener)


def assemble(sync: Sync, folder: Path, site: str, listener: Listener) -> Session:
    """A session around a sync machine; `folder` keeps what must not be lost."""
    from tui.cache.database import Database
    from tui.cache.drafts import DraftFile
    from tui.cache.outbox import OutboxFile
    from tui.commands.drafts import DraftKeeper
    from tui.commands.flags import ReadMarks
    from tui.commands.outbox import SendQueue
    from tui.commands.presence import PresencePings
    from tui.commands.typing import TypingNotices

    database = Database(folder / "account.db")
    outbox = OutboxFile(database, folder)
    sending = SendQueue(sync, outbox)
    drafts = DraftKeeper(sync, DraftFile(database))
    sync.listen(listener)  # the last, so that it finds the others' work done
    drafts.load()
    return Session(
        site=site,
        sync=sync,
        database=database,
        outbox=outbox,
        sending=sending,
        reading=ReadMarks(sync),
        typing=TypingNotices(sync),
        drafts=drafts,
        presence=PresencePings(sync),
    )
