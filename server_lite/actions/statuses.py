"""Changing what somebody says of themselves. Asks no permission: callers did."""

from dataclasses import replace
from typing import Any

from server_lite.access.users import ids_who_know
from server_lite.events.statuses import StatusChanged
from server_lite.store import statuses
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def set_status(tx: Tx, user: UserRow, changed: dict[str, Any]) -> None:
    """Change some of status_text, emoji_name, emoji_code, reaction_type."""
    before = statuses.of(tx, user.id)
    after = replace(before, **changed)
    if after != before:
        statuses.store(tx, after)
    if changed:
        tell(tx, user, dict(changed))


def tell(tx: Tx, user: UserRow, changed: dict[str, Any]) -> None:
    """Tell those who know of the person."""
    tx.emit(StatusChanged(user_id=user.id, changed=changed), to=ids_who_know(tx, user))
