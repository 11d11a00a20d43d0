"""`chinwag-server backup` and `restore` as whoever runs a server sees them."""

import asyncio
import os
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from server_lite.cli.arguments import run
from server_lite.store import backups, secret_key
from server_lite.store.database import Database
from server_lite.store.instance_lock import Lock
from server_lite.store.users import Role
from tests.live import live
from tests.unit.server_lite.cli.conftest import Command

KEY = bytes(range(32))


def words(db: Path) -> list[str]:
    """The text of every message."""
    database = Database(db)
    try:
        return database.reader.column("SELECT content FROM message ORDER BY id")
    finally:
        database.close()


async def ran(*words: str | Path) -> int:
    """The exit code of a command, carried out beside the loop."""
    umask = os.umask(0o022)
    try:
        return await asyncio.to_thread(run, [str(word) for word in words])
    finally:
        os.umask(umask)


def add_channel(command: Command, db: Path, name: str) -> None:
    """A change that can be seen later."""
    assert command("channel", "add", "--db", db, "--name", name).code == 0


def channels(db: Path) -> list[str]:
    """The names of all channels."""
    connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [name for (name,) in connection.execute("SELECT name FROM channel ORDER BY id")]
    finally:
        connection.close()


def test_a_backup_brings_everything_back(team: Path, command: Command, tmp_path: Path) -> None:
    """After a loss of the file, people, channels, messages and the key of the bots are as they were."""
    team.with_name("team.db.key").write_bytes(KEY)
    before = words(team)
    kept = tmp_path / "kept.db"
    made = command("backup", "--db", team, kept)
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith(f"{kept}: 2 accounts, 1 channel, {len(before)} messages, ")
    assert "kept.db.key encrypts the keys of bots" in made.out
    for name in ("team.db", "team.db.key"):
        team.with_name(name).unlink()
    assert command("restore", kept, "--db", team).code == 0
    assert words(team) == before
    assert secret_key.path_beside(team).read_bytes() == KEY
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes


def test_a_backup_overwrites_only_when_told(team: Path, command: Command, tmp_path: Path) -> None:
    """What I kept last week is still there after a slip; --force is for when I mean it."""
    kept = tmp_path / "kept.db"
    command("backup", "--db", team, kept)
    add_channel(command, team, "later")
    refused = command("backup", "--db", team, kept)
    assert (refused.code, "already exists" in refused.err) == (1, True)
    assert channels(kept) == ["welcome"]
    assert command("backup", "--db", team, kept, "--force").code == 0
    assert channels(kept) == ["welcome", "later"]
    onto_itself = command("backup", "--db", team, team, "--force")
    assert (onto_itself.code, channels(team)) == (1, ["welcome", "later"])


def test_a_folder_keeps_as_many_as_i_say(
    team: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A nightly backup never fills the disk, and forgets nothing that is not its own."""
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "notes.db").write_text("mine")
    team.with_name("team.db.key").write_bytes(KEY)
    for day in range(1, 5):
        monkeypatch.setattr(time, "gmtime", lambda day=day: (2025, 6, day, 4, 0, 0, 0, 0, 0))
        assert command("backup", "--db", team, folder, "--keep", "2").code == 0
    assert sorted(os.listdir(folder)) == [
        "notes.db",
        "team-20250603T040000Z.db",
        "team-20250603T040000Z.db.key",
        "team-20250604T040000Z.db",
        "team-20250604T040000Z.db.key",
    ]
    refused = command("backup", "--db", team, tmp_path / "one.db", "--keep", "2")
    assert (refused.code, "--keep needs a folder" in refused.err) == (1, True)


async def test_people_go_on_chatting_while_it_is_made(tmp_path: Path) -> None:
    """The copy is of one moment, holds what was said before it, and holds nobody up."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
        kept, copied = tmp_path / "kept.db", threading.Event()

        def linger(_done: int, _of: int) -> None:
            copied.wait(5)

        async def say(number: int) -> str:
            sent = await ann.post(
                "messages", type="stream", to="tea", topic="t", content=str(number)
            )
            return str(sent["result"])

        await say(0)
        copying = asyncio.create_task(
            asyncio.to_thread(backups.copy, server.settings.db, kept, linger)
        )
        while not kept.exists() or kept.stat().st_size == 0:
            await asyncio.sleep(0)
            assert not copying.done()
        for number in range(1, 20):
            assert await say(number) == "success"
        copied.set()
        await copying
        said = words(kept)
    assert said[0] == "0"
    assert said == [str(number) for number in range(len(said))]
    assert len(said) < 20


def test_a_server_that_holds_the_place_refuses_a_restore(
    team: Path, command: Command, tmp_path: Path
) -> None:
    """Nothing is pulled from under people who chat."""
    kept = tmp_path / "kept.db"
    command("backup", "--db", team, kept)
    lock = Lock(team)
    assert lock.take()
    refused = command("restore", kept, "--db", team, "--force")
    lock.release()
    assert refused.code == 1
    assert "in use by another command" in refused.err


def test_what_is_in_place_is_set_aside_and_not_lost(
    team: Path, command: Command, tmp_path: Path
) -> None:
    """The wrong backup was chosen: what was there before is still there, with its key."""
    team.with_name("team.db.key").write_bytes(KEY)
    kept = tmp_path / "kept.db"
    command("backup", "--db", team, kept)
    secret_key.path_beside(kept).write_bytes(KEY[::-1])
    add_channel(command, team, "later")
    refused = command("restore", kept, "--db", team)
    assert (refused.code, "already exists" in refused.err) == (1, True)
    done = command("restore", kept, "--db", team, "--force")
    assert done.code == 0, done.err
    aside = Path(
        done.out.splitlines()[-1].removeprefix("The old database is now ").removesuffix(".")
    )
    assert (channels(team), channels(aside)) == (["welcome"], ["welcome", "later"])
    assert secret_key.path_beside(team).read_bytes() == KEY[::-1]
    assert secret_key.path_beside(aside).read_bytes() == KEY


async def test_clients_register_again_and_take_nothing_new_for_old(tmp_path: Path) -> None:
    """Who was connected before is told to start anew; no event or message has a number they know."""
    kept = tmp_path / "kept.db"
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
        queue = await ann.post("register")
        assert await ran("backup", "--db", server.settings.db, kept) == 0
        said = await ann.post("messages", type="stream", to="tea", topic="t", content="lost")
        (lost,) = [one for one in await ann.events(queue) if one["type"] == "message"]
    assert await ran("restore", kept, "--db", server.settings.db, "--force") == 0
    async with live(tmp_path) as server:
        ann = replace(ann, http=server.client(auth=(ann.email, ann.key)))
        old = {name: queue[name] for name in ("queue_id", "last_event_id")}
        assert (await ann.get("events", **old))["code"] == "BAD_EVENT_QUEUE_ID"
        again = await ann.post("register")
        new = await ann.post("messages", type="stream", to="tea", topic="t", content="new")
        (told,) = [one for one in await ann.events(again) if one["type"] == "message"]
    assert told["id"] > lost["id"]
    assert new["id"] > said["id"]


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 2000] = os.urandom(2000)
    path.write_bytes(data)


def changed_letter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.rindex(b"Olive")] = ord("C")
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100_000])


def of_tomorrow(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 999)
    connection.close()


def of_somebody_else(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", 7)
    connection.close()


@pytest.mark.parametrize("spoil", [flipped, changed_letter, cut, of_tomorrow, of_somebody_else])
def test_a_bad_backup_is_refused_before_anything_is_touched(
    team: Path, command: Command, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """A damaged or foreign file says so, and the organization in place is as it was, to the byte."""
    kept = tmp_path / "kept.db"
    command("backup", "--db", team, kept)
    spoil(kept)
    before = team.read_bytes()
    names = sorted(os.listdir(tmp_path))
    refused = command("restore", kept, "--db", team, "--force")
    assert refused.code == 1
    assert refused.err.count("\n") == 1
    assert "kept.db" in refused.err
    assert (team.read_bytes(), sorted(os.listdir(tmp_path))) == (before, names)


@pytest.mark.parametrize("spoil", [flipped, changed_letter])
def test_a_damaged_file_is_not_kept_as_a_backup(
    team: Path, command: Command, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """A copy of damage does not replace last week's good one."""
    kept = tmp_path / "kept.db"
    command("backup", "--db", team, kept)
    good = kept.read_bytes()
    spoil(team)
    refused = command("backup", "--db", team, kept, "--force")
    assert refused.code == 1
    assert kept.read_bytes() == good
