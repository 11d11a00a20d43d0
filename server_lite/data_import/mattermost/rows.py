"""Types of the lines of a bulk export. Types only; fields added by later versions are ignored."""

from typing import Annotated

from pydantic import Field

from server_lite.dataclass import dataclass

Key = Annotated[str, Field(min_length=1, max_length=200)]
Short = Annotated[str, Field(max_length=4000)]
Text = Annotated[str, Field(max_length=400_000)]
Milliseconds = Annotated[int, Field(ge=0, lt=2**50)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A line `team`."""

    name: Key
    display_name: Short = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A line `channel`; its type is O if all team members may join, P if not."""

    team: Key
    name: Key
    display_name: Short = ""
    type: Short = "P"
    purpose: Short = ""
    header: Short = ""
    deleted_at: Milliseconds = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberOf:
    """A channel that a user is a member of."""

    name: Key
    favorite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Teams:
    """A team that a user is a member of."""

    name: Key
    roles: Short | None = ""
    channels: list[MemberOf] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A line `user`."""

    username: Key
    email: Short = ""
    nickname: Short | None = ""
    first_name: Short | None = ""
    last_name: Short | None = ""
    roles: Short | None = ""
    delete_at: Milliseconds | None = 0
    teams: list[Teams] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A line `bot`."""

    username: Key
    owner: Key | None = None
    display_name: Short | None = ""
    delete_at: Milliseconds | None = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """A line `emoji`."""

    name: Key
    image: Short


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A reaction of a user."""

    user: Key
    emoji_name: Short


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file, by its path relative to the lines."""

    path: Short


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A message in a thread."""

    user: Key
    message: Text = ""
    create_at: Milliseconds
    edit_at: Milliseconds | None = 0
    type: Short | None = ""
    reactions: list[Reaction] | None = None
    attachments: list[Attachment] | None = None
    flagged_by: list[Key] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Post(Reply):
    """A line `post`, with its thread."""

    team: Key
    channel: Key
    replies: list[Reply] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectPost(Reply):
    """A line `direct_post`."""

    channel_members: Annotated[list[Key], Field(min_length=1, max_length=1000)]
    replies: list[Reply] | None = None
