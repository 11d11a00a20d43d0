"""What is kept on disk for reading without a server outlives what is forgotten in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import eg
from tests.unit.tui.sync.script import Script
from tui.api.events import DeleteMessageEvent
from tui.api.model import MessageId
from tui.cache.archive import Archive
from tui.commands.archive import ArchiveWriter
from tui.narrow import AllMessages
from tui.store import Changes, Store
from tui.store.optimistic import FlagChange
from tui.sync.machine import Sync

KETTLE, MILK = eg.message(11, content="<p>kettle</p>"), eg.message(12, content="<p>milk</p>")


@pytest.fixture
def sync(tmp_path: Path) -> Iterator[tuple[Sync, ArchiveWriter, Archive]]:
    """An account with two messages, in memory and on disk."""
    sync = Sync(Script().connection, cached=Store.from_snapshot(eg.snapshot()))
    archive = Archive(tmp_path / "messages.db")
    writer = ArchiveWriter(sync, archive)
    for message in (KETTLE, MILK):
        writer.store_changed(sync.store.apply(eg.message_event(message)))
    writer.save()
    yield sync, writer, archive
    archive.close()


def kept(archive: Archive) -> list[MessageId]:
    return [message.id for message in archive.before(AllMessages(), 99, 50)]


def test_what_memory_has_forgotten_stays_on_disk(
    sync: tuple[Sync, ArchiveWriter, Archive],
) -> None:
    """Marked read without being loaded, or forgotten before it was written again: it is read offline still."""
    machine, writer, archive = sync
    machine.store.messages.by_id.clear()
    ids = frozenset({KETTLE.id, MILK.id})
    machine.add_operation(FlagChange(message_ids=ids, flag="read", on=True))
    writer.store_changed(Changes(messages=ids))
    writer.save()
    assert kept(archive) == [KETTLE.id, MILK.id]


def test_what_was_deleted_is_not_kept(sync: tuple[Sync, ArchiveWriter, Archive]) -> None:
    """Also when memory had forgotten it before."""
    machine, writer, archive = sync
    machine.store.messages.by_id.clear()
    deletion = eg.event(DeleteMessageEvent, message_ids=(KETTLE.id,), message_type="stream")
    writer.store_changed(machine.store.apply(deletion))
    writer.save()
    assert kept(archive) == [MILK.id]
