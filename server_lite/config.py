"""Settings of a server that its operator chooses at start. Values only: reads no files and no environment."""

from dataclasses import field
from pathlib import Path
from typing import Final, Literal

from server_lite.dataclass import dataclass

MIN_PASSWORD: Final = 8
MAX_PASSWORD: Final = 128
"""Characters. The maximum bounds the cost of hashing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordCost:
    """Parameters of argon2id: only tests use cheap ones."""

    time_cost: int = 2
    memory_kib: int = 19 * 1024
    parallelism: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Periods in seconds; tests shorten them."""

    heartbeat: float = 50.0
    """Time after which a poll without events is answered (clients wait 90 s)."""
    stream: float = 300.0
    """Time after which a stream of events ends, so that the client acknowledges them."""
    second_line: float = 1.0
    """Time after which a stream without events sends its second line: a proxy that holds it back is noticed."""
    between_deliveries: float = 0.01
    """Minimum time between two deliveries of events to the requests that wait, of which the first is never late."""
    queue_idle: int = 600
    """Default lifetime of a queue without polls."""
    queue_idle_max: int = 7 * 24 * 3600
    upkeep: float = 30.0
    """Interval of expiring queues and pruning the event log."""
    headers: float = 10.0
    """Time limit for a request's headers, from the connection or its first byte."""
    body_stall: float = 15.0
    """Interval of checking that a body keeps arriving."""
    picture: float = 60.0
    """Time limit for uploading an avatar or emoji, as others wait for their turn."""
    large_body: float = 120.0
    """Time limit for a large request, as others wait for their turn."""
    write_stall: float = 60.0
    """Time limit for a client to read an answer."""
    due: float = 1.0
    """Interval of checking for due scheduled messages, reminders and webhook calls."""
    webhook_retries: tuple[float, ...] = (2.0, 15.0, 120.0)
    """Delays before each retry of a program that did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes and rates; `None` disables a rate limit."""

    requests_per_minute: int | None = 200
    anonymous_per_minute: int | None = 100
    failed_logins_per_half_hour: int | None = 5
    """For one name from one address; `None` disables all limits of signing in."""
    failed_logins_per_address: int = 20
    """For all names together, from one address (a /64 of IPv6), in half an hour."""
    failed_logins_per_name: int = 20
    """From all addresses together, before further attempts are delayed; nobody is locked out."""
    connections_per_address: int = 256
    """Open at once from one address, or a /64 of IPv6; local ones are unlimited."""
    body_bytes_per_second: int = 256
    """Minimum speed of a body."""
    body_bytes: int = 1024 * 1024
    upload_bytes: int = 25 * 1024 * 1024
    """Maximum size of one file."""
    picture_bytes: int = 5 * 1024 * 1024
    """Maximum size of an avatar or emoji, which is read into memory, two at once."""
    uploads_per_person: int = 1024**3
    """Total bytes of a user's files."""
    uploads_together: int = 10 * 1024**3
    """Total bytes of the organization's files."""
    queues_per_user: int = 20
    events_per_answer: int = 1000
    event_bytes_per_answer: int = 2**20
    """Bytes of events after which an answer, or a line of a stream, ends: it may wait for a client to read."""
    events_per_stream: int = 1000
    """Number of events after which a stream ends, so that the client acknowledges them."""
    events_per_queue: int = 100_000
    """Number of unread events after which a queue is deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallProvider:
    """A provider of video calls that users authorize this server for (OAuth 2)."""

    name: Literal["zoom", "webex"]
    client_id: str
    client_secret: str = field(repr=False)
    authorize_url: str
    token_url: str
    create_url: str
    """A POST to this URL with a user's token creates a meeting."""
    url_field: str = "join_url"
    """The field of the answer with the meeting's URL."""
    scope: str = ""
    secret_in_body: bool = False
    """Whether the provider expects the client secret in the form and not in the header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """PEM files: the certificate with its chain, and its private key."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of one server. `port` 0 lets the system choose; `dev` enables sign-in without a password."""

    db: Path
    host: str = "127.0.0.1"
    port: int = 0
    tls: Tls | None = None
    """None: plain HTTP, for this machine or behind a proxy with TLS."""
    behind_proxy: bool = False
    """Whether to trust a local proxy's X-Forwarded-For and -Proto."""
    dev: bool = False
    exit_when_idle: float | None = None
    """Exit after this many seconds without connected clients (the local server of the TUI)."""
    names: tuple[str, ...] = ()
    """Host names by which clients reach this server, beside loopback and `host`."""
    ssh_port: int | None = None
    """Port on which this machine serves the client over SSH, shown on web pages."""
    ssh_secret: str = field(default="", repr=False)
    """Authenticates the SSH service beside this server, to trust its client addresses; "" without one."""
    install_command: str = ""
    """Command that installs the client, shown on web pages; "" for none."""
    jwt_key: str | None = field(default=None, repr=False)
    """Key shared with a program that signs users in (HS256); None disables JWT sign-in."""
    jwt_audience: str | None = None
    """That program's name for this server; its tokens must then be short-lived, and work once."""
    metrics_key: str | None = field(default=None, repr=False)
    """Key required to read /metrics; None disables metrics."""
    call_provider: CallProvider | None = None
    """Additional provider; the organization may also choose Jitsi, which needs no accounts."""
    limits_presence: bool = True
    """Whether restricted guests get only the presence of users visible to them."""
    webhook_hosts: tuple[str, ...] = ()
    """Hosts that outgoing webhooks may call; `*` allows all public ones. Empty: no calls."""
    mail_domain: str | None = None
    """Domain of channels' email addresses; None: that of bots' addresses, where no mail arrives."""
    passwords: PasswordCost = field(default_factory=PasswordCost)
    timing: Timing = field(default_factory=Timing)
    limits: Limits = field(default_factory=Limits)
