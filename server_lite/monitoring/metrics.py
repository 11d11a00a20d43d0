"""GET /metrics in the OpenMetrics format, and its middleware. Loaded only with `--metrics-key-file`.

It wraps the application, so that a request counts as its client sees it: with the status that
was sent and the time until the last byte. Labels come from the table of routes and from nothing that a
client writes; their number is limited.
"""

import os
import re
import secrets
import time
from collections.abc import Iterable, MutableMapping
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from server_lite.api.request import Receive, Request, Scope, Send
from server_lite.api.routing import PREFIX
from server_lite.app import App
from server_lite.errors import NotFound, WrongMethod
from server_lite.http.replies import reply
from server_lite.routes import TABLE
from server_lite.web.pages import PAGES

PATH: Final = "/metrics"
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Buckets of latencies; an ordinary request takes 2 ms, a synced write on a slow disk 50."""
VERBS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
OTHER: Final = "other"


class MetricsMiddleware:
    """Measures an application, and answers /metrics itself to clients with the key."""

    def __init__(self, app: App, key: str) -> None:
        self._app: Final = app
        self._key: Final = f"Bearer {key}".encode()
        self._registry: Final = CollectorRegistry()
        self._patterns: Final = {
            id(contract): PREFIX + re.sub(r":\w+}", "}", route.pattern)
            for route in TABLE.routes
            for contract in route.contracts.values()
        }
        self._requests: Final = Counter(
            "chinwag_http_requests",
            "Requests answered, by route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds: Final = Histogram(
            "chinwag_http_request_seconds",
            "Time until the last byte of an answer; long polls wait on purpose and are left out.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._registry.register(_State(app))
        ProcessCollector(registry=self._registry)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] == PATH:
            await self._show(Request(scope, receive), send)
        else:
            await self._measure(scope, receive, send)

    async def _measure(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0

        async def sent(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        began = time.perf_counter()
        try:
            await self._app(scope, receive, sent)
        finally:
            if status:  # else the client disconnected before the answer
                self._count(Request(scope, receive), status, time.perf_counter() - began)

    def _count(self, request: Request, status: int, seconds: float) -> None:
        method = request.method if request.method in VERBS else OTHER
        route = self._route(request)
        self._requests.labels(method, route, str(status)).inc()
        if route != f"{PREFIX}events":
            self._seconds.labels(method, route).observe(seconds)

    def _route(self, request: Request) -> str:
        if request.path.startswith(PREFIX):
            try:
                contract, _ = TABLE.find(request.verb, request.path[len(PREFIX) :])
            except (NotFound, WrongMethod):
                return OTHER
            return self._patterns[id(contract)]
        first = request.path.removeprefix("/").partition("/")[0]
        return f"/{first}" if first in PAGES else OTHER

    async def _show(self, request: Request, send: Send) -> None:
        given = request.headers.get("authorization", "").encode()
        if request.verb != "GET" or not secrets.compare_digest(given, self._key):
            challenge = (b"www-authenticate", b"Bearer")
            await reply(request.headers, send, 401, "text/plain", b"", challenge)
            return
        text = generate_latest(self._registry)  # type: ignore[no-untyped-call]  # the library's
        await reply(request.headers, send, 200, CONTENT_TYPE_LATEST, text)


class _State(Collector):
    """Collects state when it is requested, and costs nothing in between."""

    def __init__(self, app: App) -> None:
        self._app = app

    def collect(self) -> Iterable[Metric]:
        database, queues = self._app.database, self._app.queues
        for name, about, value in (
            (
                "event_queues",
                "Event queues: connected clients, and those that left lately.",
                queues.count,
            ),
            (
                "event_polls_waiting",
                "Long polls that wait for an event now, and open streams of events.",
                queues.waiting,
            ),
            ("event_log_position", "ID of the newest event.", database.log.head),
            (
                "event_lag",
                "Events that the queue furthest behind has not read.",
                queues.furthest_behind,
            ),
            ("database_bytes", "Size of the database file.", _size(str(database.path))),
            ("database_wal_bytes", "Size of its write-ahead log.", _size(f"{database.path}-wal")),
            ("database_writable", "1 if changes can be stored, else 0.", database.is_writable),
        ):
            yield GaugeMetricFamily(f"chinwag_{name}", about, value=float(value))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
