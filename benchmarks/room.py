"""Messages a second beside Prosody: ten people send to a room of twenty, in the same run.

    python benchmarks/room.py [--messages N] [--rounds N]

Here a message is on disk before it is acknowledged; Prosody keeps its archive in memory, and the echo acknowledges.
Receivers read a stream of events, as our client does; in a row of its own they poll, as Zulip's clients do.
Both servers are processes of their own on 127.0.0.1. Their clients are sockets that decode nothing, and a round
ends when everybody has received everything. Without Prosody (`prosody` in the PATH) it says so and ends.
"""

import argparse
import asyncio
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.results import keep
from benchmarks.traffic import Client, Spent, with_server

PEOPLE: Final = 20
SENDERS: Final = 10
TEXT: Final = "hello, this is a message of some words"

Figures = tuple[float, float]
"""Messages a second, and milliseconds of the server's CPU for each."""
Line = tuple["Wire", bytes]
"""Through what a sender writes, and a message as it is written."""


class Wire(asyncio.Protocol):
    """A socket whose bytes go to `take`."""

    def __init__(self) -> None:
        self.take: Callable[[bytes], object] = lambda _: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Hand on what came."""
        self.take(data)

    async def ask(self, question: str, end: str) -> None:
        """Write, and wait for the end of the answer."""
        seen, answered = bytearray(), asyncio.Event()

        def take(data: bytes) -> None:
            seen.extend(data)
            if end.encode() in seen:
                answered.set()

        self.take = take
        self.transport.write(question.encode())
        await asyncio.wait_for(answered.wait(), 30)


async def wire(port: int) -> Wire:
    """A connection."""
    _, protocol = await asyncio.get_running_loop().create_connection(Wire, "127.0.0.1", port)
    return protocol


class Round:
    """Messages that are still to be sent by each of ten, and to be received by all of twenty."""

    def __init__(self) -> None:
        self._unsent: list[int] = []
        self._unseen = 0
        self._done = asyncio.Event()

    async def talk(self, lines: list[Line], messages: int) -> float:
        """Have each write its share, the next one when the one before is acknowledged; seconds until all have all."""
        self._unsent = [messages // len(lines)] * len(lines)
        self._unseen = messages * PEOPLE
        self._done.clear()
        start = time.perf_counter()
        for number, line in enumerate(lines):
            self.acknowledged(number, line)
        await asyncio.wait_for(self._done.wait(), 300)
        return time.perf_counter() - start

    def acknowledged(self, number: int, line: Line) -> None:
        """Send this sender's next one, if there is one."""
        if self._unsent[number]:
            self._unsent[number] -= 1
            line[0].transport.write(line[1])

    def received(self, count: int) -> None:
        """Count messages that a receiver got."""
        self._unseen -= count
        if self._unseen <= 0:
            self._done.set()


async def receive(rest: Round, client: Client, port: int, *, streams: bool) -> None:
    """Receive on a connection of its own, without end: a stream as our client does, or polls."""
    queue = await client.ask("POST", "register", event_types='["message"]')
    client.writer.close()
    one, answer = await wire(port), bytearray()
    get = f"GET /api/v1/events?queue_id={queue['queue_id']}&last_event_id=%s"
    get += "&event_stream=true HTTP/1.1\r\n" if streams else " HTTP/1.1\r\n"
    question = (get + client.head + "\r\n").encode()
    last = str(queue["last_event_id"]).encode()

    ending = b""

    def take_lines(data: bytes) -> None:
        nonlocal last, ending
        answer.extend(data)
        lines, end, _ = answer.rpartition(b"\n")
        del answer[: len(lines) + len(end)]
        if b'"type":' in lines:
            last = bytes(lines.rpartition(b'"id":')[2].partition(b"}")[0])
        rest.received(lines.count(b'"type":"message"'))
        ending = (ending + data)[-5:]
        if ending == b"0\r\n\r\n":  # the last, empty part
            one.transport.write(question % last)

    def take(data: bytes) -> None:
        answer.extend(data)
        head, end, body = answer.partition(b"\r\n\r\n")
        if not end or len(body) < int(
            head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
        ):
            return
        answer.clear()
        rest.received(body.count(b'"type":"message"'))
        last = body.rpartition(b'"id":')[2].partition(b"}")[0]
        one.transport.write(question % last)

    one.take = take_lines if streams else take
    one.transport.write(question % last)


async def ours(
    url: str,
    signed: list[tuple[str, str]],
    messages: int,
    streams: bool,
    into: list[Figures],
    spent: Spent,
) -> None:
    """A round of a server of this project, after a short one for warmth."""
    port = urlsplit(url).port or 0
    rest = Round()
    for one in signed:
        await receive(rest, await Client(url, one).open(), port, streams=streams)
    body = urlencode({"type": "stream", "to": "general", "topic": "tea", "content": TEXT})
    form = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}"
    lines: list[Line] = []
    for number in range(SENDERS):
        sender = await wire(port)
        head = f"POST /api/v1/messages HTTP/1.1\r\n{Client(url, signed[number]).head}{form}"
        line = sender, f"{head}\r\n\r\n{body}".encode()
        sender.take = lambda _, number=number, line=line: rest.acknowledged(number, line)  # type: ignore[misc]  # defaults
        lines.append(line)
    await rest.talk(lines, 10 * SENDERS)
    before, _ = await spent()
    seconds = await rest.talk(lines, messages)
    after, _ = await spent()
    into.append((messages / seconds, (after - before) / messages * 1000))


def main() -> None:
    """Measure both in turn, and keep the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if shutil.which("prosody") is None:
        print("Prosody is not installed: nothing to compare with (apt-get install prosody).")
        return
    from benchmarks.prosody import theirs

    found: dict[str, list[Figures]] = {"Chinwag": [], "Chinwag, polls": [], "Prosody": []}
    for _ in range(asked.rounds):
        with_server(PEOPLE, ours, asked.messages, True, found["Chinwag"])
        with_server(PEOPLE, ours, asked.messages, False, found["Chinwag, polls"])
        found["Prosody"].append(theirs(asked.messages))
    rate, cpu = (
        {name: statistics.median(each[at] for each in rounds) for name, rounds in found.items()}
        for at in (0, 1)
    )
    for chinwag, row, goal in (
        ("Chinwag", "messages/s against Prosody, 10 senders, 20 receivers", "≥ 5×"),
        ("Chinwag, polls", "messages/s against Prosody, 20 receivers that poll", ""),
    ):
        keep(
            "server",
            row,
            measured=f"{rate[chinwag] / rate['Prosody']:.1f}×",
            goal=goal,
            beside={
                name: f"{rate[name]:.0f}/s, CPU {cpu[name]:.2f} ms" for name in (chinwag, "Prosody")
            },
        )


if __name__ == "__main__":
    main()
