"""Sends typing notifications. Stores nothing; respects users' settings and checks no other permissions."""

from collections.abc import Collection, Sequence
from typing import Final

from server_lite.access.users import ids_who_cannot_access
from server_lite.errors import ApiError
from server_lite.events.messages import Typing, TypingEdit
from server_lite.ids import ChannelId, UserId
from server_lite.objects.users import api_email
from server_lite.store import conversations, realm, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow

CROWD: Final = 100
"""No typing notifications in channels with more subscribers: they would be noise."""


def in_direct(tx: Tx, user: UserRow, people: Sequence[UserRow], *, started: bool) -> None:
    """Notify the participants, the user among them, of starting or stopping to type."""
    _check(user, "send_private_typing_notifications", "direct messages")
    domain = realm.domain(tx)
    everyone = {person.id: person for person in (*people, user)}
    people_objects = {
        user_id: {"user_id": user_id, "email": api_email(everyone[user_id], domain)}
        for user_id in sorted(everyone)
    }
    event = Typing(
        started=started, sender=people_objects[user.id], recipients=list(people_objects.values())
    )
    user_ids = frozenset(_willing(everyone.values()))
    for person in everyone.values():  # before the first message, not all may see each other
        user_ids -= ids_who_cannot_access(tx, person, user_ids)
    tx.emit(event, to=user_ids)


def in_channel(tx: Tx, user: UserRow, channel: ChannelRow, topic: str, *, started: bool) -> None:
    """Notify subscribers of starting or stopping to type in a topic."""
    _check(user, "send_stream_typing_notifications", "channel messages")
    sender = {"user_id": user.id, "email": api_email(user, realm.domain(tx))}
    event = Typing(
        started=started, sender=sender, recipients=[], channel_id=channel.id, topic=topic
    )
    user_ids = frozenset(_subscribers(tx, channel.id))
    tx.emit(event, to=user_ids - ids_who_cannot_access(tx, user, user_ids))


def of_edit(tx: Tx, user: UserRow, row: MessageRow, *, started: bool) -> None:
    """Notify readers of starting or stopping to edit a message."""
    people: list[UserId] = []
    if row.conversation_id is not None:
        _check(user, "send_private_typing_notifications", "direct messages")
        people = list(conversations.by_ids(tx, [row.conversation_id])[row.conversation_id].members)
        user_ids = _willing(users.by_ids(tx, people))
    else:
        assert row.channel_id is not None
        _check(user, "send_stream_typing_notifications", "channel messages")
        user_ids = _subscribers(tx, row.channel_id)
    event = TypingEdit(
        started=started,
        sender_id=user.id,
        message_id=row.id,
        channel_id=row.channel_id,
        topic=row.topic,
        user_ids=people,
    )
    tx.emit(event, to=user_ids)


def _check(user: UserRow, name: str, where: str) -> None:
    if not setting(user, name):
        raise ApiError(f"User has disabled typing notifications for {where}")


def _subscribers(db: Db, channel_id: ChannelId) -> list[UserId]:
    ids = subscriptions.subscriber_ids(db, channel_id)
    return [] if len(ids) > CROWD else _willing(users.by_ids(db, ids))


def _willing(people: Collection[UserRow]) -> list[UserId]:
    """Return IDs of active users who receive typing notifications."""
    return [
        person.id
        for person in people
        if person.is_active and setting(person, "receives_typing_notifications")
    ]
