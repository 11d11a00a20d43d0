"""The database is deleted, moved or replaced under a running server, or reached by a second name."""

import errno
import logging
import os
from pathlib import Path

import apsw
import pytest

from server_lite.store.database import Database
from server_lite.store.instance_lock import Lock, beside
from server_lite.store.users import Role
from tests.live import live


@pytest.mark.parametrize("way", ["deleted", "moved", "replaced", "its log deleted"])
async def test_nothing_is_acknowledged_into_a_file_that_nobody_finds(
    tmp_path: Path, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody tidies up with rm: the next message is refused, and the log says why, loudly."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
        message = {"type": "stream", "to": "tea", "topic": "t", "content": "hi"}
        assert (await ann.post("messages", **message))["result"] == "success"
        db, aside = server.settings.db, tmp_path / "aside"
        if way == "its log deleted":
            db = db.with_name("chinwag.db-wal")
        os.link(db, aside)
        db.unlink()
        if way == "moved":
            aside.rename(tmp_path / "elsewhere")
            aside = tmp_path / "elsewhere"
        elif way == "replaced":
            db.write_bytes(aside.read_bytes())
        for _ in range(3):
            refused = await ann.post("messages", **message)
            assert (refused["status"], refused["code"]) == (503, "SERVICE_UNAVAILABLE")
        loud = [r.getMessage() for r in caplog.records if r.levelno == logging.CRITICAL]
        assert len(loud) == 1
        assert str(db) in loud[0]
        assert (await ann.get("users/me"))["user_id"] == ann.id
        aside.replace(db)
        assert (await ann.post("messages", **message))["result"] == "success"


def test_a_second_server_is_impossible_by_another_name(tmp_path: Path) -> None:
    """A hard link, a link in another folder, or a removed lock file opens no second door."""
    db = tmp_path / "team.db"
    Database(db).close()
    (tmp_path / "other").mkdir()
    os.link(db, tmp_path / "other" / "link.db")
    (tmp_path / "soft.db").symlink_to(db)
    first = Lock(db)
    assert first.take()
    for path in (tmp_path / "other" / "link.db", tmp_path / "soft.db", db):
        assert not Lock(path).take()
    beside(db, "lock").unlink()
    assert not Lock(db).take()
    first.release()
    again = Lock(tmp_path / "other" / "link.db")
    assert again.take()
    again.release()


async def test_a_disk_that_cannot_be_read_is_no_bug_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read error answers "try again" and not "internal error", and passes when the disk is well."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        broken = apsw.IOError("disk I/O error")
        reader = type(server.app.database.reader)
        with monkeypatch.context() as patch:

            def fail(*_: object) -> None:
                raise broken

            patch.setattr(reader, "row", fail)
            refused = await ann.get("users/me")
        assert (refused["status"], refused["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert (await ann.get("users/me"))["user_id"] == ann.id


async def test_a_server_starts_and_reads_while_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart on a full disk I can read, am told that it is full, and write when it is not."""
    message = {"type": "stream", "to": "tea", "topic": "t", "content": "hi"}
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
        assert (await ann.post("messages", **message))["result"] == "success"
    full = True

    def authorize(operation: int, *_: object) -> int:
        if full and operation in (apsw.SQLITE_UPDATE, apsw.SQLITE_INSERT, apsw.SQLITE_DELETE):
            raise apsw.FullError(os.strerror(errno.ENOSPC))
        return apsw.SQLITE_OK

    configure = "server_lite.store.opening.configure"
    monkeypatch.setattr(configure, lambda connection: setattr(connection, "authorizer", authorize))
    async with live(tmp_path) as server:
        http = server.client(auth=(ann.email, ann.key))
        page = await http.get(
            "messages", params={"anchor": "newest", "num_before": 5, "num_after": 0}
        )
        assert len(page.json()["messages"]) == 1
        refused = await http.post("messages", data=message)
        assert (refused.status_code, "disk is full" in refused.json()["msg"]) == (503, True)
        full = False
        assert (await http.post("messages", data=message)).status_code == 200
