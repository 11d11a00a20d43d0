"""The plain form in which an organization leaves and arrives: JSON lines, one record each. Types only.

Each line is an object with `type`, the name of one of the classes below in lower case, and its fields.
First the organization, then domains, linkifiers, playgrounds and profile fields, people, groups,
folders, channels and emoji, what is to be sent later, then files, then messages by id, and at the end
a line by which a truncated or changed file is told. Ids are the organization's own and are kept, so
that mentions and links in texts go on to lead where they led. Times are UNIX seconds. The bytes of
files lie in a folder beside: `uploads/ID`, `emoji/ID`, `avatars/ID OF THE PERSON`.

No secret is in it (passwords, keys, links of invitations), and no HTML: texts are rendered on arrival.
Drafts, reminders, navigation views and what bots remember stay behind.
"""

import hashlib
from collections import Counter
from dataclasses import asdict, field
from typing import Annotated, Final, Literal

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from server_lite.api.decoding import complaint
from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.ids import ChannelId, MessageId
from server_lite.store.user_groups import GroupSetting

VERSION: Final = 2
"""The first had no domains, linkifiers, playgrounds, profile fields, scheduled messages and personal data."""
_POSITIVE: Final = Field(gt=0, lt=2**53)
Id = Annotated[int, _POSITIVE]
IdOfChannel = Annotated[ChannelId, _POSITIVE]
IdOfMessage = Annotated[MessageId, _POSITIVE]
Time = Annotated[float, Field(ge=0, lt=2**40, allow_inf_nan=False)]
Text = Annotated[str, Field(max_length=20_000)]
Permissions = dict[str, GroupSetting]
BotType = Literal[1, 2, 3, 4]
RoleName = Literal["owner", "administrator", "moderator", "member", "guest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """Always the first line. Only what differs from the defaults."""

    type: Literal["organization"] = "organization"
    version: Literal[1, 2] = VERSION
    settings: dict[str, object] = field(default_factory=dict)
    permissions: Permissions = field(default_factory=dict)
    personal_defaults: dict[str, object] = field(default_factory=dict)
    """Personal settings of people to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One whose addresses may join."""

    type: Literal["domain"] = "domain"
    name: Text
    allow_subdomains: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkifier:
    """A pattern in messages that becomes a link; they are tried in their order."""

    type: Literal["linkifier"] = "linkifier"
    pattern: Text
    url_template: Text
    example: Text | None = None
    reverse_template: Text | None = None
    alternative_url_templates: list[Text] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """Where code of a language can be tried."""

    type: Literal["playground"] = "playground"
    name: Text
    language: Text
    url_template: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """What people may say of themselves, in their order; `kind` as the API numbers it."""

    type: Literal["profile_field"] = "profile_field"
    id: Id
    kind: Annotated[int, Field(ge=1, le=8)]
    name: Annotated[str, Field(max_length=40)]
    hint: Annotated[str, Field(max_length=80)] = ""
    data: dict[str, object] = field(default_factory=dict)
    """Choices, or where an account is, as the API has them."""
    in_summary: bool = False
    is_required: bool = False
    is_editable: bool = True
    is_for_matching: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What somebody says of themselves in a few words, and an emoji."""

    text: Annotated[str, Field(max_length=60)] = ""
    emoji: Annotated[str, Field(max_length=100)] = ""
    kind: Literal["", "unicode_emoji", "realm_emoji", "service_extra_emoji"] = ""
    code: Annotated[str, Field(max_length=100)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A text that somebody keeps to use again."""

    title: Annotated[str, Field(max_length=60)]
    content: Annotated[str, Field(max_length=10_000)]
    created: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPolicy:
    """What a topic is to somebody: 1 muted, 2 unmuted, 3 followed."""

    channel: IdOfChannel
    topic: Annotated[str, Field(max_length=60)]
    policy: Literal[1, 2, 3]
    updated: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody with an account, or a bot: then `bot_type` as the API numbers it, and perhaps its owner."""

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
    """Kept as an author only: nobody can sign in with it."""
    has_picture: bool = False
    settings: dict[str, object] = field(default_factory=dict)
    """Personal settings that differ from the defaults."""
    status: Status | None = None
    active: Time | None = None
    """When they last used a client, and …"""
    connected: Time | None = None
    """… when one was last open."""
    profile: dict[str, Text] = field(default_factory=dict)
    """Id of a profile field -> what they say there."""
    alert_words: list[Annotated[str, Field(max_length=100)]] = field(default_factory=list)
    muted: list[tuple[Id, Time]] = field(default_factory=list)
    """People they muted, and when."""
    snippets: list[Snippet] = field(default_factory=list)
    topics: list[TopicPolicy] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A user group that people made; `groups` are those in it."""

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
    """A folder of channels, in their order."""

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
    """Somebody who is in a channel, or was: periods are (after this message, up to this one or None)."""

    person: Id
    is_active: bool = True
    color: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
    is_muted: bool = False
    is_pinned: bool = False
    notifications: dict[Notification, bool] = field(default_factory=dict)
    """What is not as in the person's settings."""
    periods: list[tuple[Annotated[int, Field(ge=0, lt=2**53)], int | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel with the people in it."""

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
    """One of the organization's own; its image is the file `emoji/ID`."""

    type: Literal["emoji"] = "emoji"
    id: Id
    name: Annotated[str, Field(pattern=r"^[0-9a-z]([0-9a-z._-]*[0-9a-z])?$", max_length=100)]
    author: Id | None = None
    is_active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """An uploaded file; messages link it as `/user_uploads/PATH`. Its bytes are the file `uploads/ID`."""

    type: Literal["file"] = "file"
    id: Id
    path: Annotated[str, Field(pattern=r"^[^\s\x00-\x1f]+$", max_length=500)]
    name: Text
    content_type: Annotated[str, Field(max_length=200)]
    person: Id
    created: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """A message to be sent at `due`, in a channel or to people; `is_failed`: it could not be."""

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
    """Somebody's reaction; `kind` and `code` say which emoji it is, `name` what they called it."""

    person: Id
    name: Annotated[str, Field(max_length=100)]
    kind: Literal["unicode_emoji", "realm_emoji", "service_extra_emoji"]
    code: Annotated[str, Field(max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What somebody added to a poll or to-do list, JSON; the first one says what it is."""

    person: Id
    kind: Annotated[str, Field(max_length=50)]
    content: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """In a channel (`channel`, `topic`) or direct (`people`, the sender included)."""

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
    """Edits, newest first: `user_id`, `timestamp`, and what was before (`prev_content`, `prev_topic` …)."""
    reactions: list[Reaction] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    flags: dict[str, list[Id]] = field(default_factory=dict)
    """Who starred it, is mentioned in it …, by the API's names of flags."""
    unread: list[Id] = field(default_factory=list)
    """Who has not read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateReaction:
    """A reaction to a message that came before: other formats list them apart."""

    type: Literal["reaction"] = "reaction"
    message: IdOfMessage
    reaction: Reaction


@dataclass(frozen=True, slots=True, kw_only=True)
class LatePart:
    """The same for what was added to a poll or to-do list."""

    type: Literal["part"] = "part"
    message: IdOfMessage
    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Always the last line: how many records of each type come before it, and a digest of their lines."""

    type: Literal["end"] = "end"
    counts: dict[str, Annotated[int, Field(ge=0)]]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Sum:
    """Counts and digest of the lines of a file, as they are written or read."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._digest = hashlib.sha256()

    def add(self, record: "Record", line: bytes) -> None:
        """One more line."""
        self._counts[record.type] += 1
        self._digest.update(line)

    def end(self) -> End:
        """The line that ends a file of what was added so far."""
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
    """One line of the file."""
    return orjson.dumps(asdict(record)) + b"\n"


def from_line(line: bytes, where: str) -> Record:
    """The record of a line; raises StartError that says `where` and what is wrong."""
    try:
        return _RECORD.validate_python(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise StartError(f"{where} is not JSON.") from error
    except ValidationError as error:
        raise StartError(f"{where} is not a valid record: {complaint('it', error)}.") from error
