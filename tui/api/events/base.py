"""What every event has: its id, and the (type, op) it is known by on the wire. Pure."""

from typing import ClassVar

from tui.api.model import EventId
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseEvent:
    """Ids rise within a queue, not always by one."""

    type: ClassVar[str]
    op: ClassVar[str | None] = None

    id: EventId


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent:
    """An event that this client has no class for: acknowledged, and otherwise left alone."""

    id: EventId
    type: str
    op: str | None
