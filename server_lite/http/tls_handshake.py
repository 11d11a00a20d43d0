"""TLS connections are accepted here: each counts before its handshake, which must end in time. No HTTP.

asyncio's server would give a handshake a minute, and tell a protocol of the connection when it is complete.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Final

from server_lite.config import Tls
from server_lite.futures import settle_future
from server_lite.http.protocol import GuardedProtocol
from server_lite.http.turns import HANDSHAKE, Turns

PAUSE: Final = 1.0
"""Seconds without accepting after the system refused a connection, as out of descriptors."""
log = logging.getLogger("chinwag.server")


def server_context(tls: Tls) -> ssl.SSLContext:
    """Return the context of new connections, with the certificate as it is now."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tls.certificate, tls.key)
    return context


class TlsListener:
    """Accepts connections from a socket until it is closed, and does their handshakes."""

    def __init__(
        self,
        listening: socket.socket,
        make_protocol: Callable[[], GuardedProtocol],
        context: ssl.SSLContext,
        *,
        turns: Turns,
        seconds: float,
    ) -> None:
        """`make_protocol` makes what a connection has after its handshake; `seconds` is the limit for that.

        `turns`: handshakes that come in the same moment begin some at a time, as requests do.
        """
        self._make_protocol = make_protocol
        self._context = context
        self._turns = turns
        self._seconds = seconds
        self._running: set[asyncio.Task[None]] = set()  # the event loop keeps only weak references
        listening.setblocking(False)
        self._accepting = asyncio.create_task(self._accept(listening))

    def stop(self) -> None:
        """Accept no more connections."""
        self._accepting.cancel()

    def abort(self) -> None:
        """End the handshakes that are not complete."""
        for task in self._running:
            task.cancel()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError as error:
                log.error("connections cannot be accepted right now: %s", error)  # noqa: TRY400  # no bug
                await asyncio.sleep(PAUSE)
                continue
            task = loop.create_task(self._handshake(accepted, str(address[0])))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _handshake(self, accepted: socket.socket, host: str) -> None:
        """Do a handshake, if the limits allow the connection."""
        protocol = self._make_protocol()
        if not protocol.enter(host):
            accepted.close()
            return
        loop = asyncio.get_running_loop()
        end = loop.time() + self._seconds
        try:
            try:
                async with asyncio.timeout_at(end):
                    await _readable(accepted)
                    await self._turns.take(host, HANDSHAKE)
            except BaseException:
                accepted.close()
                raise
            await loop.connect_accepted_socket(
                lambda: protocol,
                accepted,
                ssl=self._context,
                ssl_handshake_timeout=max(end - loop.time(), 0.01),
            )
        except OSError:  # no TLS, an unknown version, no word in time; `ssl.SSLError` is one, too
            protocol.leave()
        except BaseException:
            protocol.leave()
            raise


async def _readable(sock: socket.socket) -> None:
    """Wait until the other side has said something, or hung up."""
    loop = asyncio.get_running_loop()
    come: asyncio.Future[None] = loop.create_future()
    loop.add_reader(sock, settle_future, come, None)
    try:
        await come
    finally:
        loop.remove_reader(sock)
