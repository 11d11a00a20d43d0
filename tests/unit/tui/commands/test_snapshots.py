"""The last known state is written while the account is open, and takes no memory in between."""

import asyncio
import gc
from pathlib import Path

from tests import eg
from tests.unit.tui.sync.script import Script, until
from tui.cache import snapshots
from tui.commands.snapshots import FIRST_SECONDS, SAVE_SECONDS, SnapshotWriter
from tui.store import Changes, Store
from tui.sync.machine import Environment, Sync


async def test_what_was_written_is_not_kept_until_the_next_time(tmp_path: Path) -> None:
    """The copy of the state takes megabytes where tens of thousands of messages are unread."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if seconds == SAVE_SECONDS:
            await asyncio.Event().wait()

    sync = Sync(Script().connection, cached=Store.from_snapshot(eg.snapshot()))
    path = tmp_path / "snapshot.json"
    writer = SnapshotWriter(sync, path, environment=Environment(sleep=sleep))
    writer.store_changed(Changes(replaced=True))
    writing = asyncio.create_task(writer.run())
    await until(lambda: slept == [FIRST_SECONDS, SAVE_SECONDS])
    assert snapshots.load(path) is not None
    assert not [each for each in gc.get_objects() if type(each) is snapshots.Capture]
    writing.cancel()
