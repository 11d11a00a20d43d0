"""What the owner of a server decides when starting it. Values only: reads no files and no environment."""

from dataclasses import field
from pathlib import Path
from typing import Final, Literal

from server_lite.dataclass import dataclass

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
    headers: float = 10.0
    """A request's header has to be complete this long after its connection, or its first byte."""
    body_stall: float = 15.0
    """How often is looked whether a body still comes."""
    picture: float = 60.0
    """How long a picture may be on its way, so that others who send one need not wait longer."""
    large_body: float = 120.0
    """The same for a request that is larger than others may be."""
    write_stall: float = 60.0
    """How long an answer waits for somebody who does not read it."""
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
    """For one name from one address; `None` switches all limits of signing in off."""
    failed_logins_per_address: int = 20
    """For all names together, from one address (one /64 of IPv6), in half an hour."""
    failed_logins_per_name: int = 20
    """From all addresses together, before each further attempt has to wait; nobody is locked out."""
    connections_per_address: int = 256
    """Open at once from one address, or one /64 of IPv6; this machine's own have no limit."""
    body_bytes_per_second: int = 256
    """The slowest that a body may come."""
    body_bytes: int = 1024 * 1024
    upload_bytes: int = 25 * 1024 * 1024
    """Of one file."""
    picture_bytes: int = 5 * 1024 * 1024
    """Of one file that becomes a picture or an emoji: these are held in memory, two at once."""
    uploads_per_person: int = 1024**3
    """Bytes of all files that one person uploaded."""
    uploads_together: int = 10 * 1024**3
    """Bytes of all files of the organization."""
    queues_per_user: int = 20
    events_per_answer: int = 1000
    events_per_queue: int = 100_000
    """How many events may lie beyond the first that a queue missed, before it is given up."""


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
    behind_proxy: bool = False
    """Whether a proxy on this machine is believed whom it speaks for (X-Forwarded-For, -Proto)."""
    dev: bool = False
    exit_when_idle: float | None = None
    """Leave after this many seconds without anybody connected (the local server of the TUI)."""
    names: tuple[str, ...] = ()
    """Names under which clients reach this server, beside loopback and `host`."""
    ssh_port: int | None = None
    """Where this machine serves the client over SSH, for the pages that say so."""
    ssh_secret: str = field(default="", repr=False)
    """Who brings it is the SSH service beside this server, and is believed whom it speaks for; "" where there is none."""
    install_command: str = ""
    """What installs the client; "" where the pages should not say."""
    jwt_key: str | None = field(default=None, repr=False)
    """Key shared with a program that vouches for people (HS256); None: nobody is believed."""
    jwt_audience: str | None = None
    """What that program calls this server; its tokens must then be short-lived, and are good once."""
    metrics_key: str | None = field(default=None, repr=False)
    """Who brings this key may read /metrics; None: nothing is measured."""
    call_provider: CallProvider | None = None
    """Beside it there is Jitsi, which the organization chooses by itself: it needs no accounts."""
    limits_presence: bool = True
    """Whether guests who may not know everybody see the presence of those they know only."""
    webhook_hosts: tuple[str, ...] = ()
    """Hosts that outgoing webhooks may call; `*` is every public one. None: nothing is called."""
    mail_domain: str | None = None
    """Where mail for channels arrives; None: the domain of bots' addresses, at which none does."""
    passwords: PasswordCost = field(default_factory=PasswordCost)
    timing: Timing = field(default_factory=Timing)
    limits: Limits = field(default_factory=Limits)
