"""Measures a real server's cost of client starts and long pages, in large organizations.

    python benchmarks/reads.py

A server runs in a process of its own on a copy of an organization in which all users were active today and
the messages are of the last weeks. CPU is that of the server's process; beside it, in the same run, the
cost of the first such request after a change of the tables that its cached parts depend on.
"""

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.results import keep
from benchmarks.traffic import Client, exactly, served, until_idle
from server_lite.store.database import Database, Tx
from tests.large_organization import SCALE, file_of
from tests.large_rows import Size, key_of
from tests.request_statements import statements_of_requests

MIDDLE: Final = Size(
    "middle", people=1_000, channels=100, topics=1_000, messages=50_000, unread=2_000, joined=15
)
ROUNDS: Final = 5
TIMES: Final = 12
"""Requests of a round."""
BEN: Final = ("ben@example.com", key_of(3))
ANN: Final = ("ann@example.com", key_of(2))
"""Owns the organization, is subscribed to nearly all channels and has read nothing for long."""
CAPABILITIES: Final = (
    "notification_settings_null",
    "bulk_message_deletion",
    "user_avatar_url_field_optional",
    "stream_typing_notifications",
    "user_settings_object",
    "linkifier_url_template",
    "user_list_incomplete",
    "include_deactivated_groups",
    "archived_channels",
    "empty_topic_name",
    "simplified_presence_events",
)
STATE: Final = {
    "client_capabilities": orjson.dumps(dict.fromkeys(CAPABILITIES, True)).decode(),
    "apply_markdown": "true",
    "slim_presence": "true",
}
"""Parameters with which current clients register."""

Ask = Callable[[], Awaitable[object]]


def today(tx: Tx) -> None:
    """Shift the newest message to a moment ago, and give all users an open client."""
    tx.run(
        "UPDATE message SET timestamp = timestamp + ? - (SELECT max(timestamp) FROM message)",
        time.time(),
    )
    tx.run(
        "INSERT OR REPLACE INTO presence (user_id, last_active, last_connected, update_id)"
        " SELECT id, ?1 - id, ?1 - id, id FROM user WHERE bot_type IS NULL",
        time.time(),
    )


class MeasuredServer:
    """A running server, with the CPU seconds that it has used."""

    def __init__(self, process: int, url: str) -> None:
        self.url = url
        self._process = process

    def spent(self) -> float:
        return exactly(self._process)

    async def cost(self, ask: Ask) -> float:
        """Return milliseconds of one request: the mean of the round in which the machine was fastest."""
        await ask()
        rounds = []
        for _ in range(ROUNDS):
            before = self.spent()
            for _ in range(TIMES):
                await ask()
            rounds.append((self.spent() - before) / TIMES * 1000)
        return min(rounds)

    async def after(self, change: Ask, ask: Ask) -> float:
        """Return milliseconds of a request that follows a change."""
        spent = []
        for _ in range(3):
            await change()
            before = self.spent()
            await ask()
            spent.append((self.spent() - before) * 1000)
        return min(spent)


async def measure(db: Path, size: Size) -> None:
    """Store the figures of one organization in the table."""
    async with served(db) as (process, url):
        await until_idle(process)
        await ask_all(MeasuredServer(process, url), size)


async def ask_all(server: MeasuredServer, size: Size) -> None:
    """Make all requests to a server of an organization."""
    ann, ben = [await Client(server.url, one).open() for one in (ANN, BEN)]
    names = iter(range(1_000_000))

    async def change() -> None:
        await ben.ask("PATCH", "settings", full_name=f"Ben Birch {next(names)}")

    is_large = size is SCALE
    shape = f"{size.people:,} people, {size.channels} channels"
    for who, client, goal in (
        ("a member", ben, "≤ 100 ms" if is_large else "≤ 10 ms"),
        (f"{size.unread:,} unread", ann, "≤ 100 ms" if is_large else "≤ 10 ms"),
    ):

        async def register(client: Client = client) -> None:
            await client.ask("POST", "register", **STATE)

        keep(
            "server",
            f"register, {shape}, {who}: CPU",
            measured=f"{await server.cost(register):.1f} ms",
            goal=goal,
            beside={
                "the first after a name changed": (f"{await server.after(change, register):.0f} ms")
            },
        )
    if is_large:
        return

    async def page(count: int) -> None:
        answer = await ben.ask(
            "GET", "messages", anchor="newest", num_before=str(count), num_after="0"
        )
        assert len(answer["messages"]) == count

    keep(
        "server",
        "1,000 messages: CPU",
        measured=f"{await server.cost(lambda: page(1_000)):.1f} ms",
        goal="≤ 12 ms",
        beside={"100 messages": f"{await server.cost(lambda: page(100)):.1f} ms"},
    )


def count_statements() -> None:
    """Store the statement counts, which are equal on every machine."""
    with tempfile.TemporaryDirectory() as folder:
        counted = asyncio.run(statements_of_requests(Path(folder)))
    keep(
        "server",
        f"SQL statements: {', '.join(counted)}",
        measured=", ".join(map(str, counted.values())),
        goal="≤ 12, 0, 8, 40",
        beside={},
    )


def main() -> None:
    """Count, then measure both organizations."""
    count_statements()
    for size in (MIDDLE, SCALE):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chinwag.db"
            shutil.copyfile(file_of(size), path)
            database = Database(path)
            database.write_now(today)
            database.close()
            asyncio.run(measure(path, size))


if __name__ == "__main__":
    main()
