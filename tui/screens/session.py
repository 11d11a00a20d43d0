"""An account's session: connection, store, and background tasks.

HTTP and pydantic are imported when a session is opened, after the first frame. No widgets.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from tui import accounts, bugs
from tui.accounts import Account
from tui.config import Folders
from tui.dataclass import dataclass
from tui.hook_settings import Hooks
from tui.late_imports import made_cheaply
from tui.narrow import Narrow
from tui.store import Store

if TYPE_CHECKING:
    # Imported when a session is opened: these bring in the network libraries.
    from pathlib import Path

    from tui.cache.account_folder import AccountFolder
    from tui.cache.database import Database
    from tui.cache.edits import EditFile
    from tui.cache.images import ImageCache
    from tui.cache.last_place import LastPlace
    from tui.cache.outbox import OutboxFile
    from tui.commands.archive import ArchiveWriter
    from tui.commands.drafts import DraftSync
    from tui.commands.flags import ReadMarks
    from tui.commands.hooks import HookRunner
    from tui.commands.local_server import LocalServer
    from tui.commands.outbox import SendQueue
    from tui.commands.presence import PresencePings
    from tui.commands.snapshots import SnapshotWriter
    from tui.commands.typing import TypingNotices
    from tui.commands.uploads import Uploads
    from tui.sync.machine import Sync
    from tui.sync.status import Listener

SNAPSHOT = "snapshot.json"


class OpenSession(Protocol):
    """Opens the account's session; `listener` hears of its changes."""

    def __call__(self, listener: Listener) -> Session: ...


class _Work(Protocol):
    async def run(self) -> None:
        """Run until canceled."""


@dataclass(frozen=True, kw_only=True)
class Session:
    """The parts of an account's session: each has its own documentation. Some are made when they are used."""

    sync: Sync
    database: Database
    outbox: OutboxFile
    sending: SendQueue
    reading: ReadMarks
    drafts: DraftSync
    presence: PresencePings
    last_place: LastPlace
    snapshots: SnapshotWriter
    archive: ArchiveWriter
    server: LocalServer | None
    """The server on this machine, where the account is on it."""
    hooks: HookRunner | None = None
    """Runs the user's hooks on messages, where there are any."""
    places: AccountFolder

    @cached_property
    def typing(self) -> TypingNotices:
        """Tells others that the user is writing."""
        from tui.commands.typing import TypingNotices

        return TypingNotices(self.sync)

    @cached_property
    def edits(self) -> EditFile:
        """Unfinished edits of messages."""
        from tui.cache.edits import EditFile

        return EditFile(self.database)

    @cached_property
    def uploads(self) -> Uploads:
        """Files on their way to the server."""
        from tui.cache.uploads import UploadFile
        from tui.commands.uploads import Uploads

        return Uploads(self.sync, UploadFile(self.database, self.outbox))

    @cached_property
    def images(self) -> ImageCache:
        """Pictures of messages."""
        from tui.cache.images import ImageCache

        return ImageCache(self.places.cache / "images")

    @property
    def site(self) -> str:
        """The server's address, for links."""
        return self.sync.connection.base_url.text

    @property
    def state(self) -> Path:
        """The folder of the account's data on this machine that must not be lost."""
        return self.database.path.parent

    @property
    def store(self) -> Store:
        """The current store; another object after each new registration."""
        return self.sync.store

    @property
    def has_store(self) -> bool:
        """Whether the store holds a snapshot yet."""
        return self.sync.store_if_any is not None

    @staticmethod
    def now() -> float:
        """Return the time in UNIX seconds."""
        return time.time()

    def look_around(self) -> None:
        """Look, about once a second, for a suspend, and for drafts and messages of other processes."""
        self.sync.detect_suspend()
        self.drafts.look()
        self.sending.adopt()

    def opened(self, narrow: Narrow) -> None:
        """Save the open narrow, to start with it the next time."""
        self.last_place.keep(narrow)
        self.snapshots.opened(narrow)

    async def run(self, begun: Callable[[], Awaitable[None]]) -> None:
        """Run all tasks until canceled or signed out; nothing is requested before `begun` is over."""
        tasks: list[asyncio.Task[None]] = []
        try:
            await begun()
            tasks += self._background()
            await self.sync.run()
        finally:
            # Saved before anything is awaited: the program may be ending.
            for save in (self.archive.save, self.snapshots.save):
                _attempt(save)
            for task in tasks:
                task.cancel()
            await _all_done(tasks)
            await _all_done([bugs.start(self.sync.connection.aclose(), "Closing the connection")])
            for close in (self.outbox.close, self.drafts.close, self.database.close):
                _attempt(close)

    def _background(self) -> list[asyncio.Task[None]]:
        work: dict[str, _Work] = {
            "Sending messages": self.sending,
            "Marking messages as read": self.reading,
            "Syncing drafts": self.drafts,
            "Updating your presence": self.presence,
            "Saving the last known state": self.snapshots,
            "Saving messages for offline use": self.archive,
        }
        if self.server is not None:
            work["Starting the local server"] = self.server
        if self.hooks is not None:
            work["Running hooks"] = self.hooks
        return [bugs.start(bugs.keep_going(each.run, doing), doing) for doing, each in work.items()]


async def _all_done(tasks: list[asyncio.Task[None]]) -> None:
    """Wait for final steps, also while a program that ends cancels again and again.

    Textual cancels every worker, then those of each screen that it removes, and asyncio all tasks.
    """
    while pending := [task for task in tasks if not task.done()]:
        with suppress(asyncio.CancelledError):
            await asyncio.wait(pending)


def _attempt(last: Callable[[], None]) -> None:
    """Run one of the final steps; a failure is reported and does not stop the others."""
    try:
        last()
    except Exception as error:  # noqa: BLE001  # any failure: the other steps still run
        bugs.report(error, "Closing the account")


def open_session(account: Account, folders: Folders, hooks: Hooks, listener: Listener) -> Session:
    """Open a session of a stored account, with the cached state."""
    with made_cheaply():
        from tui.cache import snapshots
        from tui.cache.account_folder import folder_of
        from tui.commands.connecting import connect
        from tui.commands.local_server import LocalServer
        from tui.sync.machine import Sync

    places = folder_of(folders, account)
    sync = Sync(connect(account), cached=snapshots.load(places.cache / SNAPSHOT))
    session = assemble(sync, places, listener)
    if hooks:
        from tui.commands.hooks import LOG, HookRunner

        log, lock = folders.state / LOG, places.state / "hooks.lock"
        session = replace(session, hooks=HookRunner(sync, hooks, log=log, lock=lock))
    if accounts.is_local(folders, account):
        session = replace(session, server=LocalServer(sync, folders))
    return session


def assemble(sync: Sync, places: AccountFolder, listener: Listener) -> Session:
    """Build a session around a sync machine; `places` has folders for durable data and for caches."""
    with made_cheaply():
        from tui.cache.archive import Archive
        from tui.cache.database import Database
        from tui.cache.drafts import DraftFile
        from tui.cache.last_place import LastPlace
        from tui.cache.outbox import OutboxFile
        from tui.commands.archive import ArchiveWriter
        from tui.commands.drafts import DraftSync
        from tui.commands.flags import ReadMarks
        from tui.commands.outbox import SendQueue
        from tui.commands.presence import PresencePings
        from tui.commands.snapshots import SnapshotWriter

    database = Database(places.state / "account.db")
    outbox = OutboxFile(database, places.state)
    sending = SendQueue(sync, outbox)
    drafts = DraftSync(sync, DraftFile(database))
    keeper = SnapshotWriter(sync, places.cache / SNAPSHOT)
    archive = sync.history.archive = Archive(places.cache / "messages.db")
    sync.listen(listener)  # the last, so that the others' work is done before it
    drafts.load()
    return Session(
        sync=sync,
        database=database,
        outbox=outbox,
        sending=sending,
        reading=ReadMarks(sync),
        drafts=drafts,
        presence=PresencePings(sync),
        last_place=LastPlace(places.state / "last-place"),
        snapshots=keeper,
        archive=ArchiveWriter(sync, archive),
        server=None,
        places=places,
    )
