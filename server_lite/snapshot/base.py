"""What a part of the initial state is given, and what it returns. No SQL here."""

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
    """Who asks for their initial state, and in which form."""

    user: UserRow
    shape: ClientCapabilities
    include_subscribers: IncludeSubscribers = "false"
    presence_history_limit_days: int = 14
    base_url: str = ""
    dev: bool = False
    """Whether people sign in here without passwords."""
    limits: Limits = field(default_factory=Limits)
    """What uploads may take."""
    now: float
    shared: dict[str, object] = field(default_factory=dict)
    """What several sections need and one of them has read."""

    @property
    def is_anonymous(self) -> bool:
        """Whether nobody signed in: what is not in web-public channels is none of their business."""
        return is_anonymous(self.user)


Section = Callable[[Db, SnapshotRequest], dict[str, object]]
"""One entry of `fetch_event_types`: the top-level fields it adds to the answer of register."""
