"""A team of 300 people that talks all day, and a server that fails now and then: for `day.py`. Measures nothing.

The day is the same each time: chance comes from one seed. What may fail because of another change, such as an edit of a
message that was deleted, is left out and counted.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import apsw

from benchmarks.traffic import Client
from server_lite.ids import UserId
from server_lite.store import keys
from server_lite.store.database import Database, Tx
from tests.large_rows import Size, key_of

TEAM: Final = Size(
    "day", people=300, channels=60, topics=1_000, messages=3_000, unread=400, joined=12
)
ANN: Final = 2
"""ID of the user whose client is measured."""
WORKERS: Final = 4
ROOT: Final = Path(__file__).parents[1]

_WORDS: Final = [
    "the",
    "release",
    "of",
    "the",
    "server",
    "waits",
    "for",
    "a",
    "review",
    "and",
    "somebody",
    "has",
    "to",
    "look",
    "at",
    "what",
    "the",
    "customer",
    "wrote",
    "about",
    "their",
    "order",
    "because",
    "the",
    "numbers",
    "of",
    "last",
    "week",
    "do",
    "not",
    "match",
    "those",
    "in",
    "the",
    "report",
    "über",
    "naïve",
    "café",
    "東京",
    "отчёт",
]
_CODE: Final = (
    "```python\ndef total(rows):\n    for number, row in enumerate(rows):\n"
    "        yield sum(row.amounts[{n}:]) * {n}\n\n\nclass Number{n}:\n    value = {n}\n```"
)
_TABLE: Final = (
    "| who | what | hours |\n|---|:--|--:|\n| Ann | part {n} | {n} |\n| Ben | glass | 3.5 |"
)


def admit(file: Path) -> None:
    """Give everybody an API key."""

    def insert(tx: Tx) -> None:
        for user in range(ANN + 40, ANN + TEAM.people):
            keys.insert(tx, UserId(user), key_of(user), "test", tx.now)

    database = Database(file)
    database.write_now(insert)
    database.close()


class DayServer:
    """`chinwag-server serve` on a file, always at the same port, which can be killed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server_lite", "serve", "--db", str(self._file)),
            *("--port", str(self._port), "--no-rate-limits"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 30)
        assert b"http" in line, line

    async def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it by a signal."""
        if self._process is not None and self._process.returncode is None:
            os.kill(self._process.pid, number)
            await self._process.wait()

    def forget_queues(self) -> None:
        """Drop all queues, as if nobody had asked for their events in time; the server must not be running."""
        connection = apsw.Connection(str(self._file))
        connection.execute("DELETE FROM queue")
        connection.close()


class Team:
    """Everybody but Ann's hands: what others do, and Ann in another client."""

    def __init__(self, server: DayServer, people: int, chance: Random) -> None:
        self._server = server
        self._chance = chance
        self._people = list(range(3, people))
        self._heads: dict[int, str] = {}
        self._lines: asyncio.Queue[Client] = asyncio.Queue()
        self._channels: list[tuple[int, str, list[int], list[str]]] = []
        """Ann's channels: ID, name, subscribers, topics."""
        self._recent: deque[tuple[int, int, int, str]] = deque(maxlen=400)
        """Messages: ID, sender, channel (0: a direct one), topic."""
        self._drafts: list[int] = []
        self.sent = 0
        self.done: Counter[str] = Counter()
        """What was done, and `refused`."""

    async def meet(self) -> None:
        """Find out who is in which channel, and what is talked about there."""
        await self.connect()
        mine = await self.ask(ANN, "GET", "users/me/subscriptions", include_subscribers="true")
        for each in mine["subscriptions"]:
            members = [one for one in each["subscribers"] if one in self._people]
            listed = await self.ask(ANN, "GET", f"users/me/{each['stream_id']}/topics")
            topics = [topic["name"] for topic in listed["topics"][:25]]
            if len(members) > 1 and topics:
                self._channels.append((each["stream_id"], each["name"], members, topics))

    async def connect(self) -> None:
        """Open the connections, again after the server was away."""
        while not self._lines.empty():
            self._lines.get_nowait().writer.close()
        for _ in range(WORKERS):
            self._lines.put_nowait(await Client(self._server.url, ("", "")).open())

    async def ask(self, user: int, verb: str, path: str, **parameters: Any) -> dict[str, Any]:
        """Make a request as a user; returns its answer, also of an error."""
        line = await self._lines.get()
        if user not in self._heads:
            self._heads[user] = Client(self._server.url, (_email(user), key_of(user))).head
        line.head = self._heads[user]
        sent = {n: v if isinstance(v, str) else json.dumps(v) for n, v in parameters.items()}
        try:
            answer = await line.answer(verb, path, **sent)
        finally:
            self._lines.put_nowait(line)
        if answer["result"] != "success":
            self.done["refused"] += 1
        return answer

    async def talk(self, messages: int, rate: float) -> None:
        """Send as many messages a second, and do all else that happens among them."""
        begin, end = time.monotonic(), self.sent + messages
        first = self.sent

        async def work() -> None:
            while self.sent < end:
                self.sent += 1
                early = begin + (self.sent - first) / rate - time.monotonic()
                if early > 0:
                    await asyncio.sleep(early)
                await self._say()
                for probability, act in self._acts():
                    if self._chance.random() < probability:
                        self.done[act.__name__.strip("_")] += 1
                        await act()

        await asyncio.gather(*(work() for _ in range(WORKERS)))

    def _acts(self) -> tuple[tuple[float, Callable[[], Awaitable[None]]], ...]:
        return (
            (0.1, self._react),
            (0.1, self._type),
            (0.1, self._be_there),
            (0.03, self._edit),
            (0.02, self._read_elsewhere),
            (0.01, self._delete),
            (0.01, self._set_status),
            (0.005, self._draft_elsewhere),
            (0.004, self._move),
            (0.003, self._rename_topic),
            (0.003, self._vote),
            (0.002, self._rename_user),
            (0.002, self._add_user),
            (0.002, self._add_channel),
            (0.004, self._join_or_leave),
        )

    def _text(self) -> str:
        number, chance = self.sent, self._chance
        kind = chance.random()
        words = " ".join(chance.choices(_WORDS, k=chance.randint(2, 25)))
        if kind < 0.70:
            return f"{words} {number}"
        if kind < 0.80:
            return "\n\n".join(
                " ".join(chance.choices(_WORDS, k=chance.randint(30, 120))) for _ in range(3)
            )
        return chance.choice(
            (
                f"{words}\n{_CODE.replace('{n}', str(number))}",
                f"{words}\n\n{_TABLE.replace('{n}', str(number))}",
                f"See https://example.com/plans/{number}?page=3 and [the notes](https://example.com/{number}).",
                f"https://example.com/picture-{number}.png",
                f"[photo.png](/user_uploads/2/ab/{number}/photo.png)",
                f"/poll Where shall we meet, {number}?\nHarbour\nOffice\nOnline",
                f"/todo Before {number}\nnotes\ntests: all of them",
                f"@**Ann Archer** can you look at {number}?",
                f"> {words}\n\nyes, *please*: **{number}** :tada: 👍",
                f"```spoiler Number {number}\n{words}\n```",
                f"1. {words}\n2. {number}\n   - a detail\n3. `third_{number}`",
                f"$$x^{number}$$ {words}",
                f"/me thinks of {number}",
            )
        )

    async def _say(self) -> None:
        chance = self._chance
        if chance.random() < 0.12:
            others = chance.sample(self._people[:40], 1 if chance.random() < 0.7 else 3)
            sender, place = others[0], (0, "")
            answer = await self.ask(
                *(sender, "POST", "messages"),
                type="direct",
                to=[ANN, *others],
                content=self._text(),
            )
        else:
            # A few conversations are long ones.
            busy = chance.random() < 0.4
            channel, _, members, topics = self._channels[
                chance.randrange(3 if busy else len(self._channels))
            ]
            topic = topics[0] if busy else chance.choice(topics)
            if chance.random() < 0.01:
                topics.append(topic := f"subject {self.sent}")
            sender, place = chance.choice(members), (channel, topic)
            answer = await self.ask(
                *(sender, "POST", "messages"),
                type="stream",
                to=channel,
                topic=topic,
                content=self._text(),
            )
        if answer["result"] == "success":
            self._recent.append((answer["id"], sender, *place))

    async def _react(self) -> None:
        message, _, channel, _ = self._chance.choice(self._recent)
        if channel:
            members = next(each[2] for each in self._channels if each[0] == channel)
            emoji = self._chance.choice(("+1", "tada", "heart", "eyes", "octopus"))
            user = self._chance.choice(members)
            await self.ask(user, "POST", f"messages/{message}/reactions", emoji_name=emoji)

    async def _type(self) -> None:
        user = self._chance.choice(self._people[:40])
        op = self._chance.choice(("start", "start", "stop"))
        await self.ask(user, "POST", "typing", op=op, to=[ANN])

    async def _be_there(self) -> None:
        user = self._chance.choice(self._people)
        status = self._chance.choice(("active", "active", "idle"))
        await self.ask(user, "POST", "users/me/presence", status=status, new_user_input=True)

    async def _edit(self) -> None:
        message, sender, *_ = self._chance.choice(self._recent)
        await self.ask(sender, "PATCH", f"messages/{message}", content=f"{self._text()} (edited)")

    async def _delete(self) -> None:
        message, *_ = self._chance.choice(self._recent)
        await self.ask(ANN, "DELETE", f"messages/{message}")

    async def _move(self) -> None:
        message, _, channel, _ = self._chance.choice(self._recent)
        if channel:
            target = self._chance.choice(self._channels)
            await self.ask(
                *(ANN, "PATCH", f"messages/{message}"),
                propagate_mode=self._chance.choice(("change_one", "change_later")),
                stream_id=target[0],
                topic=self._chance.choice(target[3]),
            )

    async def _rename_topic(self) -> None:
        message, _, channel, topic = self._chance.choice(self._recent)
        if channel:
            renamed = f"subject {self.sent}"
            for each in self._channels:
                if each[0] == channel and topic in each[3]:
                    each[3][each[3].index(topic)] = renamed
            await self.ask(
                *(ANN, "PATCH", f"messages/{message}"), propagate_mode="change_all", topic=renamed
            )

    async def read_all(self) -> None:
        """Let Ann mark everything as read in another client."""
        await self.ask(ANN, "POST", "mark_all_as_read")

    async def _read_elsewhere(self) -> None:
        ids = [each[0] for each in self._chance.sample(self._recent, min(40, len(self._recent)))]
        op = "remove" if self._chance.random() < 0.1 else "add"
        await self.ask(ANN, "POST", "messages/flags", messages=ids, op=op, flag="read")

    async def _draft_elsewhere(self) -> None:
        channel = self._chance.choice(self._channels)
        draft = {
            "type": "stream",
            "to": [channel[0]],
            "topic": self._chance.choice(channel[3]),
            "content": f"from another client, {self.sent}",
            "timestamp": int(time.time()),
        }
        if len(self._drafts) > 5:
            await self.ask(ANN, "DELETE", f"drafts/{self._drafts.pop(0)}")
        elif self._drafts and self._chance.random() < 0.5:
            await self.ask(ANN, "PATCH", f"drafts/{self._drafts[0]}", draft=draft)
        else:
            answer = await self.ask(ANN, "POST", "drafts", drafts=[draft])
            self._drafts += answer.get("ids", [])

    async def _vote(self) -> None:
        message, sender, *_ = self._chance.choice(self._recent)
        vote = json.dumps({"type": "vote", "key": "canned,0", "vote": 1})
        await self.ask(
            *(sender, "POST", "submessage"), message_id=message, msg_type="widget", content=vote
        )

    async def _set_status(self) -> None:
        user = self._chance.choice(self._people)
        text = self._chance.choice(("", f"out until {self.sent}"))
        await self.ask(user, "POST", "users/me/status", status_text=text, away=False)

    async def _rename_user(self) -> None:
        user = self._chance.choice(self._people[40:])
        await self.ask(ANN, "PATCH", f"users/{user}", full_name=f"Person {self.sent}")

    async def _add_user(self) -> None:
        await self.ask(
            *(ANN, "POST", "users"),
            email=f"new{self.sent}@example.com",
            full_name=f"New {self.sent}",
            password="a-long-password-of-the-day",  # of a benchmark
        )

    async def _add_channel(self) -> None:
        await self.ask(
            *(ANN, "POST", "channels/create"),
            name=f"project {self.sent}",
            subscribers=[ANN, *self._people[:20]],
        )

    async def _join_or_leave(self) -> None:
        _, name, _, _ = self._chance.choice(self._channels)
        users = self._chance.sample(self._people[40:], 3)
        if self._chance.random() < 0.5:
            await self.ask(
                *(ANN, "POST", "users/me/subscriptions"),
                subscriptions=[{"name": name}],
                principals=users,
            )
        else:
            with suppress(ValueError):
                for user in users:
                    next(each[2] for each in self._channels if each[1] == name).remove(user)
            await self.ask(
                *(ANN, "DELETE", "users/me/subscriptions"), subscriptions=[name], principals=users
            )


def _email(user: int) -> str:
    return {ANN: "ann@example.com", ANN + 1: "ben@example.com"}.get(
        user, f"p{user - ANN}@example.com"
    )
