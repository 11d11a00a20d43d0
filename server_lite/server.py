"""Runs an app on a socket until a signal arrives; long polls are answered before it exits."""

# The first import: it decides what is imported with uvicorn.
from server_lite.http import uvicorn_import as uvicorn_import

# isort: split
import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final

from uvicorn.config import Config
from uvicorn.server import Server as UvicornServer

from server_lite.api.request import Asgi
from server_lite.api.visitors import naming_visitors
from server_lite.app import App
from server_lite.config import Settings, Tls
from server_lite.errors import StartError, Unavailable
from server_lite.http.connections import RESERVED, Connections, raise_descriptor_limit
from server_lite.http.protocol import Guard, GuardedProtocol
from server_lite.store.database import Database
from server_lite.workers import outgoing_webhooks, scheduler

if TYPE_CHECKING:  # imported by servers with TLS: OpenSSL comes with them
    import ssl

    from server_lite.http.tls_handshake import TlsListener

SWITCH: Final = 0.0005
"""Seconds for which a thread may keep the interpreter while another one waits; Python's own value is ten times that."""


class Server(UvicornServer):
    """uvicorn, with two differences: polls are ended before shutdown, and signals are optional."""

    def __init__(self, app: App, *, signals: bool, tls: Tls | None = None) -> None:
        settings = app.settings
        connections = Connections(
            most=raise_descriptor_limit() - RESERVED,
            most_per_address=settings.limits.connections_per_address,
        )
        self._tls: ssl.SSLContext | None = None
        if tls is not None:
            from server_lite.http.tls_handshake import server_context  # with OpenSSL

            self._tls = server_context(tls)
        self._listeners: list[TlsListener] = []
        served = _measured(app)
        self._guard = Guard(
            connections,
            settings.limits,
            settings.timing,
            begin=app.begin if served is app else None,  # measured are requests with a task
            name_visitor=naming_visitors(
                behind_proxy=settings.behind_proxy, ssh_secret=settings.ssh_secret
            ),
        )
        config = Config(
            served,
            lifespan="off",
            log_level="warning",
            access_log=False,
            log_config=None,  # its lines go to our log
            http=self._guard.protocol,  # type: ignore[arg-type]  # it is called, whatever it is
            ws="none",
            timeout_keep_alive=75,
            timeout_graceful_shutdown=5,
            server_header=False,
            proxy_headers=False,  # see `naming_visitors`
        )
        super().__init__(config)
        self.app = app
        self._signals = signals
        self.answering = asyncio.Event()
        self.leaving = app.context.leaving

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve."""
        await super().startup(sockets if self._tls is None else [])
        if self._tls is not None:
            from server_lite.http.tls_handshake import TlsListener

            seconds = self.app.settings.timing.headers
            self._listeners = [
                TlsListener(
                    each, self._protocol, self._tls, turns=self._guard.turns, seconds=seconds
                )
                for each in sockets or ()
            ]
        # It owns its process: loaded objects are permanent, and need not be scanned again. Threads that read and compress
        # give way to the loop soon: it needs the interpreter after each step of SQLite.
        if self._signals:
            gc.freeze()
            sys.setswitchinterval(SWITCH)
        self.answering.set()

    def _protocol(self) -> GuardedProtocol:
        """Return the protocol of a new connection, as uvicorn makes it."""
        return self._guard.protocol(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals only if the server owns its process; in tests the event loop is shared."""
        if not self._signals:
            yield
            return
        handlers = {
            number: signal.signal(number, self.handle_exit)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down, waking every waiting poll, so that it takes no time."""
        super().handle_exit(sig, frame)
        self.leave()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer pending requests, within the time limit; no connection stays open."""
        self._guard.is_leaving = True
        for listener in self._listeners:
            listener.stop()
        await stop_accepting(self.servers)
        for listener in self._listeners:
            listener.abort()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            assert isinstance(connection, GuardedProtocol)
            connection.transport.abort()
        await asyncio.sleep(0)  # sockets are closed in the next turn of the event loop

    def reload_certificate(self) -> None:
        """Reload the certificate's files for new connections. The caller has validated them."""
        tls = self.app.settings.tls
        assert tls is not None
        assert self._tls is not None
        self._tls.load_cert_chain(tls.certificate, tls.key)

    def leave(self) -> None:
        """Shut down, without a signal."""
        self.should_exit = True
        self.app.close()
        self.leaving.set()


async def stop_accepting(servers: Sequence[asyncio.Server]) -> None:
    """Stop accepting, and wait until all accepted sockets are connections, which can be closed.

    asyncio loses a connection if its server closes before it is set up: its socket would stay open.
    """
    loop = asyncio.get_running_loop()
    for server in servers:
        for each in server.sockets:
            loop.remove_reader(each.fileno())
    for _ in range(3):
        await asyncio.sleep(0)


def _measured(app: App) -> Asgi:
    """Return the application, measured if metrics are enabled."""
    if app.settings.metrics_key is None:
        return app
    from server_lite.monitoring.metrics import (
        MetricsMiddleware,
    )  # a library needed only here

    return MetricsMiddleware(app, app.settings.metrics_key)


def listen(host: str, port: int) -> socket.socket:
    """Return a bound socket; raises StartError with one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol, asyncio disables Nagle's delay (40 ms per answer).
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(2048)  # at once: two processes can bind a port that nobody listens on
    except socket.gaierror as error:
        sock.close()
        raise StartError(f"{host} is not an address of this machine.") from error
    except OSError as error:
        sock.close()
        raise StartError(f"Port {port} on {host} cannot be used: {error.strerror}.") from error
    return sock


def url_of(sock: socket.socket, scheme: str = "http") -> str:
    """Return `http://HOST:PORT` of a listening socket."""
    host, port = sock.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


@asynccontextmanager
async def running(settings: Settings, *, signals: bool) -> AsyncIterator[tuple[Server, str]]:
    """Run a server and yield it with its URL; after the block it is stopped and its database closed."""
    sock = listen(settings.host, settings.port)
    with contextlib.closing(sock):
        database = Database(settings.db)
        app = App(settings, database)
        with contextlib.suppress(Unavailable):  # a full disk: the upkeep retries
            database.write_now(app.maintenance.begin)
        server = Server(app, signals=signals, tls=settings.tls)
        serving = asyncio.create_task(server.serve(sockets=[sock]))
        upkeep = asyncio.create_task(app.maintenance.run())
        indexing = asyncio.create_task(app.maintenance.index_earlier())
        delivering = asyncio.create_task(scheduler.run(app.context))
        calling = asyncio.create_task(outgoing_webhooks.run(app.context))
        try:
            await server.answering.wait()
            yield server, url_of(sock, "http" if settings.tls is None else "https")
        finally:
            server.leave()
            upkeep.cancel()
            indexing.cancel()
            delivering.cancel()
            calling.cancel()
            await asyncio.gather(
                serving, upkeep, indexing, delivering, calling, return_exceptions=True
            )
            database.close()
