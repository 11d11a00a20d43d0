"""Garbage is collected a few new objects at a time: a collection stops all threads."""

import asyncio
import gc
from collections.abc import Iterator

import pytest

from server_lite.workers import garbage


@pytest.fixture
def looked_through() -> Iterator[list[tuple[int, int]]]:
    """Yield the generation and the number of objects of each collection that begins."""
    noted: list[tuple[int, int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] < 2:
            young = range(info["generation"] + 1)
            noted.append((info["generation"], sum(len(gc.get_objects(one)) for one in young)))
        elif phase == "start":
            noted.append((2, 0))

    gc.callbacks.append(note)
    yield noted
    gc.callbacks.remove(note)


async def test_objects_of_a_long_answer_are_looked_through_in_parts(
    looked_through: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together they stopped the server for a tenth of a second, several times for each start of a client."""
    monkeypatch.setattr(garbage, "NEW", 100)
    before = gc.get_threshold()
    task = asyncio.create_task(garbage.run(lambda: True))
    await asyncio.sleep(0)
    gc.collect()
    looked_through.clear()
    answer: list[list[int]] = [[] for _ in range(2_000)]
    assert {generation for generation, _ in looked_through} == {0, 1}
    assert max(count for _, count in looked_through) < 300
    assert len(answer) == 2_000
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert gc.get_threshold() == before


async def test_all_objects_are_looked_through_when_no_long_read_is_under_way(
    looked_through: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads that never end delay it by a minute."""
    waited: list[float] = []
    reading = [True, True, False]

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        if waited.count(garbage.HOUR) == 3:
            raise asyncio.CancelledError
        await real_sleep(0)

    real_sleep = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(garbage, "PATIENCE", 4)
    with pytest.raises(asyncio.CancelledError):
        await garbage.run(lambda: reading.pop(0) if reading else True)
    assert [one for one in looked_through if one[0] == 2] == [(2, 0)] * 2
    assert waited == [garbage.HOUR, 1, 1, garbage.HOUR, 1, 1, 1, 1, garbage.HOUR]
