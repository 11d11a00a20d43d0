"""The base of all events: a frozen value, and one JSON payload per shape of client. No I/O.

An event is stored as its fields (`frozen`) and sent as its payload. A *shape* is what a client requested
at register: two queues with the same shape get the same bytes, so a payload is encoded once per
shape and not once per queue. Data that differs by user (flags of a message) is not in the
event but beside it (`personal`), sparse, and merged by `payload`.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from server_lite.dataclass import dataclass
from server_lite.validation import validator

Personal = TypeVar("Personal")
Payload = dict[str, object]
Object = Mapping[str, Any]
"""One of the API's JSON objects, as made by `objects`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientCapabilities:
    """The capabilities and options of a client; the fields are parameters of POST /register."""

    apply_markdown: bool = False
    client_gravatar: bool = True
    slim_presence: bool = False
    include_subscribers: bool = False
    is_guest: bool = False
    zulip_program: bool = False
    """Whether the client identifies itself as one of Zulip's: see `emoji_type`."""
    # client_capabilities:
    notification_settings_null: bool = False
    bulk_message_deletion: bool = False
    user_avatar_url_field_optional: bool = False
    stream_typing_notifications: bool = False
    user_settings_object: bool = False
    linkifier_url_template: bool = False
    user_list_incomplete: bool = False
    include_deactivated_groups: bool = False
    archived_channels: bool = False
    empty_topic_name: bool = False
    simplified_presence_events: bool = False
    individual_emoji_changes: bool = False

    def topic(self, name: str) -> str:
        """Return the topic as this client shows it: old clients cannot show an empty one."""
        return name if name or self.empty_topic_name else EMPTY_TOPIC_DISPLAY_NAME


EMPTY_TOPIC_DISPLAY_NAME = "general chat"


def emoji_type(kind: str, *, zulip_program: bool) -> str:
    """Return the emoji type as this client spells it: Zulip's clients fail on our spelling."""
    if zulip_program and kind == "service_extra_emoji":
        return "zulip_extra_emoji"
    return kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Generic[Personal]):
    """Base of all events. `kind` is unique; `type` is what `event_types` filters by.

    `Personal` is the type of the data sent to each user alone; None if there is none.
    """

    kind: ClassVar[str]
    type: ClassVar[str]
    op: ClassVar[str | None] = None
    durable: ClassVar[bool] = True
    """False for events that are worthless a minute later (typing, presence): an ID, but no row."""
    superseded_by: ClassVar[str | None] = None
    """The newer event type with the same content: queues that request both get only that one."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        # Not zero-argument super(): slots=True recreates the class, and `__class__` would be stale.
        super(Event, cls).__init_subclass__(**kwargs)  # noqa: UP008  # see above
        if "type" in cls.__dict__:
            op = cls.__dict__.get("op")
            cls.kind = cls.type if op is None else f"{cls.type}/{op}"
            KINDS[cls.kind] = cls

    @property
    def id_count(self) -> int:
        """The number of IDs that the shape with the most payloads needs."""
        return 1

    def payload(
        self, shape: ClientCapabilities, personal: Personal | None
    ) -> Payload | list[Payload] | None:
        """Return the JSON object for clients of this shape; None to send nothing; a list for several.

        `personal` is what `Tx.emit` was given for this user, or None.
        """
        raise NotImplementedError

    def in_narrow(self, narrow: tuple[tuple[str, str], ...], personal: Personal | None) -> bool:
        """Whether a queue registered with this narrow gets the event; only messages can be filtered out."""
        return True

    def dump(self) -> dict[str, object]:
        """Return the fields as JSON values, for the event log."""
        names = _NAMES.get(self.kind)
        if names is None:
            names = _NAMES[self.kind] = tuple(each.name for each in dataclasses.fields(self))
        return {name: getattr(self, name) for name in names}

    @classmethod
    def load(cls, data: dict[str, object]) -> Self:
        """Return the event that `dump` returned these fields of."""
        return cast(Self, validator(cls).validate_python(data))

    def base_payload(self, **fields: object) -> Payload:
        """Return a payload that starts with `type` and, if the event has one, `op`."""
        if self.op is None:
            return {"type": self.type, **fields}
        return {"type": self.type, "op": self.op, **fields}


AnyEvent = Event[Any]
"""An event with personal data of any type: what the log and queues contain."""

KINDS: dict[str, type[AnyEvent]] = {}
"""All event classes by kind."""


_NAMES: dict[str, tuple[str, ...]] = {}
"""The fields of each kind."""
