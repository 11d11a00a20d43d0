"""The interface of a service's module: formatting payloads as messages, verifying signatures. Pure."""

from collections.abc import Callable, Mapping

from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import Verify


class Unsupported(ApiError):
    """Raised for unsupported events: the service gets a success, and nothing is posted."""

    def __init__(self, event: str) -> None:
        super().__init__(f"Events of type '{event[:60]}' are not supported; ignored.")
        self.event = event


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """The message made from a payload."""

    event: str
    """The name for `only_events` and `exclude_events`."""
    topic: str
    """Used if the URL does not contain one."""
    content: str
    branch: str | None = None
    """The branch of a push, for `branches`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A request of a service. Names of headers are lower case."""

    headers: Mapping[str, str]
    payload: Payload
    config: Mapping[str, str]
    """The bot's configuration, without the secret."""

    def header(self, name: str) -> str:
        """Return a header that the service always sends; raises ApiError."""
        value = self.headers.get(name.lower(), "")
        if not value:
            raise ApiError(f"Missing the HTTP header '{name}'.")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOption:
    """A configuration option of a bot for a service."""

    key: str
    label: str
    check: Callable[[str], None]
    """Raises ApiError for an invalid value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Integration:
    """An integrated service."""

    name: str
    """The service's name in the URL."""
    display_name: str
    post: Callable[[Delivery], Posted]
    """Raises ApiError, or Unsupported, which is a success."""
    events: tuple[str, ...] = ()
    """Supported kinds of events, for users to select."""
    verify: Verify | None = None
    """Verifies the signature; None for services without signatures."""
    delivery_id: Callable[[Delivery], str] = lambda _: ""
    """Returns an ID that is equal for a repeated event, or empty."""
    has_branches: bool = False
    """Whether `branches` filters pushes."""
    config_options: tuple[ConfigOption, ...] = ()


Sentence = Callable[[Delivery], Posted]
Events = Mapping[str, Sentence]


def by_event(events: Events, event: str, delivery: Delivery) -> Posted:
    """Format the event with the function for its kind; raises Unsupported if there is none."""
    formatter = events.get(event)
    if formatter is None:
        raise Unsupported(event)
    return formatter(delivery)
