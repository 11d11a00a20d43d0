"""Changes users' personal settings and sends the events. Checks no permissions: callers did."""

from collections.abc import Mapping
from dataclasses import replace

from server_lite.access.users import ids_who_can_access, split_by_address
from server_lite.actions import drafts, presence, statuses
from server_lite.events.personal import PersonalSettingChanged
from server_lite.events.users import ExportConsentChanged, UserUpdated
from server_lite.objects.users import api_email
from server_lite.store import realm, users
from server_lite.store.database import Tx
from server_lite.store.personal_settings import PERSONAL, Value, setting
from server_lite.store.users import Role, UserRow


def set_personal(
    tx: Tx, user: UserRow, changes: Mapping[str, Value], *, tell_away: bool = True
) -> UserRow:
    """Change personal settings; the user's clients get an event for each changed one.

    A caller that itself sends the status with `away` passes `tell_away=False`.
    """
    new = {name: value for name, value in changes.items() if setting(user, name) != value}
    if not new:
        return user
    kept = {
        name: value
        for name, value in {**user.settings, **new}.items()
        if PERSONAL[name].default != value
    }
    users.set_settings(tx, user.id, kept)
    after = replace(user, settings=kept)
    for name, value in new.items():
        tx.emit(PersonalSettingChanged(property=name, value=value), to=[user.id])
    if "presence_enabled" in new:
        (presence.show if setting(after, "presence_enabled") else presence.hide)(tx, after)
        if tell_away:
            statuses.emit_status(tx, after, {"away": not setting(after, "presence_enabled")})
    if new.get("enable_drafts_synchronization"):
        drafts.show_again(tx, after)
    if "allow_private_data_export" in new:
        consented = setting(after, "allow_private_data_export")
        admins = users.active_ids_up_to(tx, Role.ADMINISTRATOR)
        tx.emit(ExportConsentChanged(user_id=user.id, consented=consented), to=admins)
    if "email_address_visibility" in new:
        emit_address(tx, user, after)
    return after


def set_timezone(tx: Tx, user: UserRow, timezone: str) -> UserRow:
    """Change the user's time zone, an IANA name."""
    if timezone == user.timezone:
        return user
    users.set_value(tx, user.id, "timezone", timezone)
    tx.emit(PersonalSettingChanged(property="timezone", value=timezone), to=[user.id])
    person = {"user_id": user.id, "timezone": timezone}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, user))
    return replace(user, timezone=timezone)


def emit_address(tx: Tx, before: UserRow, after: UserRow) -> None:
    """After an address or its visibility changed, send each viewer the address they may see now."""
    domain = realm.domain(tx)
    viewers = ids_who_can_access(tx, after)
    address_for_clients = api_email(after, domain)
    if address_for_clients != api_email(before, domain):
        person = {"user_id": after.id, "new_email": address_for_clients}
        tx.emit(UserUpdated(person=person), to=viewers)
    saw, sees = (split_by_address(tx, user, viewers)[0] for user in (before, after))
    shown = sees if before.email != after.email else sees - saw
    for address, ids in ((after.email, shown), (None, saw - sees)):
        tx.emit(UserUpdated(person={"user_id": after.id, "delivery_email": address}), to=ids)
