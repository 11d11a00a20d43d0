"""A clock that jumps makes nothing old before its time."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.idempotency import KEPT
from tests.live import Live, Person, live
from tests.unit.server_lite.endpoints.test_messages import two

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
        await server.app.tidy_up()
        assert await sent(ann) == first
    async with live(tmp_path) as server:
        jump(server, -seconds)
        await server.app.tidy_up()
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
            await server.app.tidy_up()
            ran.append(database.read(lambda db: db.value("SELECT count(*) FROM idempotency")))
    assert KEPT == 24 * 3600
    assert ran == [1, 1, 0]
