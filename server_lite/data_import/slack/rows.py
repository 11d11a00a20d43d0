"""Types of the files of an export. Types only; fields added by later versions are ignored."""

from dataclasses import field
from typing import Annotated

from pydantic import Field

from server_lite.dataclass import dataclass

Key = Annotated[str, Field(min_length=1, max_length=100)]
Short = Annotated[str, Field(max_length=4000)]
Text = Annotated[str, Field(max_length=400_000)]
Time = Annotated[float, Field(ge=0, lt=2**40, allow_inf_nan=False)]
Stamp = Annotated[str, Field(pattern=r"^[0-9]{1,12}(\.[0-9]{1,9})?$")]
"""Seconds with fraction; unique within a channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A user's profile."""

    email: Short | None = None
    real_name: Short | None = None
    bot_id: Key | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """users.json."""

    id: Key
    name: Short | None = None
    real_name: Short | None = None
    deleted: bool | None = False
    tz: Short | None = None
    is_bot: bool | None = False
    is_admin: bool | None = False
    is_owner: bool | None = False
    is_primary_owner: bool | None = False
    is_restricted: bool | None = False
    is_ultra_restricted: bool | None = False
    profile: Profile = field(default_factory=Profile)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextValue:
    """The topic or purpose of a channel."""

    value: Short | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackConversation:
    """channels.json, groups.json, mpims.json, dms.json."""

    id: Key
    name: Annotated[str, Field(max_length=200)] | None = None
    created: Time | None = None
    creator: Key | None = None
    is_archived: bool | None = False
    is_general: bool | None = False
    members: list[Key] | None = None
    purpose: TextValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """An emoji, with the users who reacted."""

    name: Short
    users: list[Key] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of a message; its bytes are rarely in the export."""

    id: Key | None = None
    name: Short | None = None
    title: Short | None = None
    mimetype: Short | None = None
    mode: Short | None = None
    url_private: Short | None = None
    permalink: Short | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """The last edit of a message."""

    ts: Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The bot or user behind a message, as the message contains it."""

    name: Short | None = None
    real_name: Short | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """The comment of `file_comment`."""

    user: Key | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An element of a day's file."""

    ts: Stamp
    subtype: Short | None = None
    user: Key | None = None
    bot_id: Key | None = None
    username: Short | None = None
    text: Text | None = None
    thread_ts: Stamp | None = None
    reactions: list[Reaction] | None = None
    files: list[File] | None = None
    edited: Edited | None = None
    bot_profile: Named | None = None
    user_profile: Named | None = None
    comment: Comment | None = None
