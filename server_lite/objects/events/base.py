"""What every event of GET /events has. Holds types only."""

from typing_extensions import TypedDict


class EventBase(TypedDict):
    """`id` rises within a queue, not always by one."""

    id: int
