"""The user's own settings, name, email address and password. Thin."""

import zoneinfo
from collections.abc import Mapping
from typing import Annotated

from server_lite.access.accounts import (
    check_address,
    check_name,
    check_password,
    check_unique_name,
)
from server_lite.access.roles import check_admin
from server_lite.access.users import check_person, is_restricted
from server_lite.actions import realm as realm_actions
from server_lite.actions import users as user_actions
from server_lite.actions.credentials import hash_off_loop
from server_lite.actions.settings import set_personal, set_timezone
from server_lite.api.answers import Done
from server_lite.api.params import Fields, RequestInfo
from server_lite.context import Context
from server_lite.endpoints.password_check import user_with_password
from server_lite.errors import ApiError, BadParameter
from server_lite.store import failed_sign_ins, realm, users
from server_lite.store.database import Tx
from server_lite.store.personal_settings import NO_ORGANIZATION_DEFAULT, PERSONAL, Value, hints
from server_lite.store.users import UserRow

Personal = Annotated[dict[str, Value], Fields(hints(PERSONAL))]
Defaults = Annotated[
    dict[str, Value],
    Fields(hints({n: e for n, e in PERSONAL.items() if n not in NO_ORGANIZATION_DEFAULT})),
]

OLD_VALUES: Mapping[tuple[str, Value], str] = {("web_home_view", "recent_topics"): "recent"}
"""Values that were renamed with level 454: (setting, old value) -> new value."""


async def update(
    context: Context,
    user: UserRow,
    *,
    full_name: str | None = None,
    email: str | None = None,
    old_password: str | None = None,
    new_password: str | None = None,
    timezone: str | None = None,
    settings: Personal,
    request: RequestInfo,
) -> Done:
    """Update the user's account and settings; either all given values change or none."""
    check_person(user)
    values = checked(settings)
    if timezone is not None:
        check_timezone(timezone)
    hashed = await _new_password(context, user, request, old_password, new_password)

    def run(tx: Tx) -> None:
        person = users.by_id(tx, user.id)
        assert person is not None
        person = _account(tx, person, full_name, email)
        if hashed is not None:
            user_actions.set_password(tx, person, hashed)
        if timezone is not None:
            person = set_timezone(tx, person, timezone)
        set_personal(tx, person, values)

    await context.write(run)
    return {}


def checked(given: dict[str, Value]) -> dict[str, Value]:
    """Return the values; raises ApiError for a value its setting does not allow."""
    values: dict[str, Value] = {}
    for name, value in given.items():
        entry = PERSONAL[name]
        if value is not None and not entry.accepts(value):
            raise BadParameter(f"Invalid {name}")
        values[name] = OLD_VALUES.get((name, value), value)
    return values


def check_timezone(name: str) -> None:
    """Raise unless the name is an IANA time zone, or empty."""
    if name and name not in zoneinfo.available_timezones():
        raise BadParameter("Invalid timezone")


async def _new_password(
    context: Context, user: UserRow, request: RequestInfo, old: str | None, new: str | None
) -> str | None:
    """Return the hash of the new password; attempts at the old one count as attempts to sign in."""
    if new is None:
        return None
    check_password(new, dev=context.settings.dev)
    if await user_with_password(context, request, user.email, old or "") is None:
        raise ApiError("Wrong password!")
    await context.write(lambda tx: failed_sign_ins.forget(tx, request.address, user.email))
    return await hash_off_loop(context.settings.passwords, new)


def _account(tx: Tx, user: UserRow, full_name: str | None, email: str | None) -> UserRow:
    if full_name is not None and full_name.strip() != user.full_name:
        if realm.setting(tx, "name_changes_disabled") and not user.is_admin:
            raise ApiError("Name changes are disabled in this organization.")
        name = check_name(full_name)
        check_unique_name(tx, name, user.id)
        user = user_actions.rename(tx, user, name)
    if email is not None and email.strip() != user.email:
        if realm.setting(tx, "email_changes_disabled") and not user.is_admin:
            raise ApiError("Email address changes are disabled in this organization.")
        if is_restricted(tx, user):  # refusing a used address would reveal who has it
            raise ApiError("Guests cannot change their email address in this organization.")
        user = user_actions.set_email(tx, user, check_address(tx, email, except_id=user.id))
    return user


def update_defaults(tx: Tx, user: UserRow, *, settings: Defaults) -> Done:
    """Change the default settings of new users; administrators only."""
    check_admin(user)
    realm_actions.set_personal_defaults(tx, checked(settings))
    return {}
