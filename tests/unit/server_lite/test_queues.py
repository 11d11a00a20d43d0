"""Event queues: nothing lost, nothing twice, nothing told to the wrong person, restarts included."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.actions.channels import create_channel
from server_lite.actions.user_topics import set_policy_of
from server_lite.config import Limits, Timing
from server_lite.errors import ApiError, BadEventQueue
from server_lite.event_poll import poll
from server_lite.event_queue import Options, Queue
from server_lite.event_stream import stream
from server_lite.events.base import AnyEvent, ClientCapabilities
from server_lite.futures import settle_future
from server_lite.ids import UserId
from server_lite.queues import Queues
from server_lite.store import event_log
from server_lite.store.database import Database, Tx
from server_lite.store.event_log import PAGE, PRUNED, Local, Page
from server_lite.store.user_topics import Policy
from tests.unit.server_lite.probe import Emptied, ProbeEvent, Whispered

ANN, BOB = UserId(1), UserId(2)


class Clock:
    """Monotonic time that only moves when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A database and its queues, with restarts."""

    def __init__(
        self, path: Path, timing: Timing | None = None, limits: Limits | None = None
    ) -> None:
        self.path = path
        self.limits = limits or Limits()
        self.clock = Clock()
        self.timing = timing or Timing()
        self.start()

    def start(self) -> None:
        self.database = Database(self.path)
        self.queues = Queues(
            self.database, timing=self.timing, limits=self.limits, monotonic=self.clock
        )

    def restart(self) -> None:
        self.database.close()
        self.start()

    def upkeep(self) -> bool:
        """Do what the server does every half minute; returns whether more of the log is to be pruned."""
        for _ in self.queues.pass_by():
            pass
        self.database.write_now(lambda tx: self.queues.upkeep(tx, self.queues.everything()))
        return self.database.write_now(self.queues.prune)

    def queue(self, user_id: UserId, **options: Any) -> Queue:
        chosen = Options(**{"shape": ClientCapabilities(), **options})
        return self.database.write_now(
            lambda tx: self.queues.create(tx, user_id, chosen, idle_timeout=None)
        )

    def emit(self, event: AnyEvent, **how: Any) -> None:
        self.database.write_now(lambda tx: tx.emit(event, **how))

    async def poll(
        self, queue: Queue, last: int | None = None, *, block: bool = False
    ) -> list[dict[str, Any]]:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        begin = poll(self.queues, queue.user_id, queue.id, last, block=block)
        give_up = begin(partial(settle_future, answer))
        try:
            events: list[dict[str, Any]] = orjson.loads(await answer)
        finally:
            give_up()
        return events


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "x.db")


def words(events: Iterable[dict[str, Any]]) -> list[str]:
    return [event["words"] for event in events]


async def test_a_queue_tells_what_its_owner_may_hear(bench: Bench) -> None:
    """An event reaches its audience, and nobody else."""
    ann, bob = bench.queue(ANN), bench.queue(BOB)
    bench.emit(ProbeEvent(words="to ann"), to=[ANN])
    bench.emit(ProbeEvent(words="to both"), to=[ANN, BOB])
    assert words(await bench.poll(ann)) == ["to ann", "to both"]
    assert words(await bench.poll(bob)) == ["to both"]


async def test_flags_are_each_persons_own(bench: Bench) -> None:
    """What is personal in an event is told to that person alone."""
    ann, bob = bench.queue(ANN), bench.queue(BOB)
    bench.emit(ProbeEvent(words="hi"), to=[ANN, BOB], personal={ANN: ["mentioned"]})
    assert (await bench.poll(ann))[0]["flags"] == ["mentioned"]
    assert "flags" not in (await bench.poll(bob))[0]


async def test_a_lost_answer_is_told_again(bench: Bench) -> None:
    """Until a client acknowledges an event, asking again brings it again, with the same id."""
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="hi"), to=[ANN])
    first = await bench.poll(queue, -1)
    assert await bench.poll(queue, -1) == first
    assert await bench.poll(queue, first[-1]["id"]) == []


async def test_acknowledging_backwards_or_ahead_is_refused(bench: Bench) -> None:
    """An id that was never sent, or is already gone, gets a clear error and harms nothing."""
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="one"), to=[ANN])
    (one,) = await bench.poll(queue)
    assert await bench.poll(queue, one["id"]) == []
    with pytest.raises(ApiError, match="already been pruned"):
        await bench.poll(queue, one["id"] - 1)
    with pytest.raises(ApiError, match="no such event"):
        await bench.poll(queue, one["id"] + 1_000_000)
    bench.emit(ProbeEvent(words="two"), to=[ANN])
    assert words(await bench.poll(queue, one["id"])) == ["two"]


async def test_a_waiting_poll_is_woken(bench: Bench) -> None:
    """News reaches a waiting client at once."""
    queue = bench.queue(ANN)
    waiting = asyncio.create_task(bench.poll(queue, block=True))
    await asyncio.sleep(0)
    bench.emit(ProbeEvent(words="hi"), to=[ANN])
    assert words(await waiting) == ["hi"]


async def test_commits_that_follow_at_once_are_one_answer(tmp_path: Path) -> None:
    """Under load several commits are one answer, also for a poll that begins meanwhile; the first is not late."""
    bench = Bench(tmp_path / "x.db", Timing(between_deliveries=60.0))
    waits, comes = bench.queue(ANN), bench.queue(ANN)
    first = asyncio.create_task(bench.poll(waits, -1, block=True))
    await asyncio.sleep(0)
    bench.emit(ProbeEvent(words="a"), to=[ANN])
    begun = await first
    assert words(begun) == ["a"]
    (last,) = (event["id"] for event in await bench.poll(comes, -1))
    polls = [asyncio.create_task(bench.poll(waits, begun[-1]["id"], block=True))]
    await asyncio.sleep(0)
    bench.emit(ProbeEvent(words="b"), to=[ANN])
    await asyncio.sleep(0)
    polls.append(asyncio.create_task(bench.poll(comes, last, block=True)))
    await asyncio.sleep(0)
    bench.emit(ProbeEvent(words="c"), to=[ANN])
    await asyncio.sleep(0)
    reads = bench.poll(bench.queue(BOB), -1)
    bench.emit(ProbeEvent(words="d"), to=[ANN, BOB])
    assert words(await reads) == ["d"], "who does not wait reads the log"
    await asyncio.sleep(0)
    assert not any(each.done() for each in polls)
    bench.queues._delivery._deliver_pending()
    assert [words(each) for each in await asyncio.gather(*polls)] == [["b", "c", "d"]] * 2


async def test_a_second_poll_sends_the_first_home(bench: Bench) -> None:
    """Two polls on one queue cannot both wait: the older one answers with nothing."""
    queue = bench.queue(ANN)
    first = asyncio.create_task(bench.poll(queue, block=True))
    await asyncio.sleep(0)
    second = asyncio.create_task(bench.poll(queue, block=True))
    assert await first == []
    bench.emit(ProbeEvent(words="hi"), to=[ANN])
    assert words(await second) == ["hi"]


async def test_a_poll_that_was_sent_home_keeps_no_queue(bench: Bench) -> None:
    """The queue expires like any other that nobody asks for."""
    queue = bench.queue(ANN)
    first = asyncio.create_task(bench.poll(queue, block=True))
    await asyncio.sleep(0)
    assert await bench.poll(queue) == []
    assert (await first, bench.queues.waiting) == ([], 0)
    bench.clock.now += bench.timing.queue_idle + 1
    bench.upkeep()
    with pytest.raises(BadEventQueue):
        await bench.poll(queue)


async def test_deleting_a_queue_ends_its_poll(bench: Bench) -> None:
    """Who logs out elsewhere is not left hanging; the queue is gone for good."""
    queue = bench.queue(ANN)
    waiting = asyncio.create_task(bench.poll(queue, block=True))
    await asyncio.sleep(0)
    bench.database.write_now(lambda tx: bench.queues.delete(tx, ANN, queue.id))
    assert await waiting == []
    for _ in range(2):
        with pytest.raises(BadEventQueue):
            await bench.poll(queue)
        bench.restart()


async def test_a_quiet_poll_ends_with_a_heartbeat(tmp_path: Path) -> None:
    """A client that hears nothing for long is told that the connection lives."""
    bench = Bench(tmp_path / "x.db", Timing(heartbeat=0.0))
    queue = bench.queue(ANN)
    (beat,) = await bench.poll(queue, block=True)
    assert beat["type"] == "heartbeat"
    bench.emit(ProbeEvent(words="hi"), to=[ANN])
    (event,) = await bench.poll(queue, beat["id"])
    assert event["id"] > beat["id"]


async def test_nobody_reads_anothers_queue(bench: Bench) -> None:
    """A queue id is no key: only its owner can read or delete it."""
    queue = bench.queue(ANN)
    with pytest.raises(BadEventQueue):
        poll(bench.queues, BOB, queue.id, None, block=False)
    with pytest.raises(BadEventQueue):
        bench.database.write_now(lambda tx: bench.queues.delete(tx, BOB, queue.id))


async def test_a_restart_loses_nothing(bench: Bench) -> None:
    """After kill -9 and restart a client polls on with its last id: nothing lost, nothing twice."""
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="one"), to=[ANN])
    (one,) = await bench.poll(queue)
    bench.emit(ProbeEvent(words="two"), to=[ANN])
    bench.restart()
    bench.emit(ProbeEvent(words="three"), to=[ANN])
    assert words(await bench.poll(queue, one["id"])) == ["two", "three"]


async def test_an_idle_queue_expires_and_an_open_poll_does_not(bench: Bench) -> None:
    """Queues of clients that went away are dropped; one that waits is alive however long."""
    idle, waits = bench.queue(ANN), bench.queue(BOB)
    waiting = asyncio.create_task(bench.poll(waits, block=True))
    await asyncio.sleep(0)
    bench.clock.now += bench.timing.queue_idle + 1
    bench.upkeep()
    with pytest.raises(BadEventQueue):
        await bench.poll(idle)
    bench.emit(ProbeEvent(words="still here"), to=[BOB])
    assert words(await waiting) == ["still here"]


async def test_the_log_is_kept_until_everyone_has_read_it(bench: Bench) -> None:
    """Pruning forgets what all queues acknowledged and nothing else."""
    slow, quick = bench.queue(ANN), bench.queue(ANN)
    for n in range(3):
        bench.emit(ProbeEvent(words=str(n)), to=[ANN])
    events = await bench.poll(quick)
    await bench.poll(quick, events[-1]["id"])
    bench.upkeep()
    assert words(await bench.poll(slow)) == ["0", "1", "2"]
    await bench.poll(slow, events[1]["id"])
    bench.upkeep()
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 1


async def test_the_oldest_idle_queue_makes_room(tmp_path: Path) -> None:
    """A client that registers again and again costs a bounded number of queues."""
    bench = Bench(tmp_path / "x.db")
    queues = [bench.queue(ANN) for _ in range(Limits().queues_per_user + 1)]
    with pytest.raises(BadEventQueue):
        await bench.poll(queues[0])
    assert await bench.poll(queues[1]) == []
    for _ in range(Limits().queues_per_user):  # those that were deleted take no room
        newest = queues.pop().id
        bench.database.write_now(partial(bench.queues.delete, user_id=ANN, queue_id=newest))
        queues.append(bench.queue(ANN))
    assert await bench.poll(queues[1]) == []


async def test_event_types_are_a_filter(bench: Bench) -> None:
    """A client that asked for some types hears of no others."""
    queue = bench.queue(ANN, event_types=("emptied",))
    bench.emit(ProbeEvent(words="hi"), to=[ANN])
    bench.emit(Emptied(numbers=[1]), to=[ANN])
    assert [event["type"] for event in await bench.poll(queue)] == ["emptied"]


async def test_each_reads_their_own_muted_topics(bench: Bench) -> None:
    """Clients alike take the same events of a change, but for lists that are read for each of them."""
    topics = {ANN: "tea", BOB: "news"}

    def mute(tx: Tx) -> None:
        for user_id, topic in topics.items():
            set_policy_of(tx, [user_id], channel.id, topic, Policy.MUTED)

    def follow(tx: Tx) -> None:
        set_policy_of(tx, [*topics], channel.id, "moved", Policy.FOLLOWED)

    channel = bench.database.write_now(lambda tx: create_channel(tx, None, name="all"))
    bench.database.write_now(mute)
    bench.restart()  # nothing else is about to be delivered
    mine = [bench.queue(user_id, event_types=("muted_topics",)) for user_id in topics]
    polls = [asyncio.create_task(bench.poll(queue, block=True)) for queue in mine]
    await asyncio.sleep(0)
    await bench.database.write(follow)
    lists = [event["muted_topics"] for poll in polls for event in await poll]
    assert [[row[:2] for row in rows] for rows in lists] == [[["all", "tea"]], [["all", "news"]]]


async def test_public_events_reach_those_who_asked_for_all_channels(bench: Bench) -> None:
    """`all_public_streams` widens what a queue hears, for those who may."""
    plain, wide = bench.queue(BOB), bench.queue(BOB, all_public_streams=True)
    bench.emit(ProbeEvent(words="hi"), to=[ANN], public_listeners=[ANN, BOB])
    assert await bench.poll(plain) == []
    assert words(await bench.poll(wide)) == ["hi"]
    bench.restart()
    bench.emit(ProbeEvent(words="later"), to=[ANN], public_listeners=[ANN, BOB])
    assert words(await bench.poll(wide)) == ["hi", "later"]
    assert await bench.poll(plain) == []


async def test_the_senders_queue_gets_its_own_id_back(bench: Bench) -> None:
    """The echo of a send is recognized by the queue that sent it, and by no other."""
    sender, other = bench.queue(ANN), bench.queue(ANN)
    bench.emit(ProbeEvent(words="hi"), to=[ANN], local=Local(queue_id=sender.id, local_id="7.1"))
    assert (await bench.poll(sender))[0]["local_message_id"] == "7.1"
    bench.restart()  # an answer that was lost with the server is given again, the same
    assert (await bench.poll(sender, -1))[0]["local_message_id"] == "7.1"
    assert "local_message_id" not in (await bench.poll(other))[0]


async def test_one_event_can_be_acknowledged_in_its_middle(bench: Bench) -> None:
    """A client told of a deletion one message at a time may acknowledge between two of them."""
    single = bench.queue(ANN)
    bulk = bench.queue(ANN, shape=ClientCapabilities(bulk_message_deletion=True))
    bench.emit(Emptied(numbers=[5, 6, 7]), to=[ANN])
    events = await bench.poll(single)
    assert [event["number"] for event in events] == [5, 6, 7]
    assert [event["number"] for event in await bench.poll(single, events[0]["id"])] == [6, 7]
    (whole,) = await bench.poll(bulk)
    assert whole["numbers"] == [5, 6, 7]
    assert whole["id"] == events[-1]["id"]


async def test_short_lived_events_cost_no_row(bench: Bench) -> None:
    """Typing notices are told and forgotten, in order with everything else."""
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="a"), to=[ANN])
    bench.emit(Whispered(words="b"), to=[ANN])
    bench.emit(ProbeEvent(words="c"), to=[ANN])
    assert words(await bench.poll(queue)) == ["a", "b", "c"]
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 2


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of each event that was read back from its row."""
    read: list[str] = []
    load = ProbeEvent.load

    def counted(data: dict[str, Any]) -> ProbeEvent:
        read.append(data["words"])
        return load(data)

    monkeypatch.setattr(ProbeEvent, "load", counted)
    return read


def emit_many(bench: Bench, count: int, **how: Any) -> None:
    """Emit in one change, and forget what is in memory."""

    def run(tx: Tx) -> None:
        for number in range(count):
            tx.emit(ProbeEvent(words=str(number)), **how)

    bench.database.write_now(run)
    bench.restart()


async def test_a_poll_reads_what_it_answers(tmp_path: Path, decoded: list[str]) -> None:
    """A queue that is far behind costs as many rows as it has, however often it asks."""
    bench = Bench(tmp_path / "x.db", limits=Limits(events_per_answer=100))
    queue = bench.queue(ANN)
    emit_many(bench, 1000, to=[ANN])
    last, heard = -1, []
    while events := await bench.poll(queue, last):
        heard += words(events)
        last = events[-1]["id"]
    assert heard == [str(number) for number in range(1000)]
    # An answer may end within a page, whose rest is read for the next answer again.
    assert len(decoded) <= 1000 + 11 * PAGE


async def test_a_change_of_many_events_is_encoded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its answers encoded all events that were left."""
    bench = Bench(tmp_path / "x.db", limits=Limits(events_per_answer=50))
    queue = bench.queue(ANN)
    encoded = 0
    encode = bench.queues._encode

    def counted(*which: Any) -> bytes:
        nonlocal encoded
        encoded += 1
        return encode(*which)

    monkeypatch.setattr(bench.queues, "_encode", counted)

    def emit(tx: Tx) -> None:
        for number in range(450):
            tx.emit(ProbeEvent(words=str(number)), to=[ANN])

    bench.database.write_now(emit)
    await asyncio.sleep(0)
    last, heard = -1, []
    while events := await bench.poll(queue, last):
        heard += words(events)
        last = events[-1]["id"]
    assert heard == [str(number) for number in range(450)]
    assert encoded == 450


async def test_an_answer_has_a_size_however_long_its_events_are(tmp_path: Path) -> None:
    """A client that is far behind and does not read its answer holds a little of it in memory, not all."""
    bench = Bench(tmp_path / "x.db", limits=Limits(event_bytes_per_answer=1000))
    queue = bench.queue(ANN)
    for number in range(10):
        bench.emit(ProbeEvent(words=f"{number}{'x' * 400}"), to=[ANN])
    last, answers = -1, []
    while events := await bench.poll(queue, last):
        answers.append(len(events))
        last = events[-1]["id"]
    assert answers == [3, 3, 3, 1]
    async with aclosing(stream(bench.queues, ANN, bench.queue(ANN).id, -1)(None)) as lines:
        for number in range(4):
            bench.emit(ProbeEvent(words=f"{number}{'x' * 400}"), to=[ANN])
        assert [len(orjson.loads(await anext(lines))["events"]) for _ in range(2)] == [3, 1]


async def test_others_are_served_while_a_queue_catches_up(bench: Bench) -> None:
    """However far a queue is behind, it never keeps the loop for more than a page."""
    queue = bench.queue(ANN)
    emit_many(bench, 10 * PAGE, to=[BOB])
    catching_up = asyncio.create_task(bench.poll(queue))
    turns = 0
    while not catching_up.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns >= 10


async def test_what_is_not_for_a_queue_is_looked_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits among the events of others is not woken to all of them again."""
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="first"), to=[ANN])
    (first,) = await bench.poll(queue)
    emit_many(bench, 3 * PAGE, to=[BOB])
    assert await bench.poll(queue, first["id"]) == []
    pages: list[int] = []
    page = bench.database.log.page

    def counted(db: Any, after: int, *rest: Any) -> Page:
        pages.append(after)
        return page(db, after, *rest)

    monkeypatch.setattr(bench.database.log, "page", counted)
    bench.emit(ProbeEvent(words="second"), to=[ANN])
    assert words(await bench.poll(queue, first["id"])) == ["second"]
    assert len(pages) <= 1


async def test_an_unacknowledged_answer_is_told_again_however_much_is_passed_by(
    bench: Bench,
) -> None:
    """What was looked past never hides what was told and got lost."""
    queue = bench.queue(ANN)
    emit_many(bench, 2 * PAGE, to=[BOB])
    bench.emit(ProbeEvent(words="mine"), to=[ANN])
    bench.emit(ProbeEvent(words="his"), to=[BOB])
    for _ in range(3):
        bench.upkeep()
        assert words(await bench.poll(queue, -1)) == ["mine"]


async def test_restarts_alone_drop_no_queue(bench: Bench) -> None:
    """A start of the server skips numbers; nobody missed anything by that."""
    queue = bench.queue(ANN)
    for _ in range(12):
        bench.restart()
        bench.upkeep()
    bench.emit(ProbeEvent(words="still here"), to=[ANN])
    assert words(await bench.poll(queue, -1)) == ["still here"]


async def test_a_queue_that_missed_too_much_is_given_up(tmp_path: Path) -> None:
    """A client that went away does not keep the log for ever, and its space is given back."""
    bench = Bench(tmp_path / "x.db", limits=Limits(events_per_queue=50))
    abandoned, quiet = bench.queue(ANN), bench.queue(BOB)
    emit_many(bench, 30, to=[ANN])
    late = bench.queue(ANN)
    assert bench.queues.furthest_behind >= 30
    emit_many(bench, 30, to=[ANN])
    bench.upkeep()
    with pytest.raises(BadEventQueue):
        await bench.poll(abandoned)
    events = await bench.poll(late)
    assert len(events) == 30
    assert await bench.poll(late, events[-1]["id"]) == []
    bench.upkeep()
    assert bench.queues.furthest_behind == 0
    assert await bench.poll(quiet) == []
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 0
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM audience")) == 0


async def test_a_queue_nobody_answers_for_ends_however_often_the_server_starts(
    bench: Bench,
) -> None:
    """Restarts give an idle queue a new period, but not for ever."""
    queue = bench.database.write_now(
        lambda tx: bench.queues.create(tx, ANN, Options(shape=ClientCapabilities()), 7 * 24 * 3600)
    )
    bench.emit(ProbeEvent(words="unheard"), to=[ANN])
    for _ in range(8):
        bench.clock.now += 24 * 3600 + 1
        bench.upkeep()
        bench.restart()
    with pytest.raises(BadEventQueue):
        await bench.poll(queue)


@pytest.mark.parametrize("reader", [ANN, BOB], ids=["always behind", "nothing to hear"])
async def test_a_queue_that_is_polled_without_waiting_is_kept(bench: Bench, reader: UserId) -> None:
    """A script that asks once a day, for weeks, loses nothing by never waiting for an answer."""
    day = 24 * 3600
    queue = bench.database.write_now(
        lambda tx: bench.queues.create(tx, reader, Options(shape=ClientCapabilities()), 2 * day)
    )
    last = -1
    for _ in range(10):
        bench.emit(ProbeEvent(words="new"), to=[ANN])
        bench.clock.now += day
        for event in await bench.poll(queue, last):
            last = event["id"]
        bench.upkeep()
    bench.emit(ProbeEvent(words="still here"), to=[reader])
    assert words(await bench.poll(queue, last)) == ["still here"]


async def test_events_after_the_log_was_emptied_reach_their_own_people(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite gives the number of a deleted audience to the next one: nobody hears what is for others."""
    monkeypatch.setattr(event_log, "TAIL", 1)  # nearly all is read from the rows
    hers, his = bench.queue(ANN), bench.queue(BOB)
    emit_many(bench, 1, to=[ANN])
    (event,) = await bench.poll(hers)
    assert await bench.poll(hers, event["id"]) == []
    assert await bench.poll(his) == []
    bench.upkeep()
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM audience")) == 0
    for number in range(3):
        bench.emit(ProbeEvent(words=str(number)), to=[BOB])
    assert words(await bench.poll(his)) == ["0", "1", "2"]
    assert await bench.poll(hers, event["id"]) == []


async def test_the_log_is_forgotten_in_slices(bench: Bench) -> None:
    """Others are served while a long log is pruned."""
    queue = bench.queue(ANN)
    emit_many(bench, 2 * PRUNED + 1, to=[ANN])
    last = bench.database.log.head
    await bench.poll(queue, last)
    more = [bench.upkeep()]
    while more[-1]:
        more.append(bench.database.write_now(bench.queues.prune))
    assert more == [True, True, False]
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 0


async def test_large_events_are_forgotten_in_smaller_slices(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few hundred messages that called 5,000 people held all others for 50 milliseconds."""
    monkeypatch.setattr(event_log, "PRUNED_BYTES", 1_500)
    for size in (10, 1_000, 1_000, 2_000, 10):
        bench.emit(ProbeEvent(words="x" * size), to=[ANN])
    left = []
    while bench.upkeep():
        left.append(bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")))
    assert left == [2, 1]
    for number in range(9):
        bench.emit(ProbeEvent(words=""), to=map(UserId, range(number, 100)))
    left = []
    while bench.upkeep():
        left.append(bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")))
    assert left == [3], "audiences are deleted with them"


async def test_asking_again_without_acknowledging_counts_as_a_request(bench: Bench) -> None:
    """A client that polls as it should is never limited; one that makes the server repeat itself is."""
    charged: list[int] = []
    bench.queues.charge = charged.append
    queue = bench.queue(ANN)
    emit_many(bench, 3, to=[ANN])
    bench.queues.charge = charged.append
    events = await bench.poll(queue, -1)
    assert charged == [ANN]
    await bench.poll(queue, events[-1]["id"])
    assert charged == [ANN]
    bench.emit(ProbeEvent(words="a"), to=[ANN])
    bench.emit(ProbeEvent(words="b"), to=[ANN])
    one, two = await bench.poll(queue, events[-1]["id"])
    assert len(charged) == 2
    await bench.poll(queue, one["id"])
    assert len(charged) == 3
    await bench.poll(queue, two["id"])
    assert len(charged) == 3


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("emit"), st.sets(st.sampled_from([ANN, BOB]))),
        st.tuples(st.just("poll"), st.sampled_from([ANN, BOB])),
        st.tuples(st.just("lose"), st.sampled_from([ANN, BOB])),
        st.tuples(st.just("read a line"), st.sampled_from([ANN, BOB])),
        st.tuples(st.just("lose a line"), st.sampled_from([ANN, BOB])),
        st.tuples(st.just("restart"), st.none()),
        st.tuples(st.just("upkeep"), st.none()),
    ),
    max_size=25,
)


@given(steps=STEPS)
def test_every_queue_tells_the_log_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, Any]]
) -> None:
    """Whatever is sent, lost, pruned and restarted: each reader gets each of their events once.

    Polls and streams alternate; a stream is open until it is lost, or a poll takes its place.
    """

    async def run() -> None:
        timing = Timing(second_line=0.0, heartbeat=0.0)
        bench = Bench(tmp_path_factory.mktemp("queues") / "x.db", timing)
        queues = {ANN: bench.queue(ANN), BOB: bench.queue(BOB)}
        heard: dict[UserId, list[dict[str, Any]]] = {ANN: [], BOB: []}
        said: dict[UserId, list[str]] = {ANN: [], BOB: []}

        async def poll(who: UserId, *, lose: bool) -> None:
            last = heard[who][-1]["id"] if heard[who] else -1
            events = await bench.poll(queues[who], last)
            if not lose:
                heard[who] += events

        streams: dict[UserId, AsyncGenerator[bytes, None]] = {}

        async def read(who: UserId, *, lose: bool) -> None:
            if who not in streams:
                last = heard[who][-1]["id"] if heard[who] else -1
                streams[who] = stream(bench.queues, who, queues[who].id, last)(None)
            try:
                line = await anext(streams[who])
            except StopAsyncIteration:
                del streams[who]
                return
            if lose:
                await streams.pop(who).aclose()
            else:
                heard[who] += orjson.loads(line)["events"]

        for number, (step, what) in enumerate(steps):
            if step == "emit":
                bench.emit(ProbeEvent(words=str(number)), to=what)
                for who in what:
                    said[who].append(str(number))
            elif step in ("poll", "lose"):
                await poll(what, lose=step == "lose")
            elif step in ("read a line", "lose a line"):
                await read(what, lose=step == "lose a line")
            elif step == "restart":
                for each in streams.values():
                    await each.aclose()
                streams.clear()
                bench.restart()
            else:
                bench.upkeep()
        for who in (ANN, BOB):
            await poll(who, lose=False)
            assert words(e for e in heard[who] if e["type"] != "heartbeat") == said[who]
            ids = [event["id"] for event in heard[who]]
            assert ids == sorted(set(ids))
        bench.database.close()

    asyncio.run(run())


async def test_no_heartbeat_overtakes_what_is_about_to_be_told(tmp_path: Path) -> None:
    """A client that acknowledges a heartbeat has every event before it."""
    timing = Timing(between_deliveries=60.0)
    bench = Bench(tmp_path / "x.db", timing)
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="told"), to=[ANN])
    await asyncio.sleep(0)
    (told,) = await bench.poll(queue, -1)
    answer = asyncio.create_task(bench.poll(queue, told["id"], block=True))
    await asyncio.sleep(0)
    bench.emit(ProbeEvent(words="waits"), to=[ANN])
    await asyncio.sleep(0)
    assert bench.queues._delivery.pending
    bench.clock.now += timing.heartbeat
    queue.wake()
    assert words(await answer) == ["waits"]
