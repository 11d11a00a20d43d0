"""A commit of several people's changes fails: each gets the answer to what they asked, and it is true."""

import asyncio
from pathlib import Path
from typing import Final

import apsw
import pytest

from server_lite.store.database import Database
from tests.faults.power import Disk, forgetful_disk
from tests.live import Live, Person, live, until

PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve")
LONG: Final = "every word counts " * 200


async def together(server: Live, people: list[Person], round_: int) -> list[dict[str, object]]:
    """Everybody says something in the same commit; the third asks for what is refused."""
    database: Database = server.app.database
    await until(lambda: not database._is_tidying and not database._scheduled)
    database._scheduled = True  # hold changes back
    asking = [
        asyncio.create_task(
            person.post(
                "messages",
                type="direct",
                to=[999] if number == 2 else [person.id],
                content=f"{number} in {round_} {LONG}",
            )
        )
        for number, person in enumerate(people)
    ]
    await until(lambda: len(database._pending) == len(people))
    database._flush()
    return list(await asyncio.gather(*asking))


async def own(person: Person) -> list[tuple[int, str]]:
    """Return the IDs and texts of messages that a person finds, without the common part."""
    page = await person.get(
        "messages", anchor="newest", num_before=300, num_after=0, apply_markdown=False
    )
    return [
        (one["id"], one["content"].removesuffix(" " + LONG.strip())) for one in page["messages"]
    ]


async def check(server: Live, disk: Disk, failures: list[Exception]) -> int:
    """Let each write of a commit fail, once in each way; returns how many commits failed."""
    people = [await server.person(name) for name in PEOPLE]
    queues = [await person.post("register", event_types=["message"]) for person in people]
    said: dict[int, list[tuple[int, str]]] = {person.id: [] for person in people}
    failed, round_ = 0, 0
    for failure in failures:
        for write in range(100):
            disk.failure, disk.writes_left, disk.failed = failure, write, 0
            answers = await together(server, people, round_)
            disk.failure = None
            for number, (person, answer) in enumerate(zip(people, answers, strict=True)):
                if disk.failed:
                    assert answer["status"] == 503, answer
                elif number == 2:
                    assert answer["status"] == 400, answer
                else:
                    assert answer["result"] == "success", answer
                    said[person.id].append((int(str(answer["id"])), f"{number} in {round_}"))
            round_ += 1
            failed += disk.failed
            if not disk.failed:
                break
        else:
            pytest.fail("a commit has fewer writes")
    for person, queue in zip(people, queues, strict=True):
        assert await own(person) == said[person.id]
        heard = [event["message"]["id"] for event in await person.events(queue)]
        assert heard == [message_id for message_id, _ in said[person.id]]
    assert server.app.database.reader.value("PRAGMA integrity_check") == "ok"
    return failed


def full() -> Exception:
    """What a full disk answers."""
    return apsw.FullError("no space left")


def broken() -> Exception:
    """What a broken disk answers."""
    error = apsw.IOError("the disk did not take it")
    error.extendedresult = apsw.SQLITE_IOERR_WRITE  # type: ignore[attr-defined]  # apsw reads it
    return error


async def test_each_write_of_a_commit_may_fail(tmp_path: Path) -> None:
    """I am told that nothing was stored, nothing is, and the next message goes through."""
    with forgetful_disk() as disk:
        async with live(tmp_path) as server:
            assert await check(server, disk, [full(), broken()]) > 20
