"""Changes users' statuses. Checks no permissions: callers did."""

from dataclasses import replace
from typing import Any

from server_lite.access.users import ids_who_can_access
from server_lite.events.users import StatusChanged
from server_lite.store import statuses
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def set_status(tx: Tx, user: UserRow, changed: dict[str, Any], *, away: bool | None = None) -> None:
    """Change some of status_text, emoji_name, emoji_code, reaction_type.

    `away` is added to the same event: the caller hid or showed the presence.
    """
    before = statuses.of(tx, user.id)
    after = replace(before, **changed)
    if after != before:
        statuses.store(tx, after)
    payload = dict(changed) if away is None else {"away": away, **changed}
    if payload:
        emit_status(tx, user, payload)


def emit_status(tx: Tx, user: UserRow, changed: dict[str, Any]) -> None:
    """Send the changed status to users who may see the user."""
    tx.emit(StatusChanged(user_id=user.id, changed=changed), to=ids_who_can_access(tx, user))
