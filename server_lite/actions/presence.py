"""Records presence. Checks no permissions: users report their own."""

from dataclasses import replace

from server_lite.access.users import ids_who_can_access
from server_lite.events.users import PresenceChanged
from server_lite.objects import presence as objects
from server_lite.objects.users import api_email, hidden_email
from server_lite.store import presence, realm, users
from server_lite.store.database import Tx
from server_lite.store.presence import OFFLINE_AFTER, PresenceRow
from server_lite.store.users import UserRow


def report(tx: Tx, user: UserRow, *, active: bool, new_input: bool) -> None:
    """Record that a client is open, and its user at the keyboard if `active`.

    An event goes out only when a user comes online for the first time or again; clients learn the rest by
    polling.
    """
    before = presence.of(tx, user.id)
    last_active = before.last_active if before is not None else None
    was_online = last_active is not None and tx.now - last_active <= OFFLINE_AFTER
    if active or new_input:
        last_active = tx.now
    row = presence.store(tx, user.id, last_active, tx.now)
    if before is None or (active and not was_online):
        _tell(tx, user, row)


def hide(tx: Tx, user: UserRow) -> None:
    """Make the user appear offline, when presence is switched off."""
    row = presence.store(tx, user.id, None, tx.now - OFFLINE_AFTER - 1)
    _tell(tx, user, row)


def show(tx: Tx, user: UserRow) -> None:
    """Make the user appear online again."""
    row = presence.store(tx, user.id, tx.now, tx.now)
    _tell(tx, user, row)


def _tell(tx: Tx, user: UserRow, row: PresenceRow) -> None:
    domain = realm.domain(tx)
    event = PresenceChanged(
        user_id=user.id,
        email=api_email(user, domain),
        server_timestamp=tx.now,
        modern=objects.modern(row, user),
        website=objects.website(row),
    )
    user_ids = ids_who_can_access(tx, user)
    tx.emit(event, to=user_ids)
    if not presence.is_limited(tx):
        unnamed = replace(event, email=hidden_email(user.id, domain))
        tx.emit(unnamed, to=users.active_ids(tx) - user_ids)
