"""The machine sleeps, the server restarts: nobody presses a key, and everything is as it should be."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from server_lite.server import running
from server_lite.store.users import Role
from tests.faults.cutting import cuttable
from tests.faults.laptop import Laptop, SleepingLaptop, general, laptop
from tests.live import live, until
from tui.sync.backoff import MOST_SECONDS
from tui.sync.status import Retrying

HOUR = 3600.0
_MESSAGE = {"type": "stream", "to": "general", "topic": "tea", "content": "late"}


def _delays(there: Laptop) -> list[float]:
    """How long it was to wait before each attempt."""
    return [status.seconds for status in there.statuses if isinstance(status, Retrying)]


async def test_after_an_hour_of_sleep_it_is_live_at_once(tmp_path: Path) -> None:
    """The lid was shut, the line died without a word and the queue expired: I open it and see all.

    The poll that waits on the dead line, which would only be given up after its time-out, is
    dropped as soon as the clock is seen to have jumped.
    """
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await general(ann)
        world = SleepingLaptop()
        async with (
            cuttable(server.url) as wire,
            laptop(wire.url, ann, tmp_path / "laptop", world) as there,
        ):
            for night in range(3):
                dead = wire.stop(b"GET /api/v1/events?", "answer")
                while not dead.reached.is_set():  # the first may come by a poll of before
                    noise = await ann.post("messages", **_MESSAGE)
                    await until(
                        lambda dead=dead, noise=noise: (
                            dead.reached.is_set() or there.store.max_message_id >= noise["id"]
                        )
                    )
                there.sending.send(tea, f"before the night {night}")
                there.drafts.write(None, tea, f"half {night}")
                queue_id = there.sync.queue_id
                late = await ann.post("messages", **_MESSAGE)
                there.sync.detect_suspend()
                assert there.store.max_message_id < late["id"], "the line was not dead"
                if night % 2:
                    await ann.delete("events", queue_id=queue_id)
                wire.gates.clear()
                world.ahead += HOUR
                there.sync.detect_suspend()
                await until(lambda late=late: there.store.max_message_id >= late["id"])
                await until(lambda: not there.store.outbox.by_id)
                await there.caught_up()
            assert len(_delays(there)) <= 3, "it asked in a loop"
            page = await ann.get("messages", anchor="newest", num_before=50, num_after=0)
            said = [m["content"] for m in page["messages"]]
            for night in range(3):
                assert said.count(f"<p>before the night {night}</p>") == 1


async def test_a_server_that_is_away_for_an_hour_is_not_stormed(tmp_path: Path) -> None:
    """It comes back to a few questions, not to thousands; two clients do not ask in step."""
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path))
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await general(ann)
        one, two = SleepingLaptop(), SleepingLaptop()
        two.chance.seed(2)
        async with (
            laptop(server.url, ann, tmp_path / "one", one) as here,
            laptop(server.url, ann, tmp_path / "two", two) as there,
        ):
            await while_it_runs.aclose()
            here.sending.send(tea, "while you were out")
            there.drafts.write(None, tea, "half")

            await until(lambda: sum(_delays(here)) > HOUR and sum(_delays(there)) > HOUR)
            for delays in (_delays(here), _delays(there)):
                hour = next(n for n in range(len(delays)) if sum(delays[: n + 1]) > HOUR)
                assert hour < HOUR / (MOST_SECONDS / 2) + 10
            assert _delays(here)[:20] != _delays(there)[:20]
            again = replace(server.settings, port=urlsplit(server.url).port or 0)
            async with running(again, signals=False):
                await until(lambda: here.is_live and there.is_live)
                await until(lambda: not here.store.outbox.by_id)
                await until(lambda: there.store.max_message_id == here.store.max_message_id)
                await until(lambda: len(there.store.drafts.by_id) == 1)
                await here.caught_up()
                await there.caught_up()
