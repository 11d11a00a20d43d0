"""The server as a process of its own, to be killed without warning and restarted."""

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.store import channels, keys
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role

ROOT: Final = Path(__file__).parents[2]


def furnished(file: Path, people: int) -> list[tuple[str, str]]:
    """Create an organization in `file` with one channel, "general"; returns addresses and keys."""

    def furnish(tx: Tx) -> list[tuple[str, str]]:
        users = [
            create_user(
                tx,
                email=f"p{number}@example.com",
                full_name=f"P{number}",
                role=Role.MEMBER if number else Role.OWNER,
                password=None,
            )
            for number in range(people)
        ]
        channel = create_channel(tx, users[0], name="general")
        row = channels.by_id(tx, channel.id)
        assert row is not None
        subscribe(tx, [row], users)
        accounts = [(user.email, keys.new_key()) for user in users]
        for user, (_, key) in zip(users, accounts, strict=True):
            keys.insert(tx, user.id, key, "test", tx.now)
        return accounts

    database = Database(file)
    accounts = database.write_now(furnish)
    database.close()
    return accounts


@dataclass(slots=True)
class CrashingServer:
    """`python -m server_lite serve` on a file; `url` changes with each start."""

    file: Path
    url: str = ""
    up: asyncio.Event = field(default_factory=asyncio.Event)
    _process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process and wait until it listens."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "server_lite", "serve", "--db", str(self.file), "--port", "0"),
            "--no-rate-limits",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=ROOT,
        )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 20)
        assert b"http" in line, line
        self.url = line.decode().split()[-1]
        self.up.set()

    async def kill(self) -> None:
        """Kill the process, whatever it is doing."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Stop the process as an administrator does."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        self.up.clear()
        if self._process is not None and self._process.returncode is None:
            os.kill(self._process.pid, number)
            await self._process.wait()
