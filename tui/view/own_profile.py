"""The user's own profile as lines: name, email, role, picture, and more. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import available_timezones

from tui.content.sanitize import sanitize_line
from tui.store import Store
from tui.view import names, roles
from tui.view.permissions import is_administrator
from tui.view.profile import own_words


def lines(store: Store) -> Iterator[tuple[str, str]]:
    """Yield labels and values; "—" for an empty value."""
    me = store.users.by_id[store.self_id]
    yield "Name", names.person(store, store.self_id)
    yield "Email", sanitize_line(me.delivery_email or me.email)
    yield "Role", roles.name(me.role)
    yield "Picture", "uploaded" if has_picture(store) else "generated"
    yield "Time zone", sanitize_line(store.settings.timezone) or "—"
    texts = dict(own_words(store, me))
    for field in sorted(store.realm.profile_fields, key=lambda field: field.order):
        name = sanitize_line(field.name)
        yield name, texts.get(name) or ("— (required)" if field.required else "—")


def has_picture(store: Store) -> bool:
    """Whether the user has uploaded a picture."""
    return "/user_avatars/" in (store.users.by_id[store.self_id].avatar_url or "")


def zones(now: str) -> list[str]:
    """Return the time zones to choose from, the current one, `now`, first; "" for none."""
    return list(dict.fromkeys([now, "", *sorted(available_timezones())]))


def may_rename(store: Store) -> bool:
    """Whether the user may change their own name."""
    return is_administrator(store) or not store.realm.settings.name_changes_disabled


def may_change_picture(store: Store) -> bool:
    """Whether the user may change their own picture."""
    return is_administrator(store) or not store.realm.settings.avatar_changes_disabled
