"""Measures a real server: ten senders and twenty receivers, two hundred receivers, memory, start.

    python benchmarks/traffic.py [--messages N] [--memory N]

A server runs in a process of its own, on a fresh file; clients are plain sockets here that long-poll and
send over kept-alive connections. CPU is that of the server's process. Beside it, in the same run: the cost
of a durable commit of one row in SQLite, so that machines can be compared.
"""

import argparse
import asyncio
import base64
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import apsw
import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))

import server_lite
from benchmarks.results import keep
from server_lite.actions.channels import create_channel
from server_lite.actions.organization import NewOrganization
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.cli.serving import event_loop
from server_lite.maintenance.files import create_organization
from server_lite.store import keys
from server_lite.store.connection import configure
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role


def found(tx: Tx, people: int) -> list[tuple[str, str]]:
    """Create users in one channel; returns their addresses and keys."""
    users = [
        create_user(
            tx, email=f"p{n}@example.com", full_name=f"Person {n}", role=Role.MEMBER, password=None
        )
        for n in range(people)
    ]
    subscribe(tx, [create_channel(tx, None, name="general")], users)
    for user in users:
        keys.insert(tx, user.id, f"{user.id:032}", "benchmark", tx.now)
    return [(user.email, f"{user.id:032}") for user in users]


def memory(process: int | str = "self") -> float:
    """Return a process's resident memory in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def used(process: int) -> float:
    """Return a process's CPU seconds, as the system counts them: in hundredths."""
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def exactly(process: int) -> float:
    """Return a process's CPU seconds as the scheduler counts them: exact, without those of ended threads."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in tasks) / 1e9


async def until_idle(process: int) -> None:
    """Wait until a server does nothing of its own: after a start it looks for damage."""
    before = -1.0
    while (now := exactly(process)) - before > 0.001:
        before = now
        await asyncio.sleep(0.3)


@asynccontextmanager
async def served(db: Path) -> AsyncIterator[tuple[int, str]]:
    """Run the command on a file; yields its process ID and its URL."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server_lite", "serve", "--db", str(db), "--port", "0"),
        "--no-rate-limits",
        stdout=subprocess.PIPE,
    )
    try:
        assert server.stdout is not None
        yield server.pid, (await server.stdout.readline()).decode().split()[-1]
    finally:
        server.terminate()
        await server.wait()


class Client:
    """A user on one kept-alive connection."""

    def __init__(self, url: str, signed: tuple[str, str]) -> None:
        self.at = urlsplit(url)
        token = base64.b64encode(":".join(signed).encode()).decode()
        self.head = f"Host: {self.at.netloc}\r\nAuthorization: Basic {token}\r\n"

    async def open(self) -> "Client":
        self.reader, self.writer = await asyncio.open_connection(
            self.at.hostname, self.at.port, limit=2**24
        )
        return self

    async def ask(self, verb: str, path: str, **parameters: str) -> dict[str, Any]:
        """Make one request that succeeds; returns the JSON of its answer."""
        answer = await self.answer(verb, path, **parameters)
        assert answer["result"] == "success", answer
        return answer

    async def answer(self, verb: str, path: str, **parameters: str) -> dict[str, Any]:
        """Make one request; returns the JSON of its answer, also of an error."""
        body = urlencode(parameters)
        where = f"/api/v1/{path}" + (f"?{body}" if verb == "GET" else "")
        text = f"{verb} {where} HTTP/1.1\r\n{self.head}"
        if verb != "GET":
            text += "Content-Type: application/x-www-form-urlencoded\r\n"
            text += f"Content-Length: {len(body)}\r\n\r\n{body}"
        else:
            text += "\r\n"
        self.writer.write(text.encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        answer: dict[str, Any] = orjson.loads(await self.reader.readexactly(length))
        return answer

    async def send(self, text: str) -> None:
        await self.ask("POST", "messages", type="stream", to="general", topic="tea", content=text)


async def receive(client: Client, seen: Callable[[str], None]) -> None:
    """Poll forever; `seen` gets the text of each message."""
    queue = await client.ask("POST", "register", event_types='["message"]')
    last = queue["last_event_id"]
    while True:
        answer = await client.ask(
            "GET", "events", queue_id=queue["queue_id"], last_event_id=str(last)
        )
        for event in answer["events"]:
            last = event["id"]
            if event["type"] == "message":
                seen(event["message"]["content"])


async def crowd(url: str, signed: list[tuple[str, str]], seen: Callable[[str], None]) -> list[Any]:
    """Let all users receive."""
    clients = [await Client(url, one).open() for one in signed]
    tasks = [asyncio.create_task(receive(client, seen)) for client in clients]
    await asyncio.sleep(0.5)
    return tasks


Spent = Callable[[], Awaitable[tuple[float, float]]]


async def ten_and_twenty(url: str, signed: list[tuple[str, str]], count: int, spent: Spent) -> None:
    """Run ten closed loops of sending to twenty receivers."""
    tasks = await crowd(url, signed[:20], lambda _: None)
    senders = [await Client(url, one).open() for one in signed[:10]]
    for sender in senders:
        await sender.send("warm")
    before, _ = await spent()
    start = time.perf_counter()

    async def talk(sender: Client) -> None:
        for number in range(count):
            await sender.send(f"hello {number}, this is a message of some words")

    await asyncio.gather(*map(talk, senders))
    seconds = time.perf_counter() - start
    after, _ = await spent()
    each = (after - before) / count / 10 * 1000
    beside = {
        "a durable commit of SQLite": f"{commit():.2f} ms",
        "messages/s": f"{count * 10 / seconds:.0f}",
    }
    keep(
        "server",
        "a message, 10 senders, 20 receivers: CPU",
        measured=f"{each:.2f} ms",
        goal="≤ 0.9 ms",
        beside=beside,
    )
    for task in tasks:
        task.cancel()


async def alone(url: str, signed: list[tuple[str, str]], spent: Spent) -> None:
    """Send occasionally to twenty receivers; measures from sending to the acknowledgement."""
    tasks = await crowd(url, signed[:20], lambda _: None)
    sender = await Client(url, signed[0]).open()
    took: list[float] = []
    before, _ = await spent()
    for number in range(200):
        begin = time.perf_counter()
        await sender.send(f"hello {number}, this is a message of some words")
        took.append((time.perf_counter() - begin) * 1000)
        await asyncio.sleep(0.02)  # everyone gets the event, and polls again
    after, _ = await spent()
    keep(
        "server",
        "a lone message, 20 receivers: acknowledged after, p50",
        measured=f"{statistics.median(took):.1f} ms",
        goal="≤ 3 ms",
        beside={
            "a durable commit of SQLite": f"{commit(time.perf_counter):.2f} ms",
            "CPU of telling all": f"{(after - before) / 200 * 1000:.1f} ms",
        },
    )
    for task in tasks:
        task.cancel()


async def two_hundred(url: str, signed: list[tuple[str, str]]) -> None:
    """Send fifty messages a second for four seconds to two hundred; measures from sending to receiving."""
    took: list[float] = []

    def seen(html: str) -> None:
        text = html.removeprefix("<p>").removesuffix("</p>")
        if text.startswith("at "):
            took.append((time.perf_counter() - float(text[3:])) * 1000)

    tasks = await crowd(url, signed, seen)
    sender = await Client(url, signed[0]).open()
    begin = time.perf_counter()
    for number in range(200):
        await asyncio.sleep(max(0, begin + number / 50 - time.perf_counter()))
        await sender.send(f"at {time.perf_counter()}")
    await asyncio.sleep(2)
    took.sort()
    keep(
        "server",
        "200 receivers, 50 messages/s: told after, p50 / p99",
        measured=f"{statistics.median(took):.0f} / {took[int(len(took) * 0.99)]:.0f} ms",
        goal="≤ 60 / 200 ms",
        beside={"told": f"{len(took) / 400:.0f} %"},
    )
    for task in tasks:
        task.cancel()


async def long_day(url: str, signed: list[tuple[str, str]], count: int, spent: Spent) -> None:
    """Measure memory after many messages."""
    tasks = await crowd(url, signed[:20], lambda _: None)
    senders = [await Client(url, one).open() for one in signed[:10]]

    async def talk(sender: Client) -> None:
        for number in range(count // 10):
            await sender.send(f"message {number} of a long day, with some words in it")

    _, before = await spent()
    await asyncio.gather(*map(talk, senders))
    _, after = await spent()
    keep(
        "server",
        f"memory after {count:,} messages",
        measured=f"{after:.0f} MB",
        goal="≤ 60 MB",
        beside={"before": f"{before:.0f} MB"},
    )
    for task in tasks:
        task.cancel()


def commit(clock: Callable[[], float] = time.process_time) -> float:
    """Return milliseconds of one durable commit: of CPU, or by another clock."""
    with tempfile.TemporaryDirectory() as folder:
        connection = apsw.Connection(str(Path(folder) / "x.db"))
        configure(connection)
        connection.execute("CREATE TABLE x (y)")
        start = clock()
        for number in range(200):
            connection.execute("INSERT INTO x VALUES (?)", (number,))
        return (clock() - start) / 200 * 1000


def start() -> None:
    """Measure CPU and memory of the command until its first answer, beside a Python that does nothing."""
    compileall.compile_dir(Path(server_lite.__file__).parent, quiet=2)  # as installed
    nothing = "import time, asyncio; print(time.process_time())"
    idle = min(
        float(
            subprocess.run([sys.executable, "-c", nothing], capture_output=True, check=True).stdout
        )
        for _ in range(3)
    )
    seconds, megabytes = zip(*(asyncio.run(first_answer()) for _ in range(3)), strict=True)
    keep(
        "server",
        "start to the first answer: CPU",
        measured=f"{min(seconds):.2f} s",
        goal="≤ 0.35 s",
        beside={
            "Python with asyncio": f"{idle:.2f} s",
            "memory then": f"{min(megabytes):.0f} MB",
        },
    )


async def first_answer() -> tuple[float, float]:
    """Return CPU seconds and resident MB of `chinwag-server serve` after its first answer."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "chinwag.db"
        new = NewOrganization(name="T", owner_email="a@b.c", owner_name="A", password=None)
        create_organization(db, new)
        async with served(db) as (process, url):
            client = await Client(url, ("", "")).open()
            client.head = client.head.partition("Authorization")[0]
            await client.ask("GET", "server_settings")
            client.writer.close()
            return used(process), memory(process)


def with_server(people: int, work: Callable[..., Coroutine[Any, Any, None]], *rest: Any) -> None:
    """Run `work(url, signed, …)` with a fresh server."""

    async def run(db: Path, signed: list[tuple[str, str]]) -> None:
        async with served(db) as (process, url):

            async def spent() -> tuple[float, float]:
                return exactly(process), memory(process)

            await until_idle(process)
            await work(url, signed, *rest, *([] if work is two_hundred else [spent]))

    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "chinwag.db"
        database = Database(db)
        signed = database.write_now(lambda tx: found(tx, people))
        database.close()
        with asyncio.Runner(loop_factory=event_loop) as runner:
            runner.run(run(db, signed))


def main() -> None:
    """Measure everything once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=150, help="of each of ten senders")
    parser.add_argument("--memory", type=int, default=20_000)
    asked = parser.parse_args()
    start()
    with_server(20, ten_and_twenty, asked.messages)
    with_server(20, alone)
    with_server(200, two_hundred)
    with_server(20, long_day, asked.memory)


if __name__ == "__main__":
    main()
