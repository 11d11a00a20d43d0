"""What a module of one service offers: how its payloads become messages, and how it signs them. Pure."""

from collections.abc import Callable, Mapping

from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import Verify


class Unsupported(ApiError):
    """No message is made of events of this kind: the service is answered, and nothing is posted."""

    def __init__(self, event: str) -> None:
        super().__init__(f"Events of type '{event[:60]}' are not supported; ignored.")
        self.event = event


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """The message that a payload becomes."""

    event: str
    """As `only_events` and `exclude_events` name it."""
    topic: str
    """Where the URL names none."""
    content: str
    branch: str | None = None
    """Of a push, so that `branches` can choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One request of a service. Names of headers are lower case."""

    headers: Mapping[str, str]
    payload: Payload
    config: Mapping[str, str]
    """What the bot was configured with, the secret apart."""

    def header(self, name: str) -> str:
        """A header that the service always sends; raises ApiError."""
        value = self.headers.get(name.lower(), "")
        if not value:
            raise ApiError(f"Missing the HTTP header '{name}'.")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOption:
    """What a bot for a service can be configured with."""

    key: str
    label: str
    check: Callable[[str], None]
    """Raises ApiError for a value that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Integration:
    """One service."""

    name: str
    """As it stands in the URL."""
    display_name: str
    post: Callable[[Delivery], Posted]
    """Raises ApiError, or Unsupported, which is a success."""
    events: tuple[str, ...] = ()
    """Kinds that are supported, as people choose among them."""
    verify: Verify | None = None
    """Checks the signature; None where the service does not sign."""
    delivery_id: Callable[[Delivery], str] = lambda _: ""
    """The same for the same event sent again, or empty."""
    has_branches: bool = False
    """Whether `branches` chooses among pushes."""
    config_options: tuple[ConfigOption, ...] = ()


Sentence = Callable[[Delivery], Posted]
Events = Mapping[str, Sentence]


def by_event(events: Events, event: str, delivery: Delivery) -> Posted:
    """What the function for this kind of event makes of it; raises Unsupported where there is none."""
    formatter = events.get(event)
    if formatter is None:
        raise Unsupported(event)
    return formatter(delivery)
