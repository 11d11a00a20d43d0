"""The plain form of exports and imports: JSON lines, one record each. Types only.

Each line is an object with `type`, the name of one of the classes below in lower case, and its fields.
First the organization, then domains, linkifiers, playgrounds and profile fields, people, groups,
folders, channels and emoji, scheduled messages, then files, then messages by ID, and finally
a line that reveals a truncated or changed file. IDs are the organization's own and are kept, so
that mentions and links in texts remain valid. Times are UNIX seconds. The bytes of
files are in a folder beside: `uploads/ID`, `emoji/ID`, `avatars/ID OF THE PERSON`.

It contains no secrets (passwords, API keys, invitation links), and no HTML: texts are rendered on import.
Drafts, reminders, navigation views and bots' storage are left out.
"""

import hashlib
from collections import Counter
from dataclasses import asdict, field
from typing import Annotated, Final, Literal

import orjson
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from server_lite.api.decoding import complaint
from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.ids import ChannelId, MessageId
from server_lite.store.user_groups import GroupSetting

VERSION: Final = 2
"""Version 1 had no domains, linkifiers, playgrounds, profile fields, scheduled messages and personal data."""
_POSITIVE: Final = Field(gt=0, lt=2**53)
Id = Annotated[int, _POSITIVE]
IdOfChannel = Annotated[ChannelId, _POSITIVE]
IdOfMessage = Annotated[MessageId, _POSITIVE]
Time = Annotated[float, Field(ge=0, lt=2**40, allow_inf_nan=False)]
Text = Annotated[str, Field(max_length=20_000)]
_PARTS: Final = {"direct_members", "direct_subgroups"}


def _whole(value: GroupSetting) -> GroupSetting:
    if isinstance(value, dict) and value.keys() != _PARTS:
        raise ValueError("the holders of a permission are direct_members and direct_subgroups")
    return value


Permissions = dict[str, Annotated[GroupSetting, AfterValidator(_whole)]]
BotType = Literal[1, 2, 3, 4]
RoleName = Literal["owner", "administrator", "moderator", "member", "guest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """The first line. Only values that differ from the defaults."""

    type: Literal["organization"] = "organization"
    version: Literal[1, 2] = VERSION
    settings: dict[str, object] = field(default_factory=dict)
    permissions: Permissions = field(default_factory=dict)
    personal_defaults: dict[str, object] = field(default_factory=dict)
    """Default personal settings of new users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A domain whose addresses may join."""

    type: Literal["domain"] = "domain"
    name: Text
    allow_subdomains: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkifier:
    """A pattern in messages that becomes a link; applied in order."""

    type: Literal["linkifier"] = "linkifier"
    pattern: Text
    url_template: Text
    example: Text | None = None
    reverse_template: Text | None = None
    alternative_url_templates: list[Text] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """A site that runs code of a language."""

    type: Literal["playground"] = "playground"
    name: Text
    language: Text
    url_template: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """Custom profile fields, in their order; `kind` is numbered as in the API."""

    type: Literal["profile_field"] = "profile_field"
    id: Id
    kind: Annotated[int, Field(ge=1, le=8)]
    name: Annotated[str, Field(max_length=40)]
    hint: Annotated[str, Field(max_length=80)] = ""
    data: dict[str, object] = field(default_factory=dict)
    """Choices, or the external account type, as in the API."""
    in_summary: bool = False
    is_required: bool = False
    is_editable: bool = True
    is_for_matching: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A user's status: a text and an emoji."""

    text: Annotated[str, Field(max_length=60)] = ""
    emoji: Annotated[str, Field(max_length=100)] = ""
    kind: Literal["", "unicode_emoji", "realm_emoji", "service_extra_emoji"] = ""
    code: Annotated[str, Field(max_length=100)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A user's saved snippet."""

    title: Annotated[str, Field(max_length=60)]
    content: Annotated[str, Field(max_length=10_000)]
    created: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPolicy:
    """A user's policy for a topic: 1 muted, 2 unmuted, 3 followed."""

    channel: IdOfChannel
    topic: Annotated[str, Field(max_length=60)]
    policy: Literal[1, 2, 3]
    updated: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user or a bot, which has a `bot_type` numbered as in the API, and perhaps an owner."""

    type: Literal["person"] = "person"
    id: Id
    email: Text
    name: Text
    role: RoleName
    is_active: bool = True
    joined: Time
    timezone: Annotated[str, Field(max_length=100)] = ""
    bot_type: BotType | None = None
    owner: Id | None = None
    is_stub: bool = False
    """Only an author of messages: nobody can sign in with the account."""
    has_picture: bool = False
    settings: dict[str, object] = field(default_factory=dict)
    """Personal settings that differ from the defaults."""
    status: Status | None = None
    active: Time | None = None
    """When the user was last active, and …"""
    connected: Time | None = None
    """… last connected."""
    profile: dict[str, Text] = field(default_factory=dict)
    """ID of a profile field -> value."""
    alert_words: list[Annotated[str, Field(max_length=100)]] = field(default_factory=list)
    muted: list[tuple[Id, Time]] = field(default_factory=list)
    """Users muted, and when."""
    snippets: list[Snippet] = field(default_factory=list)
    topics: list[TopicPolicy] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A custom user group; `groups` are its subgroups."""

    type: Literal["group"] = "group"
    id: Annotated[int, Field(ge=100, lt=2**53)]
    name: Text
    description: Text = ""
    creator: Id | None = None
    created: Time | None = None
    is_active: bool = True
    members: list[Id] = field(default_factory=list)
    groups: list[Id] = field(default_factory=list)
    permissions: Permissions = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A channel folder; folders are in their order."""

    type: Literal["folder"] = "folder"
    id: Id
    name: Text
    description: Text = ""
    creator: Id | None = None
    created: Time
    is_archived: bool = False


Notification = Literal["desktop", "audible", "push", "email", "wildcard_mentions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A current or former subscriber: periods are (after this message, up to this one or None)."""

    person: Id
    is_active: bool = True
    color: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
    is_muted: bool = False
    is_pinned: bool = False
    notifications: dict[Notification, bool] = field(default_factory=dict)
    """Settings that differ from the user's."""
    periods: list[tuple[Annotated[int, Field(ge=0, lt=2**53)], int | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel with its subscribers."""

    type: Literal["channel"] = "channel"
    id: Id
    name: Text
    description: Text = ""
    creator: Id | None = None
    created: Time
    is_private: bool = False
    is_web_public: bool = False
    is_history_public: bool = True
    is_archived: bool = False
    is_default: bool = False
    retention_days: int | None = None
    topics_policy: Annotated[str, Field(max_length=50)] = "inherit"
    folder: Id | None = None
    permissions: Permissions = field(default_factory=dict)
    people: list[Membership] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """A custom emoji; its image is the file `emoji/ID`."""

    type: Literal["emoji"] = "emoji"
    id: Id
    name: Annotated[str, Field(pattern=r"^[0-9a-z]([0-9a-z._-]*[0-9a-z])?$", max_length=100)]
    author: Id | None = None
    is_active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """An uploaded file, linked in messages as `/user_uploads/PATH`. Its bytes are the file `uploads/ID`."""

    type: Literal["file"] = "file"
    id: Id
    path: Annotated[str, Field(pattern=r"^[^\s\x00-\x1f]+$", max_length=500)]
    name: Text
    content_type: Annotated[str, Field(max_length=200)]
    person: Id
    created: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """A scheduled message, due at `due`, in a channel or to people; `is_failed`: it could not be sent."""

    type: Literal["scheduled"] = "scheduled"
    sender: Id
    channel: IdOfChannel | None = None
    topic: Annotated[str, Field(max_length=60)] = ""
    people: Annotated[list[Id], Field(max_length=1000)] = field(default_factory=list)
    content: Text
    due: Annotated[int, Field(ge=0, lt=2**40)]
    client: Annotated[str, Field(max_length=100)] = ""
    is_failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A reaction; `kind` and `code` identify the emoji, `name` is what the user typed."""

    person: Id
    name: Annotated[str, Field(max_length=100)]
    kind: Literal["unicode_emoji", "realm_emoji", "service_extra_emoji"]
    code: Annotated[str, Field(max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A submessage of a poll or to-do list, JSON; the first one defines it."""

    person: Id
    kind: Annotated[str, Field(max_length=50)]
    content: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message in a channel (`channel`, `topic`) or direct (`people`, the sender included)."""

    type: Literal["message"] = "message"
    id: IdOfMessage
    sender: Id
    channel: IdOfChannel | None = None
    topic: Annotated[str, Field(max_length=60)] = ""
    people: Annotated[list[Id], Field(max_length=1000)] = field(default_factory=list)
    content: Text
    time: Time
    client: Annotated[str, Field(max_length=100)] = ""
    edited: Time | None = None
    moved: Time | None = None
    history: list[dict[str, object]] = field(default_factory=list)
    """Edits, newest first: `user_id`, `timestamp`, and previous values (`prev_content`, `prev_topic` …)."""
    reactions: list[Reaction] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    flags: dict[str, list[Id]] = field(default_factory=dict)
    """Users by the API's names of flags: starred, mentioned …"""
    unread: list[Id] = field(default_factory=list)
    """Users who have not read the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateReaction:
    """A reaction to an earlier message: other formats list them separately."""

    type: Literal["reaction"] = "reaction"
    message: IdOfMessage
    reaction: Reaction


@dataclass(frozen=True, slots=True, kw_only=True)
class LatePart:
    """A submessage of an earlier message: other formats list them separately."""

    type: Literal["part"] = "part"
    message: IdOfMessage
    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The last line: the number of records of each type before it, and a digest of their lines."""

    type: Literal["end"] = "end"
    counts: dict[str, Annotated[int, Field(ge=0)]]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Sum:
    """Counts and digest of the lines of a file, as they are written or read."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._digest = hashlib.sha256()

    def add(self, record: "Record", line: bytes) -> None:
        """Add one line."""
        self._counts[record.type] += 1
        self._digest.update(line)

    def end(self) -> End:
        """Return the end line for everything added so far."""
        return End(counts=dict(sorted(self._counts.items())), sha256=self._digest.hexdigest())


Record = (
    Organization
    | Domain
    | Linkifier
    | Playground
    | ProfileField
    | Person
    | Group
    | Folder
    | Channel
    | Emoji
    | Scheduled
    | File
    | Message
    | LateReaction
    | LatePart
    | End
)
_RECORD: Final[TypeAdapter[Record]] = TypeAdapter(
    Annotated[Record, Field(discriminator="type")], config={"extra": "forbid"}
)


def to_line(record: Record) -> bytes:
    """Return one line of the file."""
    return orjson.dumps(asdict(record)) + b"\n"


def from_line(line: bytes, where: str) -> Record:
    """Return the record of a line; raises StartError with `where` and the error."""
    try:
        return _RECORD.validate_python(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise StartError(f"{where} is not JSON.") from error
    except ValidationError as error:
        raise StartError(f"{where} is not a valid record: {complaint('it', error)}.") from error
