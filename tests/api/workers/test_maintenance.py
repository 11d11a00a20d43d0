"""The upkeep deletes whatever expired, a little at a time: others never wait for a heap of it."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from server_lite.actions.uploads import UNFINISHED
from server_lite.api.idempotency import KEPT
from server_lite.store import avatars, uploads
from server_lite.store.database import Tx
from server_lite.workers.maintenance import EXPIRED_AT_ONCE
from tests.live import live

TABLES = ("upload", "avatar", "idempotency", "used_token")
ROWS = 2 * EXPIRED_AT_ONCE + 10


def expired(tx: Tx) -> None:
    """Add files and pictures that were never finished, and keys and tokens whose time is over."""
    long_ago = tx.now - 2 * UNFINISHED
    owner = tx.value("SELECT max(id) FROM user")
    for number in range(3):
        uploads.begin(
            tx,
            user_id=owner,
            name="x",
            path_id=f"{number}",
            content_type="text/plain",
            size=5,
            now=long_ago,
            dimensions=None,
        )
        avatars.begin(tx, path=f"{number}", content_type="image/png", size=5, now=long_ago)
    tx.many(
        "INSERT INTO idempotency (user_id, key, request, answer, at) VALUES (1, ?, x'', '{}', ?)",
        [(f"{number}", tx.running - KEPT - 1) for number in range(ROWS)],
    )
    tx.many(
        "INSERT INTO used_token (digest, expires) VALUES (?, ?)",
        [(b"%d" % number, long_ago) for number in range(ROWS)],
    )


async def test_a_heap_of_what_expired_goes_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When many uploads broke off an hour ago, no transaction deletes more than one of them, and all go."""
    async with live(tmp_path) as server:
        await server.person("Ann")
        database = server.app.database
        await database.write(expired)
        left = [[3, 3, ROWS, ROWS]]
        write = database.write

        async def counted(fn: Callable[[Tx], Any], **kwargs: Any) -> Any:
            answer = await write(fn, **kwargs)
            counts = [database.reader.value(f"SELECT count(*) FROM {table}") for table in TABLES]
            left.append(counts)
            return answer

        monkeypatch.setattr(database, "write", counted)
        await server.app.maintenance.run_once()
    assert left[-1] == [0, 0, 0, 0]
    most = (1, 1, EXPIRED_AT_ONCE, EXPIRED_AT_ONCE)
    for before, after in pairwise(left):
        assert all(a - b <= limit for a, b, limit in zip(before, after, most, strict=True))
