"""Measures how fast a real server acknowledges messages: from one sender, and from ten at once.

    python benchmarks/send.py [--people N] [--messages N]

A server is started as its own process on a fresh file; ten users send to a channel with N subscribers,
over kept-alive connections. Every acknowledgement is a commit on disk. The control does the same
with one transaction for each message instead of one for all that wait.
"""

import argparse
import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.config import Limits, Settings
from server_lite.server import running
from server_lite.store import keys
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role

SENDERS = 10
FREE = Limits(requests_per_minute=None, anonymous_per_minute=None)


def found(tx: Tx, people: int) -> list[tuple[str, str]]:
    """Create users in one channel; returns addresses and keys of the senders."""
    users = [
        create_user(
            tx,
            email=f"p{n}@example.com",
            full_name=f"Person {n}",
            role=Role.MEMBER,
            password=None,
        )
        for n in range(people)
    ]
    subscribe(tx, [create_channel(tx, None, name="general")], users)
    signed: list[tuple[str, str]] = []
    for user in users[:SENDERS]:
        key = keys.new_key()
        keys.insert(tx, user.id, key, "benchmark", tx.now)
        signed.append((user.email, key))
    return signed


def one_by_one(database: Database) -> None:
    """Make every change commit alone, as the control."""

    async def write(fn: Callable[[Tx], Any], **_: object) -> Any:
        return database.write_now(fn)

    database.write = write  # type: ignore[method-assign]  # the control of the experiment


def serve(db: Path, pipe: Connection, grouped: bool) -> None:
    """Run the server's process: sends its URL, and runs until it is told to stop."""

    async def run() -> None:
        settings = Settings(db=db, limits=FREE)
        async with running(settings, signals=False) as (server, url):
            if not grouped:
                one_by_one(server.app.database)
            pipe.send(url)
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

    asyncio.run(run())


async def send(client: httpx.AsyncClient, count: int, times: list[float]) -> None:
    """Send messages in sequence; appends milliseconds from request to acknowledgement."""
    for number in range(count):
        start = time.perf_counter()
        answer = await client.post(
            "messages",
            data={"type": "stream", "to": "general", "topic": "tea", "content": f"hello {number}"},
        )
        answer.raise_for_status()
        times.append((time.perf_counter() - start) * 1000)


async def measure(url: str, signed: list[tuple[str, str]], count: int) -> None:
    """Print medians for one sender, then for all at once."""
    clients = [
        httpx.AsyncClient(base_url=f"{url}/api/v1/", auth=one, trust_env=False) for one in signed
    ]
    await send(clients[0], 20, [])
    alone: list[float] = []
    await send(clients[0], count, alone)
    together: list[float] = []
    start = time.perf_counter()
    await asyncio.gather(*(send(client, count, together) for client in clients))
    seconds = time.perf_counter() - start
    for client in clients:
        await client.aclose()
    for name, times in (("1 sender", alone), (f"{len(clients)} senders", together)):
        ordered = sorted(times)
        print(
            f"  {name:11} median {statistics.median(ordered):6.2f} ms"
            f"   p99 {ordered[int(len(ordered) * 0.99)]:6.2f} ms"
        )
    print(f"  {len(together) / seconds:.0f} messages/s with {len(clients)} senders")


def main() -> None:
    """Measure with and without group commit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--messages", type=int, default=200)
    asked = parser.parse_args()
    for name, grouped in (("group commit", True), ("one commit each", False)):
        with tempfile.TemporaryDirectory() as folder:
            db = Path(folder) / "chinwag.db"
            database = Database(db)
            signed = database.write_now(lambda tx: found(tx, asked.people))
            database.close()
            here, there = multiprocessing.Pipe()
            server = multiprocessing.Process(target=serve, args=(db, there, grouped))
            server.start()
            print(name)
            asyncio.run(measure(here.recv(), signed, asked.messages))
            here.send("go")
            server.join()


if __name__ == "__main__":
    main()
