"""What the owner of a server decides when starting it. Values only: reads no files and no environment."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

MIN_PASSWORD: Final = 8
MAX_PASSWORD: Final = 128
"""Characters. The longest keeps a request from costing more than one hash should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordCost:
    """Parameters of argon2id: tests use cheap ones, people never do."""

    time_cost: int = 2
    memory_kib: int = 19 * 1024
    parallelism: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Periods in seconds; tests shorten them."""

    heartbeat: float = 50.0
    """A poll with nothing to tell is answered after this long (clients wait 90 s)."""
    queue_idle: int = 600
    """Default life of a queue that nobody polls."""
    queue_idle_max: int = 7 * 24 * 3600
    upkeep: float = 30.0
    """How often expired queues and the event log are looked at."""
    due: float = 1.0
    """How often scheduled messages, reminders and calls for bots are looked at."""
    webhook_retries: tuple[float, ...] = (2.0, 15.0, 120.0)
    """How long to wait before each further call of a program that did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes and rates; `None` switches a rate off."""

    requests_per_minute: int | None = 200
    anonymous_per_minute: int | None = 100
    failed_logins_per_half_hour: int | None = 5
    body_bytes: int = 1024 * 1024
    upload_bytes: int = 25 * 1024 * 1024
    queues_per_user: int = 20
    events_per_answer: int = 1000
    events_per_queue: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CallProvider:
    """A service for video calls that people let this server use in their name (OAuth 2)."""

    name: Literal["zoom", "webex"]
    client_id: str
    client_secret: str = field(repr=False)
    authorize_url: str
    token_url: str
    create_url: str
    """A POST here with a person's token makes a meeting."""
    url_field: str = "join_url"
    """The field of the answer that holds the meeting's address."""
    scope: str = ""
    secret_in_body: bool = False
    """Some providers want the client's secret in the form and not in the header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """Files in PEM: the certificate, followed by those that vouch for it, and its private key."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server. `port` 0 lets the system choose; `dev` enables sign-in without a password."""

    db: Path
    host: str = "127.0.0.1"
    port: int = 0
    tls: Tls | None = None
    """None: plain HTTP, for this machine or behind a proxy that encrypts."""
    dev: bool = False
    exit_when_idle: float | None = None
    """Leave after this many seconds without anybody connected (the local server of the TUI)."""
    names: tuple[str, ...] = ()
    """Names under which clients reach this server, beside loopback and `host`."""
    jwt_key: str | None = None
    """Key shared with a program that vouches for people (HS256); None: nobody is believed."""
    jwt_audience: str | None = None
    """What that program calls this server; its tokens must then be short-lived, and are good once."""
    call_provider: CallProvider | None = None
    """Beside it there is Jitsi, which the organisation chooses by itself: it needs no accounts."""
    webhook_hosts: tuple[str, ...] = ()
    """Hosts that outgoing webhooks may call; `*` is every public one. None: nothing is called."""
    passwords: PasswordCost = field(default_factory=PasswordCost)
    timing: Timing = field(default_factory=Timing)
    limits: Limits = field(default_factory=Limits)
