"""A person's profile: role, status, last seen, local time, custom fields. Pure."""

from collections.abc import Iterator
from datetime import UTC, datetime

from tui.api.model import ProfileValue, User, UserId
from tui.api.organization import CustomProfileField
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.content.sanitize import sanitize_line
from tui.late_imports import import_zoneinfo
from tui.store.store import Store
from tui.view import names, roles
from tui.view.cards import CardPart, Pair
from tui.view.people import status
from tui.view.presence import presence
from tui.view.profile_fields import choices, ids
from tui.view.times import Times, ago

FORMATTED = (1, 2)
"""Types of profile fields with Markdown values: short text and long text."""
CHOICE, PERSON = 3, 6
"""Types of profile fields whose values are references: an option's key, user IDs."""


def profile(store: Store, user: User, times: Times, now: float) -> list[CardPart]:
    """Return the pairs of a card; `now` in UNIX seconds."""
    pairs = [
        ("Status", status(store, user.user_id)),
        ("Here", _here(store, user, now)),
        ("Role", _role(store, user)),
        ("Local time", _local_time(user, times, now)),
        ("Email", sanitize_line(user.delivery_email or "")),
        ("Muted", "muted" if user.user_id in store.muted_users else ""),
        *own_words(store, user),
        ("Joined", _joined(user, times)),
        ("Channels", _shared(store, user.user_id)),
    ]
    return [Pair(label, text) for label, text in pairs if text]


def _here(store: Store, user: User, now: float) -> str:
    if user.is_deleted:
        return "the account was deleted"
    if not user.is_active:
        return "the account is deactivated"
    if user.user_id == store.self_id:
        return "this is you"
    seen = store.presences.by_user.get(user.user_id)
    match presence(store, user.user_id, now):
        case "bot":
            return ""
        case "active":
            return "now"
        case "idle":
            return "connected, not active just now"
        case _ if seen is None:
            return "not seen lately"
        case _:
            last = max(seen.active_timestamp, seen.idle_timestamp)
            return f"seen {ago(now - last)} ago"


def _role(store: Store, user: User) -> str:
    if user.is_bot:
        owner = user.bot_owner_id
        return "bot" if owner is None else f"bot of {names.person(store, owner)}"
    return roles.name(user.role)


def _local_time(user: User, times: Times, now: float) -> str:
    if user.is_bot or not user.timezone:
        return ""
    zoneinfo = import_zoneinfo()
    try:
        zone = zoneinfo.ZoneInfo(user.timezone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return ""
    theirs = Times(zone=zone, twelve_hour=times.twelve_hour)
    return f"{theirs.clock(now)}, {sanitize_line(user.timezone)}"


def own_words(store: Store, user: User) -> Iterator[tuple[str, str]]:
    """Yield the custom profile fields with the person's values, in order; both sanitized."""
    given = user.profile_data or {}
    for field in sorted(store.realm.profile_fields, key=lambda field: field.order):
        value = given.get(field.id)
        if value is not None and value.value:
            yield sanitize_line(field.name), sanitize_line(_value_of(store, field, value))


def _value_of(store: Store, field: CustomProfileField, value: ProfileValue) -> str:
    text = value.value or ""
    if field.type in FORMATTED and value.rendered_value:
        return plain_text(parse(value.rendered_value))
    if field.type not in (CHOICE, PERSON):
        return text
    if field.type == CHOICE:
        return dict(choices(field.field_data)).get(text, text)
    people = ids(text)
    return ", ".join(names.person(store, each) for each in people) if people else text


def _joined(user: User, times: Times) -> str:
    try:
        joined = datetime.fromisoformat(user.date_joined)
    except ValueError:
        return ""
    if joined.tzinfo is None:
        joined = joined.replace(tzinfo=UTC)
    day = times.day(joined.timestamp())
    return f"{day.day} {day:%b %Y}"


def _shared(store: Store, user_id: UserId) -> str:
    """Return the channels that both the user and the person are in."""
    if user_id == store.self_id:
        return ""
    shared = [
        f"#{names.channel(store, each.channel_id)}"
        for each in store.channels.subscriptions()
        if user_id in (each.subscribers or each.partial_subscribers or ())
    ]
    return ", ".join(sorted(shared, key=str.casefold))
