"""The renderer's questions about the organization: one protocol and the types it returns.

No I/O here. An implementation of `Lookup` answers for one sender: a channel that the sender may not
see, and a message in it, does not exist. Each question is asked at most once per name and rendering.
"""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person who can be mentioned. Deactivated ones can only be mentioned silently."""

    id: UserId
    full_name: str
    is_active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A user group. System groups are only mentioned silently, by their description."""

    id: int
    name: str
    description: str = ""
    is_system: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel that the sender may see."""

    id: ChannelId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEmoji:
    """An active custom emoji; `url` is the `src` of its image."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkifier:
    """A pattern in RE2 syntax with named groups, and an RFC 6570 template of the URL."""

    pattern: str
    url_template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """The fields of an uploaded file that a preview needs.

    `content_type` is a MIME type; `dimensions` are width and height in pixels; `thumbnail` is the
    URL of a smaller image, None without one (the preview then shows the file itself).
    """

    content_type: str
    dimensions: tuple[int, int] | None = None
    thumbnail: str | None = None
    is_animated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the organization and the sender that affect rendering.

    `realm_url` has no trailing slash, e.g. `https://chat.example.com`. `today` is the day in UTC
    that completes `<time:Friday 10:00>`.
    """

    realm_url: str
    empty_topic_name: str = "general chat"
    default_code_language: str = ""
    translate_emoticons: bool = False
    image_previews: bool = True
    today: date = date.min


class Lookup(Protocol):
    """Resolves names for the sender of a message. All answers are plain values, no coroutines."""

    @property
    def settings(self) -> Settings:
        """The settings, constant during one rendering."""
        ...

    def people_named(self, full_name: str) -> Sequence[Person]:
        """Return all people with this full name (case ignored), in order of preference."""
        ...

    def person(self, user_id: UserId) -> Person | None:
        """Return the person with this ID."""
        ...

    def group_named(self, name: str) -> Group | None:
        """Return the user group with this name (case ignored)."""
        ...

    def channel_named(self, name: str) -> Channel | None:
        """Return the channel with this name (case ignored), if the sender may see it."""
        ...

    def latest_message_id(self, channel_id: ChannelId, topic: str) -> int | None:
        """Return the newest message of the topic that the sender may see."""
        ...

    def custom_emoji(self, name: str) -> CustomEmoji | None:
        """Return the active custom emoji with this name."""
        ...

    def linkifiers(self) -> Sequence[Linkifier]:
        """Return the linkifiers, in the order they are applied."""
        ...

    def upload(self, path_id: str) -> Upload | None:
        """Return the uploaded file at `/user_uploads/{path_id}`, if the sender may use it."""
        ...
