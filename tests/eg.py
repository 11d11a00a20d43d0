"""Example data: every wire type with defaults, so that a test names only the fields it is about.

`eg.make(Type, field=…)` works for all of them; the named functions have consistent defaults
(a sender exists, a direct message has its participants). No I/O. Omitted IDs are new.
"""

import itertools
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

from tui.api.events import BaseEvent, MessageEvent
from tui.api.fields import bare, members, wire_fields
from tui.api.model import (
    Channel,
    ChannelId,
    Draft,
    DraftId,
    EventId,
    Message,
    MessageId,
    Participant,
    Reaction,
    Role,
    Subscription,
    UnreadMessages,
    User,
    UserGroup,
    UserGroupId,
    UserId,
    UserTopic,
)
from tui.api.snapshot import InitialSnapshot, RealmSettings, ServerLimits, UserSettings

T = TypeVar("T")
E = TypeVar("E", bound=BaseEvent)

NOW = 1_750_000_000
"""The time of all examples, UNIX seconds: 15 June 2025, 15:06:40 UTC."""

_ids = itertools.count(1000)


def make(kind: type[T], **fields: Any) -> T:
    """Return a wire type with the meaning of absent fields; IDs are new, the rest is empty."""
    given = {
        field.name: field.absent.value if field.absent else _example(field.name, field.type)
        for field in wire_fields(kind)
        if field.name not in fields
    }
    return kind(**given, **fields)


def _example(name: str, hint: object) -> object:
    hint = bare(hint)
    origin = typing.get_origin(hint)
    if is_dataclass(hint):
        return make(typing.cast("type", hint))
    if origin in (tuple, frozenset):
        return origin()
    if origin is Mapping:
        return {}
    if origin is typing.Literal:
        return typing.get_args(hint)[0]
    if hint is int and (name == "id" or name.endswith("_id")):
        return next(_ids)
    if hint in (int, float):
        return NOW
    return typing.cast("type", members(hint)[0])() if members(hint) != (hint,) else _scalar(hint)


def _scalar(hint: object) -> object:
    return {bool: False, str: ""}.get(typing.cast("type", hint))


def user(user_id: int | None = None, full_name: str | None = None, **fields: Any) -> User:
    """Return an active member, with name and addresses derived from the ID."""
    uid = next(_ids) if user_id is None else user_id
    return make(
        User,
        **{
            "user_id": UserId(uid),
            "full_name": full_name or f"User {uid}",
            "email": f"user{uid}@example.com",
            "delivery_email": f"user{uid}@example.com",
            "date_joined": "2025-01-01T00:00:00+00:00",
            "role": Role.MEMBER,
            "timezone": "Europe/Berlin",
            "avatar_version": 1,
            "profile_data": {},
            **fields,
        },
    )


ME = user(1, "Iris Self")
"""The signed-in user, also in `snapshot()`."""
MARY = user(2, "Mary Member")
MOE = user(3, "Moe Member")
BOT = user(4, "Robot", is_bot=True, bot_type=1, bot_owner_id=UserId(1), profile_data=None)


def channel(channel_id: int | None = None, name: str | None = None, **fields: Any) -> Channel:
    """Return a public channel in which all users may post."""
    return make(
        Channel, **{**_channel_fields(channel_id, name, fields.get("description")), **fields}
    )


def subscription(
    channel_id: int | None = None, name: str | None = None, **fields: Any
) -> Subscription:
    """Return a public channel that the user is subscribed to, with default settings."""
    own = {"color": "#76ce90", "subscribers": frozenset({ME.user_id})}
    return make(
        Subscription,
        **{**_channel_fields(channel_id, name, fields.get("description")), **own, **fields},
    )


def _channel_fields(
    channel_id: int | None, name: str | None, description: str | None
) -> dict[str, Any]:
    cid = next(_ids) if channel_id is None else channel_id
    name = name or f"channel {cid}"
    return {
        "channel_id": ChannelId(cid),
        "name": name,
        "description": (about := f"About {name}" if description is None else description),
        "rendered_description": f"<p>{about}</p>",
        "date_created": NOW - 86_400,
    }


def message(
    message_id: int | None = None,
    *,
    sender: User = MARY,
    channel: Channel | None = None,
    channel_id: int | None = None,
    topic: str = "greetings",
    content: str = "<p>hello</p>",
    **fields: Any,
) -> Message:
    """Return a message in a channel (`channel`, or only its ID; else channel 9, "general")."""
    cid = channel.channel_id if channel else ChannelId(9 if channel_id is None else channel_id)
    return _message(
        message_id,
        sender,
        content,
        {
            "type": "stream",
            "channel_id": cid,
            "display_recipient": channel.name if channel else "general",
            "topic": topic,
            **fields,
        },
    )


def dm(
    message_id: int | None = None,
    *,
    sender: User = MARY,
    to: Iterable[User] = (ME,),
    content: str = "<p>hello</p>",
    **fields: Any,
) -> Message:
    """Return a direct message; the sender is added to the participants in `to`."""
    people = {person.user_id: person for person in (sender, *to)}
    recipients = tuple(
        Participant(id=person.user_id, email=person.email, full_name=person.full_name)
        for person in people.values()
    )
    return _message(
        message_id,
        sender,
        content,
        {"type": "private", "display_recipient": recipients, "topic": "", **fields},
    )


def _message(
    message_id: int | None, sender: User, content: str, fields: Mapping[str, Any]
) -> Message:
    return make(
        Message,
        **{
            "id": MessageId(next(_ids) if message_id is None else message_id),
            "sender_id": sender.user_id,
            "sender_full_name": sender.full_name,
            "sender_email": sender.email,
            "content": content,
            "content_type": "text/html",
            "timestamp": NOW,
            "client": "Chinwag",
            **fields,
        },
    )


def reaction(user: User = MARY, **fields: Any) -> Reaction:
    """Return a thumbs-up reaction."""
    return make(
        Reaction,
        **{
            "emoji_name": "+1",
            "emoji_code": "1f44d",
            "reaction_type": "unicode_emoji",
            "user_id": user.user_id,
            **fields,
        },
    )


def draft(draft_id: int | None = None, **fields: Any) -> Draft:
    """Return a draft to a topic of channel 9."""
    return make(
        Draft,
        **{
            "id": DraftId(next(_ids) if draft_id is None else draft_id),
            "type": "stream",
            "to": (9,),
            "topic": "greetings",
            "content": "hel",
            **fields,
        },
    )


def user_group(group_id: int | None = None, name: str | None = None, **fields: Any) -> UserGroup:
    """Return an empty custom user group."""
    gid = next(_ids) if group_id is None else group_id
    return make(UserGroup, **{"id": UserGroupId(gid), "name": name or f"group {gid}", **fields})


def user_topic(channel_id: int = 9, topic: str = "greetings", **fields: Any) -> UserTopic:
    """Return a muted topic."""
    return make(
        UserTopic,
        **{"channel_id": ChannelId(channel_id), "topic": topic, "visibility_policy": 1, **fields},
    )


def unread_messages(**fields: Any) -> UnreadMessages:
    """Return a state without unread messages."""
    return make(UnreadMessages, **{"count": 0, **fields})


def realm_settings(**fields: Any) -> RealmSettings:
    """Return an organization's default settings."""
    return make(RealmSettings, **{"name": "Example", "url": "https://chat.example.com", **fields})


def user_settings(**fields: Any) -> UserSettings:
    """Return a new user's settings."""
    return make(UserSettings, **fields)


def server_limits(**fields: Any) -> ServerLimits:
    """Return a server's default limits."""
    return make(ServerLimits, **fields)


def snapshot(
    *, users: Sequence[User] = (ME, MARY, MOE), channels: Sequence[Channel] = (), **fields: Any
) -> InitialSnapshot:
    """Return the answer of /register for `ME`; the subscriptions among `channels` are subscribed to."""
    return make(
        InitialSnapshot,
        **{
            "queue_id": "queue-1",
            "last_event_id": EventId(-1),
            "feature_level": 496,
            "version": "12.0",
            "user_id": ME.user_id,
            "users": tuple(users),
            "subscriptions": tuple(c for c in channels if isinstance(c, Subscription)),
            "never_subscribed": tuple(c for c in channels if not isinstance(c, Subscription)),
            "server_timestamp": float(NOW),
            "unread_messages": unread_messages(),
            "user_settings": user_settings(),
            "realm": realm_settings(),
            "limits": server_limits(),
            **fields,
        },
    )


def event(kind: type[E], event_id: int = 1, **fields: Any) -> E:
    """Return any event: `eg.event(ReactionAddEvent, message_id=…)`."""
    return make(kind, **{"id": EventId(event_id), **fields})


def message_event(message: Message, event_id: int = 1, **fields: Any) -> MessageEvent:
    """Return the event of a new message."""
    return event(MessageEvent, event_id, message=message, **fields)


def with_flags(message: Message, *flags: str) -> Message:
    """Return the message with exactly these flags."""
    return replace(message, flags=frozenset(flags))
