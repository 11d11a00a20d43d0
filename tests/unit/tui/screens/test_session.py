"""An account that is closed leaves nothing open, however often the program cancels what runs."""

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.snapshot.example import session
from tui.store.changes import Changes
from tui.sync.status import Status


class _Listener:
    def store_changed(self, changes: Changes) -> None: ...

    def status_changed(self, status: Status) -> None: ...


async def _at_once() -> None: ...


@pytest.mark.parametrize("cancellations", range(1, 5))
async def test_a_session_closes_everything_when_it_is_cancelled_more_than_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cancellations: int
) -> None:
    """Textual cancels the workers when it ends, and once more when it takes each screen away."""
    closed = []

    async def close(self: httpx.MockTransport) -> None:
        await asyncio.sleep(0)
        closed.append(self)

    monkeypatch.setattr(httpx.MockTransport, "aclose", close)
    opened = session(tmp_path, _Listener())
    running = asyncio.ensure_future(opened.run(_at_once))
    await asyncio.sleep(0)
    for _ in range(cancellations):
        running.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await running
    assert closed, "the connection is closed"
    another = session(tmp_path, _Listener())
    assert another.outbox.is_dead(opened.outbox.owner), "it may send what this one left"
    running = asyncio.ensure_future(another.run(_at_once))
    await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait([running])
