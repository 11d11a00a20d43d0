"""Unsaved edits of sent messages, on disk. No network, no clock."""

from tui import bugs
from tui.api.model import MessageId
from tui.cache.database import Database
from tui.dataclass import dataclass
from tui.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEdit:
    """An unsaved edit; `was` is the Markdown when it began, `updated` UNIX seconds."""

    message_id: MessageId
    was: str
    content: str
    updated: float


class EditFile:
    """The unsaved edits of an account, one for each message."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unwritten: dict[MessageId, KeptEdit] = {}
        """Edits that the disk could not take yet."""

    def put(self, edit: KeptEdit) -> None:
        """Save an edit; if the disk takes nothing, keep it in memory and report that."""
        self._unwritten[edit.message_id] = edit
        try:
            for each in list(self._unwritten.values()):
                self._write(each)
                del self._unwritten[each.message_id]
        except ConfigError as error:
            bugs.report(error, "Saving your edit")

    def _write(self, edit: KeptEdit) -> None:
        self._database.run(
            "INSERT OR REPLACE INTO edit (message_id, updated, was, content) VALUES (?, ?, ?, ?)",
            edit.message_id,
            edit.updated,
            edit.was,
            edit.content,
        )

    def get(self, message_id: MessageId) -> KeptEdit | None:
        """Return the unsaved edit of a message; None if there is none."""
        return next((each for each in self.all() if each.message_id == message_id), None)

    def all(self) -> list[KeptEdit]:
        """Return all unsaved edits, newest first."""
        rows = self._database.rows(
            "SELECT message_id, updated, was, content FROM edit ORDER BY updated DESC"
        )
        edits = {
            message_id: KeptEdit(
                message_id=MessageId(message_id), updated=updated, was=was, content=content
            )
            for message_id, updated, was, content in rows
        }
        return sorted(
            (edits | self._unwritten).values(), key=lambda edit: edit.updated, reverse=True
        )

    def remove(self, message_id: MessageId) -> None:
        """Delete an edit that was saved on the server, or discarded."""
        self._unwritten.pop(message_id, None)
        self._database.run("DELETE FROM edit WHERE message_id = ?", message_id)
