"""What comes together begins some at a time, everybody's in turn, and a client that is gone takes no turn."""

import asyncio
from functools import partial

from server_lite.http.turns import MOST, SECONDS, TASKS, Turns


class Clock:
    """Time that passes only when said."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds


def ask(turns: Turns, asker: str, begin: "partial[None]") -> None:
    """Begin as the protocol does: at once if the turn is not over."""

    def counted() -> None:
        turns.spend(1)
        begin()

    if turns.is_over:
        turns.wait(asker, counted)
    else:
        counted()


async def begun_in_each_turn(begun: list[str], count: int) -> list[list[str]]:
    """Run the loop until so many have begun; returns those of each turn."""
    parts, seen = [], 0
    while True:
        if len(begun) > seen:
            parts.append(begun[seen:])
            seen = len(begun)
        if seen >= count:
            return parts
        await asyncio.sleep(0)


async def test_hundreds_at_once_leave_turns_to_others() -> None:
    """Whoever comes in between waits for three of ten, and not for all."""
    turns, begun = Turns(3, clock=Clock()), list[str]()
    for number in range(10):
        ask(turns, "Ann", partial(begun.append, f"{number}"))
    parts = await begun_in_each_turn(begun, 10)
    assert parts == [["0", "1", "2"], ["3", "4", "5"], ["6", "7", "8"], ["9"]]
    for _ in range(3):
        await asyncio.sleep(0)
    assert not turns.is_over, "as at the beginning"


async def test_nobody_waits_for_all_requests_of_one_who_asks_a_lot() -> None:
    """A program that sends hundreds at once gets one turn after another, and everybody else one in between."""
    turns, begun = Turns(1, clock=Clock()), list[str]()
    for number in range(5):
        ask(turns, "program", partial(begun.append, f"program {number}"))
    for name in ("Ann", "Bob"):
        ask(turns, name, partial(begun.append, name))
    parts = await begun_in_each_turn(begun, 7)
    assert [name for (name,) in parts] == [
        "program 0",
        "program 1",
        "Ann",
        "Bob",
        "program 2",
        "program 3",
        "program 4",
    ]


async def test_nobody_is_read_after_all_that_one_sent() -> None:
    """A program that writes on hundreds of connections at once is read as all others are, one after another."""
    clock, read = Clock(), list[str]()
    turns = Turns(clock=clock)

    def slow(name: str) -> None:
        read.append(name)
        clock.seconds += SECONDS

    assert not turns.is_late, "the first is read at once"
    for name in ("program", "program", "program", "Ann", "Bob"):
        turns.read_later(name, partial(slow, name))
    parts = await begun_in_each_turn(read, 5)
    assert parts == [["program"], ["Ann"], ["Bob"], ["program"], ["program"]]


async def test_a_turn_is_over_when_it_took_long() -> None:
    """Fifty requests with long lists would be read in a second."""
    clock = Clock()
    turns, begun = Turns(50, clock=clock), list[str]()

    def slow(number: int) -> None:
        begun.append(f"{number}")
        clock.seconds += SECONDS / 2

    for number in range(5):
        ask(turns, "Ann", partial(slow, number))
    assert await begun_in_each_turn(begun, 5) == [["0", "1"], ["2", "3"], ["4"]]


async def test_what_costs_more_than_a_turn_is_paid_off() -> None:
    """After a request with a task the next one has a turn of its own."""
    turns, begun = Turns(2, clock=Clock()), list[str]()

    async def handshake(number: int) -> None:
        await turns.take("Ann", 3)
        begun.append(f"{number}")

    tasks = [asyncio.create_task(handshake(number)) for number in range(4)]
    await asyncio.sleep(0)
    assert begun == ["0"]
    tasks[1].cancel()
    parts = await begun_in_each_turn(begun, 3)
    assert parts == [["0"], ["2"], ["3"]]
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_short_tasks_begin_together_and_long_ones_alone() -> None:
    """Changes of tasks that begin in the same turn share a commit; long reads would add up."""
    clock = Clock()
    turns, begun = Turns(clock=clock), list[str]()

    def task(seconds: float) -> None:
        turns.spend(1)
        turns.spend_task()
        begun.append("")
        asyncio.get_running_loop().call_soon(clock.pass_by, seconds)

    async def counts(seconds: float) -> list[int]:
        turns.spend(MOST)
        begun.clear()
        for _ in range(30):
            turns.wait("Ann", partial(task, seconds))
        parts = await begun_in_each_turn(begun, 30)
        for _ in range(3):
            await asyncio.sleep(0)
        return [len(part) for part in parts]

    assert max(await counts(0.0)) == TASKS
    assert {*(await counts(2 * SECONDS))[2:]} == {1}, "two turns show that they are long"
    assert max(await counts(0.0)) == TASKS, "it is quiet again"
