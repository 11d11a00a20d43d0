"""Input and output of a section of the snapshot. No SQL here."""

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from server_lite.access.users import is_anonymous
from server_lite.config import Limits
from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

IncludeSubscribers = Literal["true", "false", "partial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest:
    """A request for the snapshot: the user, and the client's options."""

    user: UserRow
    shape: ClientCapabilities
    include_subscribers: IncludeSubscribers = "false"
    presence_history_limit_days: int = 14
    base_url: str = ""
    dev: bool = False
    """Whether users sign in here without passwords."""
    limits: Limits = field(default_factory=Limits)
    """Limits of uploads."""
    now: float
    shared: dict[str, object] = field(default_factory=dict)
    """Data that several sections need, read by the first one."""

    @property
    def is_anonymous(self) -> bool:
        """Whether the request is anonymous: only data of web-public channels may be returned."""
        return is_anonymous(self.user)


Section = Callable[[Db, SnapshotRequest], dict[str, object]]
"""An entry of `fetch_event_types`: returns the top-level fields it adds to register's answer; bytes and `Pieces` are JSON."""
