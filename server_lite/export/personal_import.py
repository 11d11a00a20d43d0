"""Writes users' personal data from the plain form as rows. Sends no events."""

import zoneinfo
from collections.abc import Mapping
from functools import cache

from pydantic import TypeAdapter, ValidationError

from server_lite.access.mentions import Names
from server_lite.access.profile_fields import checked_value
from server_lite.actions.profile_fields import FORMATTED
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.ids import UserId
from server_lite.markup.render import render
from server_lite.store import (
    alert_words,
    muted_users,
    presence,
    profile_fields,
    saved_snippets,
    scheduled_messages,
    statuses,
    user_topics,
    users,
)
from server_lite.store.database import Tx
from server_lite.store.personal_settings import PERSONAL, Value
from server_lite.store.profile_fields import FieldType, ValueRow
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.statuses import StatusRow
from server_lite.store.users import UserRow

_PEOPLE = TypeAdapter(list[form.Id])


def fits_personal(name: str, value: object) -> bool:
    """Whether the personal setting exists and accepts the value."""
    setting = PERSONAL.get(name)
    if setting is None or value is None:
        return setting is not None and setting.nullable
    is_right = isinstance(value, setting.type) and isinstance(value, bool) == (setting.type is bool)
    return is_right and setting.accepts(value)


def checked_settings(given: Mapping[str, object]) -> dict[str, Value]:
    """Return the personal settings; raises StartError for an unknown one, or an invalid value."""
    for name, value in given.items():
        if not fits_personal(name, value):
            raise StartError(f"the personal setting {name} is unknown, or its value is invalid")
    return {name: value for name, value in given.items() if isinstance(value, Value)}


def checked_timezone(name: str) -> str:
    """Return the time zone; '' if it is unknown here."""
    return name if name and name in _timezones() else ""


@cache
def _timezones() -> frozenset[str]:
    """Return the known time zones; cached, because finding them opens some hundred files."""
    return frozenset(zoneinfo.available_timezones())


def import_personal_data(tx: Tx, record: form.Person) -> None:
    """Store status, presence, profile, alert words, muted users and topics, and snippets of a new user."""
    user = users.by_id(tx, UserId(record.id))
    assert user is not None
    if record.status is not None:
        status = record.status
        statuses.store(tx, StatusRow(user.id, status.text, status.emoji, status.code, status.kind))
    if record.connected is not None:
        presence.store(tx, user.id, record.active, record.connected)
    for number, value in record.profile.items():
        _say(tx, user, number, value)
    alert_words.insert(tx, user.id, record.alert_words)
    for muted, at in record.muted:
        muted_users.insert(tx, user.id, UserId(muted), at)
    for snippet in record.snippets:
        saved_snippets.insert(tx, user.id, snippet.title, snippet.content, snippet.created)
    for topic in record.topics:
        user_topics.store(tx, user.id, topic.channel, topic.topic, topic.policy, topic.updated)


def _say(tx: Tx, user: UserRow, number: str, value: str) -> None:
    field = profile_fields.by_id(tx, int(number)) if number.isascii() and number.isdigit() else None
    if field is None:
        raise StartError(f"unknown profile field {number}")
    if field.type == FieldType.USER:  # the users may come later
        try:
            value = _PEOPLE.dump_json(_PEOPLE.validate_json(value, strict=True)).decode()
        except ValidationError as error:
            raise StartError(f"{field.name} is not a list of user IDs") from error
    else:
        value = checked_value(tx, field, value)
    rendered = render(value, Names(tx, user)).html if field.type in FORMATTED else None
    profile_fields.set_value(tx, ValueRow(user.id, field.id, value, rendered))


def import_scheduled(tx: Tx, record: form.Scheduled) -> None:
    """Store a scheduled message."""
    sender = users.by_id(tx, UserId(record.sender))
    if sender is None:
        raise StartError(f"unknown sender {record.sender}")
    scheduled_messages.insert(
        tx,
        ScheduledRow(
            id=0,
            user_id=sender.id,
            channel_id=record.channel,
            people=[UserId(person) for person in record.people],
            topic=record.topic,
            content=record.content,
            rendered=render(record.content, Names(tx, sender)).html,
            due=record.due,
            read_by_sender=None,
            client=record.client,
            failed=record.is_failed,
            target_id=None,
        ),
    )
