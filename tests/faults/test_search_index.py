"""The search index under failing disks, crashes and everything people do: searches find what there is, once."""

import asyncio
import random
import shutil
from pathlib import Path
from typing import Final

import pytest

from server_lite.maintenance import doctor
from server_lite.store import index_upkeep, search_index
from server_lite.store.database import Database, Tx
from tests.api.test_messages import history, two
from tests.faults.power import Disk, forgetful_disk
from tests.faults.test_failing_commits import broken, full
from tests.live import Live, Person, live

WORDS: Final = ("tea", "wine", "beer", "milk", "红", "茶")
TOPICS: Final = ("cellar", "kitchen")


def copied(file: Path, folder: Path) -> None:
    """Copy a file as a crash would leave it now."""
    folder.mkdir()
    for one in file.parent.glob("chinwag.db*"):
        if not one.name.endswith("-shm"):
            shutil.copy(one, folder / one.name)


def check(file: Path) -> None:
    """Check that each message that was added is in the index, once."""
    database = Database(file)
    try:
        database.write_now(_check)
    finally:
        database.close()
    found = {one.check: one.level for one in doctor.examine(file, lambda *_: None)}
    assert found["search"] == "ok"


def _check(tx: Tx) -> None:
    until = search_index.complete_until(tx)
    for _ in range(2):
        assert tx.column("SELECT id FROM message WHERE id <= ?", until) == tx.column(
            "SELECT id FROM message_text_docsize"
        )
        tx.run("DROP TABLE IF EXISTS temp.places")
        tx.run("CREATE VIRTUAL TABLE temp.places USING fts5vocab (main, message_text, instance)")
        places = tx.rows("SELECT term, doc, col, offset FROM temp.places")
        assert len(set(places)) == len(places)
        search_index.require(tx)
        until = search_index.complete_until(tx)


class Crowd:
    """What Ann does, and Bob searches."""

    def __init__(self, server: Live, disk: Disk, chance: random.Random) -> None:
        self.server, self.disk, self.chance = server, disk, chance
        self.ann: Person
        self.bob: Person
        self.messages: dict[int, set[str]] = {}

    async def begin(self) -> None:
        self.ann, self.bob = await two(self.server)

    def some(self) -> int | None:
        return self.chance.choice([*self.messages]) if self.messages else None

    async def send(self) -> None:
        word, topic = self.chance.choice(WORDS), self.chance.choice(TOPICS)
        text = " ".join([word] * self.chance.choice([1, 1, 60]))
        answer = await self.ann.post(
            "messages", type="stream", to="general", topic=topic, content=text
        )
        if answer["result"] == "success":
            self.messages[answer["id"]] = {word, topic}

    async def edit(self) -> None:
        message_id, word = self.some(), self.chance.choice(WORDS)
        answer = await self.ann.patch(f"messages/{message_id}", content=word)
        if answer["result"] == "success" and message_id is not None:
            topics = self.messages[message_id] & set(TOPICS)
            self.messages[message_id] = {word, *topics}

    async def move(self) -> None:
        message_id, topic = self.some(), self.chance.choice(TOPICS)
        answer = await self.ann.patch(
            f"messages/{message_id}",
            topic=topic,
            send_notification_to_new_thread=False,
            send_notification_to_old_thread=False,
        )
        if answer["result"] == "success" and message_id is not None:
            self.messages[message_id] = {topic, *self.messages[message_id] - set(TOPICS)}

    async def delete(self) -> None:
        message_id = self.some()
        answer = await self.ann.delete(f"messages/{message_id}")
        if answer["result"] == "success" and message_id is not None:
            del self.messages[message_id]

    async def search(self) -> None:
        word = self.chance.choice([*WORDS, *TOPICS])
        found = await self._found(word)
        there = [one for one, words in self.messages.items() if word in words]
        if self.disk.failure is None:
            assert found == there
        else:  # what waits may not be found
            assert set(found) <= set(there)

    async def _found(self, word: str) -> list[int]:
        page = await history(self.bob, narrow=[["search", word]], num_before=500)
        return [one["id"] for one in page]

    async def crowd(self) -> None:
        """Ten send, while others search: they find what was there before."""
        before = [one for one, words in self.messages.items() if "tea" in words]
        sends = [asyncio.create_task(self.send()) for _ in range(10)]
        found = await asyncio.gather(*(self._found("tea") for _ in range(5)))
        await asyncio.gather(*sends)
        self.messages = dict(sorted(self.messages.items()))
        after = {one for one, words in self.messages.items() if "tea" in words}
        for ids in found:
            assert len(set(ids)) == len(ids)
            assert set(ids) <= after
            assert self.disk.failure is not None or set(before) <= set(ids)


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_upkeep, "ADD_AFTER", 8)
    monkeypatch.setattr(index_upkeep, "ADDED_AT_ONCE", 3)
    monkeypatch.setattr(index_upkeep, "ADD_AFTER_CHARACTERS", 400)
    monkeypatch.setattr(search_index, "BYTES_AT_ONCE", 200)
    monkeypatch.setattr(index_upkeep, "MERGE_AFTER", 3)


async def run(folder: Path, seed: int, steps: int) -> None:
    chance = random.Random(seed)
    with forgetful_disk() as disk:
        async with live(folder) as server:
            crowd = Crowd(server, disk, chance)
            await crowd.begin()
            for number in range(steps):
                disk.steps.clear()
                if chance.random() < 0.3:
                    disk.failure = chance.choice([full, broken])()
                    disk.writes_left = chance.randrange(12)
                doing = chance.choice(
                    [crowd.send] * 5
                    + [crowd.edit, crowd.move, crowd.delete, crowd.crowd]
                    + [crowd.search] * 2
                )
                await doing()
                disk.failure = None
                if chance.random() < 0.05:
                    with server.app.database._turn:  # a crash has no time in which files change
                        copied(server.settings.db, folder / f"crash{number}")
                    check(folder / f"crash{number}" / "chinwag.db")
            for word in (*WORDS, *TOPICS):
                there = [one for one, words in crowd.messages.items() if word in words]
                assert await crowd._found(word) == there
        check(server.settings.db)


@pytest.mark.parametrize("seed", [1, 2])
async def test_searches_find_what_there_is(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, seed, 40)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
async def test_searches_find_what_there_is_for_long(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, seed, 200)
