"""A clock that jumps makes nothing old before its time."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.api.idempotency import KEPT
from server_lite.config import Limits
from server_lite.store import failed_sign_ins, jwt_replays
from server_lite.store.database import Tx
from server_lite.store.users import Role
from tests.api.test_credentials import attempt, with_password
from tests.api.test_messages import two
from tests.live import Live, Person, live

MONTH = 30 * 24 * 3600.0


async def sent(person: Person) -> int:
    """A message under a key, always the same."""
    form = {"type": "stream", "to": "general", "topic": "tea", "content": "hello"}
    answer = await person.http.post("messages", data=form, headers={"Idempotency-Key": "one"})
    message_id: int = answer.json()["id"]
    return message_id


def jump(server: Live, seconds: float) -> None:
    """The clock on the wall is wrong from now on."""
    clock = server.app.database.clock
    server.app.database.clock = lambda: clock() + seconds


@pytest.mark.parametrize("seconds", [MONTH, -MONTH])
async def test_a_resend_makes_no_second_message_when_the_clock_jumps(
    tmp_path: Path, seconds: float
) -> None:
    """A key is kept for a day of running, whatever the clock says meanwhile, also over a restart."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        first = await sent(ann)
        jump(server, seconds)
        await server.app.maintenance.run_once()
        assert await sent(ann) == first
    async with live(tmp_path) as server:
        jump(server, -seconds)
        await server.app.maintenance.run_once()
        again = Person(ann.id, ann.email, ann.key, server.client(auth=(ann.email, ann.key)))
        assert await sent(again) == first


async def test_keys_go_after_a_day_of_running(tmp_path: Path) -> None:
    """Old keys are forgotten, counted over restarts."""
    ran: list[Any] = []
    for hours in (10, 10, 10):
        async with live(tmp_path) as server:
            database = server.app.database
            if not ran:
                ann, _ = await two(server)
                await sent(ann)
            monotonic = database.monotonic
            database.monotonic = lambda m=monotonic, h=hours: m() + h * 3600.0
            await server.app.maintenance.run_once()
            ran.append(database.read(lambda db: db.value("SELECT count(*) FROM idempotency")))
    assert KEPT == 24 * 3600
    assert ran == [1, 1, 0]


def put_things_that_grow_old(server: Live, user_id: int) -> None:
    """A message under a retention of ten days, a file that is half here, a token that was used."""

    def put(tx: Tx) -> None:
        tx.run("INSERT OR REPLACE INTO setting VALUES ('message_retention_days', '10')")
        tx.run(
            "INSERT INTO upload (user_id, name, path_id, content_type, size, created, is_complete)"
            " VALUES (?, 'a', 'b', 'text/plain', 5, ?, 0)",
            user_id,
            tx.now,
        )
        jwt_replays.use(tx, b"digest", tx.now + 3600)

    server.app.database.write_now(put)


def left(server: Live) -> tuple[int, int, int]:
    """How many messages, files and tokens there still are."""
    messages, files, tokens = server.app.database.read(
        lambda db: [
            db.value(f"SELECT count(*) FROM {table}")
            for table in ("message", "upload", "used_token")
        ]
    )
    return messages, files, tokens


@pytest.mark.parametrize("seconds", [MONTH, -MONTH])
async def test_nothing_is_deleted_before_its_time(tmp_path: Path, seconds: float) -> None:
    """History, files on their way, and what keeps a token from being used again, outlive a wrong clock."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        await sent(ann)
        await server.app.maintenance.run_once()
        put_things_that_grow_old(server, ann.id)
        before = left(server)
        assert 0 not in before
        jump(server, seconds)
        await server.app.maintenance.run_once()
        assert left(server) == before
    async with live(tmp_path) as server:
        jump(server, seconds)
        await server.app.maintenance.run_once()
        assert left(server) == before


async def test_over_a_restart_nothing_is_deleted_at_once(tmp_path: Path) -> None:
    """A month without a server looks like a clock that jumped: there is a day to set it right."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        await sent(ann)
        await server.app.maintenance.run_once()
        put_things_that_grow_old(server, ann.id)
        before = left(server)
    async with live(tmp_path) as server:
        jump(server, MONTH)
        await server.app.maintenance.run_once()
        assert left(server) == before
        monotonic = server.app.database.monotonic
        server.app.database.monotonic = lambda: monotonic() + 25 * 3600.0
        jump(server, 25 * 3600.0)
        await server.app.maintenance.run_once()
        assert left(server) == (0, 0, 0)


async def test_invitations_and_queues_are_there_when_the_clock_is_right_again(
    tmp_path: Path,
) -> None:
    """What a wrong clock makes look expired is refused meanwhile, at most, and never deleted."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        queue = (await ann.http.post("register", data={})).json()
        root = await server.person("Root", role=Role.OWNER)
        await root.post("invites/multiuse", invite_expires_in_minutes=60)
        for seconds in (MONTH, -2 * MONTH, MONTH):
            jump(server, seconds)
            await server.app.maintenance.run_once()
        answer = await ann.http.get(
            "events",
            params={
                "queue_id": queue["queue_id"],
                "last_event_id": queue["last_event_id"],
                "dont_block": "true",
            },
        )
        assert answer.status_code == 200
        assert len((await root.get("invites"))["invites"]) == 1


async def tried(server: Live, password: str) -> int:
    """The status of an attempt to sign in."""
    return (await attempt(server, "bo@x.org", password))[0]


@pytest.mark.parametrize("seconds", [MONTH, -MONTH])
async def test_sign_in_limits_neither_open_nor_stay_shut_when_the_clock_jumps(
    tmp_path: Path, seconds: float
) -> None:
    """Failed attempts count for half an hour of running, whatever the clock says, also over a restart."""
    limits = Limits(failed_logins_per_half_hour=2)
    async with live(tmp_path, limits=limits) as server:
        await with_password(server)
        assert [await tried(server, "wrong") for _ in range(3)] == [401, 401, 429]
        jump(server, seconds)
        assert await tried(server, "long enough") == 429
        await server.app.maintenance.run_once()
    async with live(tmp_path, limits=limits) as server:
        jump(server, seconds)
        assert await tried(server, "long enough") == 429
        monotonic = server.app.database.monotonic
        server.app.database.monotonic = lambda: monotonic() + 31 * 60.0
        assert await tried(server, "long enough") == 200


async def test_attempts_that_an_older_version_noted_lock_nobody_out(tmp_path: Path) -> None:
    """They have the time of the clock, which a count of running seconds never reaches."""
    async with live(tmp_path, limits=Limits(failed_logins_per_half_hour=1)) as server:
        await with_password(server)

        def note(tx: Tx) -> None:
            failed_sign_ins.add(tx, "127.0.0.1", "bo@x.org", tx.now)

        server.app.database.write_now(note)
        assert await tried(server, "long enough") == 200
