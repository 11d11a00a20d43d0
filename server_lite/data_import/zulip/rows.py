"""Types of the tables, limited to the columns that are read. Types only; later columns are ignored."""

from typing import Annotated, Literal

from pydantic import Field

from server_lite.dataclass import dataclass

Id = Annotated[int, Field(ge=0, lt=2**53)]
Positive = Annotated[int, Field(gt=0, lt=2**53)]
Time = Annotated[float, Field(ge=0, lt=2**40, allow_inf_nan=False)]
Text = Annotated[str, Field(max_length=100_000)]
Short = Annotated[str, Field(max_length=1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemBot:
    """zerver_userprofile_crossrealm: a server's own bot."""

    id: Id
    recipient_id: Id | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """zerver_userprofile; its settings are read from the row itself."""

    id: Id
    delivery_email: Short = ""
    email: Short
    full_name: Short
    date_joined: Time
    is_active: bool
    role: Literal[100, 200, 300, 400, 600] = 400
    is_bot: bool = False
    bot_type: Literal[1, 2, 3, 4] | None = None
    bot_owner: Id | None = None
    is_mirror_dummy: bool = False
    long_term_idle: bool = False
    timezone: Short = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """zerver_userpresence, since version 7."""

    user_profile: Id
    last_connected_time: Time | None = None
    last_active_time: Time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """zerver_userstatus."""

    user_profile: Id
    status_text: Short = ""
    emoji_name: Short = ""
    emoji_code: Short = ""
    reaction_type: Short = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertWord:
    """zerver_alertword."""

    user_profile: Id
    word: Short


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedUser:
    """zerver_muteduser."""

    user_profile: Id
    muted_user: Id
    date_muted: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTopic:
    """zerver_usertopic."""

    user_profile: Id
    stream: Id
    topic_name: Short
    last_updated: Time
    visibility_policy: Annotated[int, Field(ge=0, le=3)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """zerver_savedsnippet."""

    user_profile: Id
    title: Short
    content: Text
    date_created: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """zerver_customprofilefield."""

    id: Positive
    name: Short
    hint: Short | None = ""
    order: int = 0
    field_type: Annotated[int, Field(ge=1, le=8)]
    field_data: Text | None = ""
    display_in_profile_summary: bool = False
    required: bool = False
    editable_by_user: bool = True
    use_for_user_matching: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValue:
    """zerver_customprofilefieldvalue."""

    user_profile: Id
    field: Id
    value: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """zerver_realmdomain."""

    domain: Short
    allow_subdomains: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkifier:
    """zerver_realmfilter."""

    pattern: Text
    url_template: Text = ""
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """zerver_realmplayground."""

    name: Short
    pygments_language: Short
    url_template: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """zerver_usergroup, which has names up to version 8 or 9."""

    id: Id
    name: Short | None = None
    description: Text = ""
    is_system_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedGroup:
    """zerver_namedusergroup, since version 9."""

    usergroup_ptr: Id
    name: Short
    description: Text = ""
    is_system_group: bool = False
    deactivated: bool = False
    date_created: Time | None = None
    creator: Id | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    """zerver_usergroupmembership."""

    user_group: Id
    user_profile: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupInGroup:
    """zerver_groupgroupmembership."""

    supergroup: Id
    subgroup: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """zerver_channelfolder."""

    id: Positive
    name: Short
    description: Text = ""
    order: int = 0
    date_created: Time
    creator: Id | None = None
    is_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """zerver_stream; its permissions are read from the row itself."""

    id: Positive
    name: Short
    description: Text = ""
    date_created: Time
    deactivated: bool = False
    invite_only: bool | None = False
    history_public_to_subscribers: bool = True
    is_web_public: bool = False
    message_retention_days: Annotated[int, Field(ge=-1, lt=2**31)] | None = None
    stream_post_policy: int = 1
    topics_policy: int = 1
    creator: Id | None = None
    folder: Positive | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultStream:
    """zerver_defaultstream."""

    stream: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """zerver_recipient: 1 a user, 2 a channel, 3 a group conversation."""

    id: Id
    type: Annotated[int, Field(ge=1, le=3)]
    type_id: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """zerver_subscription."""

    user_profile: Id
    recipient: Id
    active: bool = True
    is_muted: bool | None = False
    color: Short = "#c2c2c2"
    pin_to_top: bool = False
    desktop_notifications: bool | None = None
    audible_notifications: bool | None = None
    push_notifications: bool | None = None
    email_notifications: bool | None = None
    wildcard_mentions_notify: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """zerver_realmemoji."""

    id: Positive
    name: Short
    author: Id | None = None
    file_name: Short | None = None
    deactivated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An entry of a list of files."""

    id: Positive
    file_name: Short
    path_id: Short
    owner: Id
    create_time: Time


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """A record of a list of files."""

    path: Short
    s3_path: Short = ""
    user_profile_id: Id | None = None
    file_name: Short | None = None
    content_type: Short | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """zerver_client."""

    id: Id
    name: Short


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """zerver_scheduledmessage."""

    sender: Id
    recipient: Id
    subject: Short = ""
    content: Text
    sending_client: Id
    scheduled_timestamp: Time
    delivered: bool = False
    failed: bool = False
    delivery_type: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """zerver_message."""

    id: Positive
    sender: Id
    recipient: Id
    subject: Short
    content: Text
    date_sent: Time
    sending_client: Id
    last_edit_time: Time | None = None
    edit_history: Annotated[str, Field(max_length=8_000_000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """An edit in `edit_history`."""

    user_id: Id | None = None
    timestamp: Annotated[int, Field(ge=0, lt=2**40)]
    prev_content: Text | None = None
    prev_topic: Short | None = None
    prev_subject: Short | None = None
    """The name of `prev_topic` up to version 5."""
    topic: Short | None = None
    prev_stream: Positive | None = None
    stream: Positive | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """zerver_reaction."""

    message: Positive
    user_profile: Id
    emoji_name: Short
    emoji_code: Short
    reaction_type: Short


@dataclass(frozen=True, slots=True, kw_only=True)
class Submessage:
    """zerver_submessage."""

    message: Positive
    sender: Id
    msg_type: Short = "widget"
    content: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Realm:
    """zerver_realm; its settings are read from the row itself."""

    id: Id
    name: Short = ""
