"""The SSH service for tests: the front process on the test's event loop, real sessions, OpenSSH's client.

async with ssh_service(server, tmp_path) as there:
    key = there.let_in(ann)
    async with there.terminal(key) as terminal:
        await terminal.shows("general")
"""

import asyncio
import io
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncssh

from tests import warm_parent
from tests.live import Live, Person
from tests.real_terminal import RealTerminal, real_terminal
from tui.accounts import Account
from tui.commands.sign_in import keep
from tui.config import private_folder
from tui.ssh.child import folders_at
from tui.ssh.events import Log
from tui.ssh.front import serving
from tui.ssh.limits import Limits
from tui.ssh.parent import Process
from tui.ssh.service import Service

HAS_OPENSSH: Final = shutil.which("ssh") is not None and shutil.which("ssh-keygen") is not None
QUICK: Final = Limits(keepalive_seconds=1.0)


@dataclass
class Key:
    """A key pair of a visitor."""

    path: Path
    private: asyncssh.SSHKey

    @property
    def digest(self) -> str:
        return self.private.get_fingerprint()


class SshService:
    """A running service, and ways to connect."""

    def __init__(self, service: Service, server: Live, port: int, folder: Path) -> None:
        self.service = service
        self.port = port
        self.log = io.StringIO()
        self._server = server
        self._folder = folder
        self._count = 0

    def new_key(self) -> Key:
        """Return a key that the service does not know."""
        self._count += 1
        private = asyncssh.generate_private_key("ssh-ed25519")
        path = self._folder / f"id_{self._count}"
        path.touch(0o600)
        path.write_bytes(private.export_private_key())
        return Key(path, private)

    def let_in(self, person: Person, *, is_bound: bool = True) -> Key:
        """Return a key of a user who has signed in before."""
        key = self.new_key()
        them = self.service.keys.person(person.email)
        folders = folders_at(private_folder(self.folder(person)))
        keep(folders, Account(site=self._server.url, email=person.email, key=person.key))
        self.service.keys.note(them, key.digest, "test", "192.0.2.1")
        if is_bound:
            self.service.keys.bind(key.digest, them)
        return key

    def folder(self, person: Person) -> Path:
        """Return the service's folder of a user."""
        return self._folder / "ssh" / "people" / self.service.keys.person(person.email).id

    def command(self, key: Key | None, *words: str) -> list[str]:
        """Return the command line of OpenSSH's client."""
        identity = ["-i", str(key.path)] if key else ["-o", "PubkeyAuthentication=no"]
        return [
            *("ssh", "-F", "none", "-o", "StrictHostKeyChecking=no"),
            *("-o", f"UserKnownHostsFile={self._folder}/known_hosts", "-o", "IdentitiesOnly=yes"),
            *(*identity, "-p", str(self.port), "127.0.0.1", *words),
        ]

    @asynccontextmanager
    async def terminal(
        self, key: Key | None, *, size: tuple[int, int] = (100, 30), **environment: str
    ) -> AsyncIterator[RealTerminal]:
        """Run OpenSSH's client in a terminal."""
        outside = {"SSH_AUTH_SOCK": "", **environment}
        async with real_terminal(self.command(key), outside, size=size) as terminal:
            yield terminal

    async def run(self, key: Key | None, *words: str, text: str = "") -> tuple[int, str, str]:
        """Run a command without a terminal; returns status, output, errors."""
        process = await asyncio.create_subprocess_exec(
            *self.command(key, *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "SSH_AUTH_SOCK": ""},
        )
        try:
            out, errors = await process.communicate(text.encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return process.returncode or 0, out.decode(), errors.decode()

    @asynccontextmanager
    async def connection(
        self, *keys: Key, **options: Any
    ) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """Connect with asyncssh's client, for features that OpenSSH's lacks."""
        connected = await asyncssh.connect(
            "127.0.0.1",
            self.port,
            known_hosts=None,
            config=None,
            agent_path=None,
            username="anybody",
            client_keys=[each.private for each in keys] or None,
            **options,
        )
        try:
            yield connected
        finally:
            connected.abort()
            await connected.wait_closed()


@asynccontextmanager
async def ssh_service(
    server: Live,
    folder: Path,
    limits: Limits = QUICK,
    *,
    launch: Callable[[socket.socket], Process] = warm_parent.copy,
    **options: Any,
) -> AsyncIterator[SshService]:
    """Run the service on loopback; everything it started has ended at the end of the block.

    Sessions come from a copy of the tests' parent; `tui.ssh.parent.launch` starts one as the product does.
    """
    log = io.StringIO()
    state = folder / "ssh"
    service = Service(
        site=server.url,
        state=private_folder(state),
        command="ssh chat.example.com",
        limits=limits,
        log=Log(None, log),
        launch=launch,
        **options,
    )
    async with serving(service, state, "127.0.0.1", 0) as port:
        there = SshService(service, server, port, folder)
        there.log = log
        yield there
