"""The organization's members as lines: role, last seen, email. Pure."""

from __future__ import annotations

from tui.api.model import User
from tui.content.sanitize import sanitize_line
from tui.store import Store
from tui.view import names, roles
from tui.view.presence import presence
from tui.view.times import ago


def with_bots(store: Store) -> list[User]:
    """Return active people by name, then bots by name; without system bots."""
    bots = [
        user
        for user in store.users.by_id.values()
        if user.is_bot and user.is_active and not user.is_system_bot
    ]
    bots.sort(key=lambda bot: bot.full_name.casefold())
    return [*everybody(store, deactivated=False), *bots]


def everybody(store: Store, *, deactivated: bool) -> list[User]:
    """Return people by name, no bots; deactivated accounts last, or not at all."""
    people = [
        user
        for user in store.users.by_id.values()
        if not user.is_bot and (user.is_active or deactivated)
    ]
    return sorted(people, key=lambda user: (not user.is_active, user.full_name.casefold()))


def columns(store: Store, user: User, now: float) -> tuple[str, str, str]:
    """Return role, last seen, and the email address if it is known; `now` in UNIX seconds."""
    address = sanitize_line(user.delivery_email or "")
    return roles.name(user.role), last_seen(store, user, now), address


def last_seen(store: Store, user: User, now: float) -> str:
    """Return when the person was last seen, as far as it is known."""
    if not user.is_active:
        return "deactivated"
    if user.user_id == store.self_id:
        return "this is you"
    if presence(store, user.user_id, now) == "active":
        return "here now"
    seen = store.presences.by_user.get(user.user_id)
    if seen is None:
        return "not seen lately"
    return f"seen {ago(now - max(seen.active_timestamp, seen.idle_timestamp))} ago"


def bots_of(store: Store, user: User) -> list[str]:
    """Return the names of the person's bots."""
    return sorted(
        names.person(store, bot.user_id)
        for bot in store.users.by_id.values()
        if bot.bot_owner_id == user.user_id and bot.is_active
    )


def deactivation(store: Store, user: User) -> str:
    """Return the consequences of deactivating a person's account."""
    name = names.person(store, user.user_id)
    sentence = (
        f"{name} is signed out everywhere and cannot sign in. Their messages are kept,"
        " and the account can be reactivated."
    )
    bots = bots_of(store, user)
    if bots:
        sentence += f" Their bots are deactivated too: {names.listed(bots)}."
    return sentence
