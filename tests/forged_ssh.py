"""An SSH client that sends arbitrary messages during authentication.

It offers keys without having their private half, and sends signatures of others.

    async with forged(there, script) as connection: …   # `script(wire)` is a coroutine that ends signed in
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncssh
from asyncssh.packet import Boolean, Byte, String, UInt32

from tests.ssh_service import Key, SshService

REQUEST: Final = 50
FAILURE: Final = 51
SUCCESS: Final = 52
MORE: Final = 60
"""Answer that allows the key to sign, or asks the question."""
_RESPONSE: Final = 61


class Wire:
    """Sends and receives messages until signed in; asyncssh's own client does the rest."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.answers: asyncio.Queue[int] = asyncio.Queue()

    @property
    def session(self) -> bytes:
        """The session ID, which makes a signature valid for this connection alone."""
        session_id: bytes = self._connection._session_id
        return session_id

    def send(self, method: str, *arguments: bytes, user: str = "anybody") -> None:
        """Send a request, without waiting for its answer."""
        packet = (String(user), String("ssh-connection"), String(method), *arguments)
        self._connection.send_packet(REQUEST, *packet)

    def offer(self, key: Key, **user: str) -> None:
        """Send a public key, which anyone may have."""
        data = key.private.public_data
        self.send("publickey", Boolean(False), String(key.private.algorithm), String(data), **user)

    def sign(self, key: Key, signature: bytes, **user: str) -> None:
        """Send a public key with any signature."""
        name, data = String(key.private.algorithm), String(key.private.public_data)
        self.send("publickey", Boolean(True), name, data, String(signature), **user)

    def signature(
        self, of: Key, by: Key, *, user: str = "anybody", session: bytes | None = None
    ) -> bytes:
        """Return a signature for the key `of`, made with another private key, user or session."""
        signed = (
            String(self.session if session is None else session), Byte(REQUEST), String(user),
            String("ssh-connection"), String("publickey"), Boolean(True),
            String(of.private.algorithm), String(of.private.public_data),
        )  # fmt: skip
        return by.private.sign(b"".join(signed), by.private.algorithm)

    def ask(self, **user: str) -> None:
        """Request the question."""
        self.send("keyboard-interactive", String(""), String(""), **user)

    def answer(self, text: str) -> None:
        """Answer the question."""
        self._connection.send_packet(_RESPONSE, UInt32(1), String(text))

    async def heard(self) -> int:
        """Return the type of the next answer."""
        return await asyncio.wait_for(self.answers.get(), 10)

    # For asyncssh, which treats this object as its authentication method

    def log_received_packet(self, *_: object) -> None:
        """Log nothing."""

    def process_packet(self, kind: int, _: int, packet: Any) -> bool:
        """Handle the service's request for a signature or an answer."""
        del packet
        self.answers.put_nowait(kind)
        return True

    def auth_succeeded(self) -> None:
        """Record the success."""
        self.answers.put_nowait(SUCCESS)

    def cancel(self) -> None:
        """Do nothing."""


@asynccontextmanager
async def forged(
    there: SshService, script: Callable[[Wire], Awaitable[None]], **options: Any
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Yield the connection, signed in by `script`."""
    said: list[asyncio.Task[None]] = []

    class Client(asyncssh.SSHClient):
        def connection_made(self, conn: Any) -> None:
            wire = Wire(conn)

            def begin() -> None:
                conn._auth = wire
                said.append(asyncio.ensure_future(script(wire)))

            conn.try_next_auth = begin
            failed = {
                FAILURE: lambda _, kind, number, packet: wire.process_packet(kind, number, packet)
            }
            conn._packet_handlers = {**conn._packet_handlers, **failed}

    try:
        async with there.connection(client_factory=Client, **options) as connection:
            await asyncio.gather(*said)
            yield connection
    finally:
        for each in said:
            each.cancel()
        await asyncio.gather(*said, return_exceptions=True)
