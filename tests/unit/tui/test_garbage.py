"""What closed dialogs were goes in the next rest, not at the end of the day."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from contextvars import Context, ContextVar
from typing import Any, cast

import pytest

from tui.garbage import (
    ALL_COLLECTIONS,
    LONG_REST_SECONDS,
    REST_SECONDS,
    YOUNG_COLLECTIONS,
    Collector,
)


class _Cycle:
    def __init__(self) -> None:
        self.itself = self


class _Loop:
    """An event loop whose time is that of the test."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], None]] = []
        self.later: list[Callable[[], None]] = []

    def call_soon_threadsafe(
        self, function: Callable[..., None], *values: Any, context: Context
    ) -> None:
        self.soon.append(lambda: context.run(function, *values))

    def call_later(self, seconds: float, function: Callable[..., None], *values: Any) -> None:
        assert seconds > 0
        self.later.append(lambda: function(*values))

    def go_on(self) -> None:
        """Run what is due, and let the time of a rest pass."""
        for due in (self.soon, self.later):
            calls, due[:] = due[:], []
            for call in calls:
                call()


class _Program:
    def __init__(self) -> None:
        self.used = 0.0
        self.loop = _Loop()
        self.collector = Collector(lambda: self.used)


@pytest.fixture
def program() -> Iterator[_Program]:
    program = _Program()
    gc.unfreeze()
    gc.collect()
    program.collector.begin(cast(asyncio.AbstractEventLoop, program.loop))
    yield program
    program.collector.end()


def _young_garbage() -> "weakref.ref[_Cycle]":
    """Return an object that Python has looked through while it was used, and that is garbage now."""
    cycle = _Cycle()
    gc.collect(0)
    return weakref.ref(cycle)


def _old_garbage() -> "weakref.ref[_Cycle]":
    """Return what was used for longer: Python has looked through it twice."""
    cycle = _Cycle()
    gc.collect(1)
    return weakref.ref(cycle)


def test_garbage_goes_when_the_program_rests(program: _Program) -> None:
    young = _young_garbage()
    gc.collect(0)
    assert young() is not None
    program.loop.go_on()
    assert young() is None


def test_a_busy_program_is_not_held_up(program: _Program) -> None:
    """A key that comes meanwhile would wait for the collection."""
    young = _young_garbage()
    program.loop.soon.pop()()
    program.used += REST_SECONDS / 10
    program.loop.go_on()
    assert young() is not None
    program.loop.go_on()
    assert young() is None


def test_what_was_used_for_long_goes_in_a_long_rest(program: _Program) -> None:
    """A dialog that is read while the program rests counts as old."""
    old = _old_garbage()
    for _ in range(YOUNG_COLLECTIONS - 1):
        gc.collect(0)
        program.loop.go_on()
    assert old() is not None
    program.used += LONG_REST_SECONDS / 10
    program.loop.go_on()
    assert old() is not None
    program.loop.go_on()
    assert old() is None


def _rest_long(program: _Program) -> None:
    for _ in range(YOUNG_COLLECTIONS):
        gc.collect(0)
        program.loop.go_on()
    program.loop.go_on()


@pytest.mark.parametrize("is_shared", [False, True])
def test_what_was_there_at_the_start_goes_too(program: _Program, *, is_shared: bool) -> None:
    """The first state, after the server forgot the queue; not in a session that shares its pages with others."""
    cycle = _Cycle()
    first = weakref.ref(cycle)
    program.collector.end()
    if not is_shared:
        gc.unfreeze()
    program.collector.begin(cast(asyncio.AbstractEventLoop, program.loop))
    if is_shared:
        gc.freeze()
    del cycle
    for _ in range(ALL_COLLECTIONS):
        assert first() is not None
        _rest_long(program)
    assert (first() is not None) == is_shared


def test_a_rest_is_waited_for_once(program: _Program) -> None:
    gc.collect(0)
    gc.collect(0)
    assert len(program.loop.soon) == 1


def test_collections_in_rests_ask_for_no_more(program: _Program) -> None:
    """An idle program does nothing."""
    for _ in range(YOUNG_COLLECTIONS):
        gc.collect(0)
        program.loop.go_on()
    program.loop.go_on()
    assert not program.loop.soon
    assert not program.loop.later


async def test_waiting_for_a_rest_keeps_nothing() -> None:
    """Python looks through objects amid anything: a dialog that it interrupted may be closed before the rest."""
    place: ContextVar[_Cycle] = ContextVar("place")
    collector = Collector(lambda: 0.0)
    gc.unfreeze()
    collector.begin()

    async def look() -> "weakref.ref[_Cycle]":
        dialog = _Cycle()
        place.set(dialog)
        gc.collect(0)
        return weakref.ref(dialog)

    try:
        dialog = await asyncio.create_task(look())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()
        assert dialog() is None
    finally:
        collector.end()


def test_after_its_end_it_asks_for_nothing(program: _Program) -> None:
    program.collector.end()
    gc.collect(0)
    assert not program.loop.soon
