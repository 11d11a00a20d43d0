"""Garbage is collected between long reads, not in the middle of one."""

import asyncio
import gc
from collections.abc import Iterator

import pytest

from server_lite.workers import garbage


@pytest.fixture
def collected() -> Iterator[list[int]]:
    """Yield the generations that were collected, while nothing is collected automatically."""
    generations: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            generations.append(info["generation"])

    gc.collect()
    gc.disable()
    gc.callbacks.append(note)
    yield generations
    gc.callbacks.remove(note)
    gc.enable()


def objects(count: int) -> list[list[int]]:
    return [[] for _ in range(count)]


def test_a_long_read_is_not_interrupted(collected: list[int]) -> None:
    """Its half a million objects end with the answer; looking through them took 90 ms, in which nothing else ran."""
    kept = objects(garbage.ENOUGH)
    garbage.collect_some(is_reading=True)
    assert not collected
    garbage.collect_some(is_reading=False)
    garbage.collect_some(is_reading=False)
    assert collected == [0]
    assert len(kept) == garbage.ENOUGH


def test_reads_that_never_end_do_not_let_garbage_grow(
    collected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what survived the first collections is looked through, less often."""
    monkeypatch.setattr(garbage, "TOO_MANY", 10)
    monkeypatch.setattr(garbage, "OLDER", (2, 2))
    kept = []
    for _ in range(9):
        kept.append(objects(20))
        garbage.collect_some(is_reading=True)
    assert collected == [0, 0, 1, 0, 0, 1, 2, 0, 0]


async def test_nothing_is_collected_automatically(collected: list[int]) -> None:
    gc.enable()
    task = asyncio.create_task(garbage.run(lambda: False))
    await asyncio.sleep(0)
    assert not gc.isenabled()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert gc.isenabled()
    gc.disable()
