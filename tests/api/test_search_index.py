"""The search index: messages wait to be added together, and whoever searches does not notice."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server_lite.store import backups, index_upkeep, search_index
from tests.api.test_messages import history, say, two
from tests.live import Live, Person, live


async def found(person: Person, words: str) -> list[int]:
    return [one["id"] for one in await history(person, narrow=[["search", words]])]


def waits(server: Live) -> bool:
    return not search_index.is_complete(server.app.database.reader)


async def test_a_message_is_found_at_once(tmp_path: Path) -> None:
    """In a fetch, among given messages, and where everything found is marked as read."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        first = await say(ann, "green tea")
        assert waits(server)
        assert await found(bob, "tea") == [first]
        second = await say(ann, "black tea")
        narrow: list[Any] = [["search", "tea"]]
        matching = await bob.get("messages/matches_narrow", msg_ids=[first, second], narrow=narrow)
        assert sorted(matching["messages"]) == [str(first), str(second)]
        third = await say(ann, "white tea")
        marked = await bob.post(
            "messages/flags/narrow",
            anchor="newest",
            num_before=9,
            num_after=0,
            narrow=narrow,
            op="add",
            flag="starred",
        )
        assert (marked["updated_count"], marked["last_processed_id"]) == (3, third)
        assert not waits(server)


async def test_what_changes_before_it_is_added_is_found_as_it_is(tmp_path: Path) -> None:
    """An edit, a move and a deletion, also of messages that came before others that were added."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = [await say(ann, words) for words in ("red wine", "old beer", "new beer")]
        await ann.patch(f"messages/{sent[0]}", content="red tea")
        await ann.delete(f"messages/{sent[1]}")
        await ann.patch(
            f"messages/{sent[2]}",
            topic="cellar",
            send_notification_to_new_thread=False,
            send_notification_to_old_thread=False,
        )
        assert await found(bob, "wine") == []
        assert [await found(bob, words) for words in ("tea", "beer", "cellar")] == [
            [sent[0]],
            [sent[2]],
            [sent[2]],
        ]
        await ann.patch(f"messages/{sent[0]}", content="red wine")
        await ann.delete(f"messages/{sent[2]}")
        assert [await found(bob, words) for words in ("wine", "beer")] == [[sent[0]], []]
    assert backups.faults(tmp_path / "chinwag.db") == []


async def test_messages_that_wait_when_the_server_ends_are_found_after_its_start(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        sent = await say(ann, "tea")
    async with live(tmp_path) as server:
        assert waits(server)
        again = server.client(auth=(ann.email, ann.key))
        assert await found(Person(ann.id, ann.email, ann.key, again), "tea") == [sent]


async def test_many_are_added_together_without_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding a message alone costs as much as storing three."""
    monkeypatch.setattr(index_upkeep, "ADD_AFTER", 6)
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        for _ in range(3):
            await say(ann, "tea")
        assert waits(server)
        await asyncio.gather(*(say(ann, "tea") for _ in range(3)))
        while waits(server):  # noqa: ASYNC110  # a thread adds them
            await asyncio.sleep(0)


async def test_a_full_disk_hides_new_messages_from_searches_and_nothing_else(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann, "old tea")
        assert await found(bob, "tea") == [sent]
        later = await say(ann, "new tea")
        server.app.database._broken = "The disk is full."
        assert await found(bob, "tea") == [sent]
        server.app.database._broken = ""
        assert await found(bob, "tea") == [sent, later]


async def test_searches_add_long_messages_in_small_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long they are and however many search at once, nobody waits for all of them."""
    monkeypatch.setattr(search_index, "BYTES_AT_ONCE", 15)
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = [await say(ann, "black tea.") for _ in range(5)]
        added: list[int] = []
        database = server.app.database
        run, add = database._run, search_index._add

        def noted_run(fns: list[Any]) -> Any:
            added.append(0)
            return run(fns)

        def noted_add(db: Any, rows: Any) -> None:
            added[-1] += len(rows)
            add(db, rows)

        monkeypatch.setattr(database, "_run", noted_run)
        monkeypatch.setattr(search_index, "_add", noted_add)
        for ids in await asyncio.gather(*(found(bob, "tea") for _ in range(4))):
            assert ids == sent
        assert [number for number in added if number] == [2, 2, 1]
