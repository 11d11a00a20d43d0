"""The space that files take: known without summing all of them, and the same as their sum after every change."""

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from server_lite.actions.users import create_user
from server_lite.store import upload_sizes, uploads
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.call_counter import statements


class _Undone(Exception):
    """Undoes a change."""


@pytest.mark.parametrize("seed", range(3))
def test_kept_sizes_are_those_of_the_files(tmp_path: Path, seed: int) -> None:
    """Files begin, are completed, expire and are deleted; some changes are undone."""
    database, rnd = Database(tmp_path / "x.db"), Random(seed)
    owners = database.write_now(
        lambda tx: [
            create_user(tx, email=f"p{n}@x.de", full_name="P", role=Role.MEMBER, password=None).id
            for n in range(2)
        ]
    )

    def begin(tx: Tx) -> int:
        size = rnd.randrange(100)
        return uploads.begin(
            tx,
            user_id=rnd.choice(owners),
            name="x",
            path_id=str(rnd.random()),
            content_type="",
            size=size,
            now=size,
            dimensions=None,
        )

    def change(tx: Tx) -> None:
        for _ in range(4):
            ids = tx.column("SELECT id FROM upload") or [0]
            one, size = rnd.choice(ids), rnd.randrange(100)
            match rnd.randrange(5):
                case 0 | 1:
                    begin(tx)
                case 2:
                    if uploads.still_comes(tx, one, size):
                        uploads.complete(tx, one, size=size, dimensions=None, now=0)
                case 3:
                    uploads.delete(tx, one)
                case _:
                    uploads.delete_next_incomplete(tx, size / 4)
            rows = tx.rows("SELECT user_id, size, is_complete FROM upload")
            assert upload_sizes.complete(tx) == sum(size for _, size, is_ready in rows if is_ready)
            for owner in (None, *owners):
                theirs = [size for user_id, size, _ in rows if owner in (None, user_id)]
                assert upload_sizes.reserved(tx, owner) == sum(theirs)
        if rnd.random() < 0.3:
            raise _Undone

    for _ in range(10):
        with suppress(_Undone):
            database.write_now(change)
    database.write_now(upload_sizes.complete)
    with statements(database._writer) as sql:
        database.write_now(begin)
        database.write_now(upload_sizes.complete)
    assert [one for one in sql if "sum(" in one] == []
    database.close()
