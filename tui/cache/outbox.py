"""Outgoing messages on disk, each saved before its first attempt. No network, no clock."""

import os
from contextlib import AbstractContextManager
from pathlib import Path

from tui.api.model import LocalId
from tui.cache.database import Database
from tui.cache.locks import FileLock, try_lock
from tui.cache.records import UNREADABLE, outgoing_from_text, outgoing_to_text
from tui.errors import ConfigError
from tui.store.outbox import OutgoingMessage


class OutboxFile:
    """The outbox of an account. A message is sent by the one process that owns it.

    The owner holds a lock as long as it lives; messages of dead owners are adopted by any other.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._owner = os.urandom(16).hex()
        self._lock: FileLock | None = None
        if not database.is_read_only:
            self._hold()

    def transaction(self) -> AbstractContextManager[None]:
        """Commit all changes of the block, or none."""
        return self._database.transaction()

    @property
    def owner(self) -> str:
        """The name under which this process holds its lock."""
        return self._owner

    def is_dead(self, owner: str) -> bool:
        """Whether the process of that name is gone."""
        return owner != self._owner and self._is_dead(owner)

    def close(self) -> None:
        """Leave the unsent messages to the next process."""
        if self._lock is not None:
            self._lock.release()

    def _hold(self) -> None:
        """Hold the lock, without which another process would take this one for dead. Raises ConfigError."""
        if self._lock is None:
            self._lock = try_lock(self._lock_path(self._owner))
        if self._lock is None:
            raise ConfigError(f"{self._folder} cannot be locked.")

    def put(self, message: OutgoingMessage) -> None:
        """Save a message; on disk when this returns."""
        with self._database.transaction():
            self._hold()
            self._database.run(
                "INSERT INTO outbox (local_id, owner, created, message) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (local_id) DO UPDATE SET message = excluded.message",
                message.local_id,
                self._owner,
                message.created,
                outgoing_to_text(message),
            )

    def remove(self, local_id: LocalId) -> None:
        """Delete a message that was sent or discarded."""
        self._database.run("DELETE FROM outbox WHERE local_id = ?", local_id)

    def adopt(self) -> list[OutgoingMessage]:
        """Take over the messages of dead processes; return them, oldest first.

        Unreadable ones are left where they are.
        """
        messages: list[OutgoingMessage] = []
        if not self._owners():
            return messages
        with self._database.transaction():
            self._hold()
            dead = [owner for owner in self._owners() if self._is_dead(owner)]
            for owner in dead:
                rows = self._database.rows("SELECT message FROM outbox WHERE owner = ?", owner)
                for (text,) in rows:
                    try:
                        messages.append(outgoing_from_text(text))
                    except UNREADABLE:
                        continue
                    self._database.run(
                        "UPDATE outbox SET owner = ? WHERE local_id = ?",
                        self._owner,
                        messages[-1].local_id,
                    )
        return sorted(messages, key=lambda message: message.created)

    def _owners(self) -> list[str]:
        rows = self._database.rows("SELECT DISTINCT owner FROM outbox")
        return [owner for (owner,) in rows if owner != self._owner]

    def _is_dead(self, owner: str) -> bool:
        lock = try_lock(self._lock_path(owner))
        if lock is None:
            return False
        lock.release()
        return True

    def _lock_path(self, owner: str) -> Path:
        return self._folder / f"outbox-{owner}.lock"
