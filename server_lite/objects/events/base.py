"""Fields of all events that GET /events returns. Contains types only."""

from typing_extensions import TypedDict


class EventBase(TypedDict):
    """`id` increases within a queue, not always by one."""

    id: int
