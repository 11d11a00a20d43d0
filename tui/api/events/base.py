"""The base of all events: the ID, and the (type, op) that identifies the class in the API. Pure."""

from typing import ClassVar

from tui.api.model import EventId
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseEvent:
    """IDs rise within a queue, not always by one."""

    type: ClassVar[str]
    op: ClassVar[str | None] = None

    id: EventId


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent:
    """An event that this client has no class for: acknowledged, and otherwise ignored."""

    id: EventId
    type: str
    op: str | None
