"""Uploads in progress, each on disk before its first byte leaves. No network, no clock."""

import json
from pathlib import Path

from tui.api.destination import Destination
from tui.cache.database import Database
from tui.cache.outbox import OutboxFile
from tui.cache.records import UNREADABLE, destination_from_json, destination_to_json
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingUpload:
    """A file whose link belongs into the draft for `destination`; `started` in UNIX seconds.

    `size` and `modified` (nanoseconds) identify the file: a changed one gets another key.
    """

    key: str
    path: Path
    size: int
    modified: int
    destination: Destination | None
    started: float


class UploadFile:
    """The unfinished uploads of an account; those of dead processes are adopted."""

    def __init__(self, database: Database, processes: OutboxFile) -> None:
        """`processes` knows which processes are alive."""
        self._database = database
        self._processes = processes

    def put(self, upload: PendingUpload) -> None:
        """Save an upload; on disk when this returns."""
        self._database.run(
            "INSERT OR REPLACE INTO upload (key, owner, started, upload) VALUES (?, ?, ?, ?)",
            upload.key,
            self._processes.owner,
            upload.started,
            _to_text(upload),
        )

    def remove(self, key: str) -> None:
        """Delete an upload that was linked, or given up."""
        self._database.run("DELETE FROM upload WHERE key = ?", key)

    def adopt(self) -> list[PendingUpload]:
        """Take over the uploads of dead processes; return them, oldest first."""
        uploads: list[PendingUpload] = []
        with self._database.transaction():
            rows = self._database.rows("SELECT key, owner, upload FROM upload ORDER BY started")
            for key, owner, text in rows:
                if not self._processes.is_dead(owner):
                    continue
                try:
                    uploads.append(_from_text(key, text))
                except UNREADABLE:
                    continue  # written by another version, which may run again
                self.put(uploads[-1])
        return uploads


def _to_text(upload: PendingUpload) -> str:
    to = upload.destination
    return json.dumps(
        {
            "path": str(upload.path),
            "size": upload.size,
            "modified": upload.modified,
            "to": None if to is None else destination_to_json(to),
            "started": upload.started,
        }
    )


def _from_text(key: str, text: str) -> PendingUpload:
    data = json.loads(text)
    return PendingUpload(
        key=key,
        path=Path(data["path"]),
        size=int(data["size"]),
        modified=int(data["modified"]),
        destination=None if data["to"] is None else destination_from_json(data["to"]),
        started=float(data["started"]),
    )
