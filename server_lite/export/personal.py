"""Users' personal data, as fields and records of the plain form. Reads only."""

from collections.abc import Collection, Iterator
from typing import Any, Final

from server_lite.export import format as form
from server_lite.store import (
    alert_words,
    muted_users,
    presence,
    profile_fields,
    saved_snippets,
    scheduled_messages,
    statuses,
    user_topics,
)
from server_lite.store.connection import Db
from server_lite.store.subscriptions import SubscriptionRow
from server_lite.store.users import UserRow

NOTIFICATIONS: Final[dict[form.Notification, str]] = {
    "desktop": "desktop_notifications",
    "audible": "audible_notifications",
    "push": "push_notifications",
    "email": "email_notifications",
    "wildcard_mentions": "wildcard_mentions_notify",
}
"""Name in the form -> column of a subscription."""


def personal_data(
    db: Db, user: UserRow, *, people: Collection[int], channels: Collection[int], whole: bool
) -> dict[str, Any]:
    """Return a Person's personal fields, limited to references to these users and channels.

    Values of profile fields depend on the fields, so they are exported only with the `whole` organization.
    """
    status, seen = statuses.of(db, user.id), presence.of(db, user.id)
    own_status = form.Status(
        text=status.status_text,
        emoji=status.emoji_name,
        kind=status.reaction_type,  # type: ignore[arg-type]  # the names are those of the form
        code=status.emoji_code,
    )
    return {
        "settings": dict(user.settings),
        "status": None if own_status == form.Status() else own_status,
        "active": None if seen is None else seen.last_active,
        "connected": None if seen is None else seen.last_connected,
        "profile": {
            str(value.field_id): value.value
            for value in (profile_fields.values(db, user.id) if whole else ())
        },
        "alert_words": alert_words.of(db, user.id),
        "muted": [
            (muted, float(at)) for muted, at in muted_users.of(db, user.id) if muted in people
        ],
        "snippets": [
            form.Snippet(title=one.title, content=one.content, created=one.date_created)
            for one in saved_snippets.of_user(db, user.id)
        ],
        "topics": [
            form.TopicPolicy(
                channel=one.channel_id,
                topic=one.name,
                policy=one.policy,  # type: ignore[arg-type]  # the numbers are those of the form
                updated=one.last_updated,
            )
            for one in user_topics.of_user(db, user.id)
            if one.channel_id in channels
        ],
    }


def notifications(row: SubscriptionRow) -> dict[form.Notification, bool]:
    """Return the settings that differ from the user's."""
    values = {name: getattr(row, column) for name, column in NOTIFICATIONS.items()}
    return {name: value for name, value in values.items() if value is not None}


def scheduled_records(
    db: Db, people: Collection[UserRow], channels: Collection[int]
) -> Iterator[form.Scheduled]:
    """Yield scheduled messages of these users, direct or to these channels."""
    for user in people:
        for one in scheduled_messages.of_user(db, user.id, reminders=False):
            if one.channel_id is not None and one.channel_id not in channels:
                continue
            yield form.Scheduled(
                sender=one.user_id,
                channel=one.channel_id,
                topic=one.topic,
                people=list(one.people),
                content=one.content,
                due=one.due,
                client=one.client,
                is_failed=one.failed,
            )
