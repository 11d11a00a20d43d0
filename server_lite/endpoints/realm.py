"""Updating the organization's settings. Thin."""

from typing import TYPE_CHECKING, Annotated, Final

from typing_extensions import TypedDict

from server_lite.access import realm as access
from server_lite.access.roles import check_admin, check_owner
from server_lite.access.user_groups import canonical
from server_lite.actions import realm as actions
from server_lite.api.decoding import BareOrJson
from server_lite.api.params import Fields
from server_lite.endpoints.channel_parameters import Change, plain
from server_lite.errors import Conflict
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.realm import PERMISSIONS, SETTINGS
from server_lite.store.user_groups import GroupSetting
from server_lite.store.users import UserRow

WORDS: Final = frozenset({"jitsi_server_url", "message_retention_days"})
"""Settings that also take a word, for values such as "unlimited"."""


def _hints() -> dict[str, object]:
    hints: dict[str, object] = {}
    for name, entry in SETTINGS.items():
        if entry.type is int and (entry.nullable or name in WORDS):
            hints[name] = Annotated[int | str | None, BareOrJson()]
        elif name in WORDS:
            hints[name] = Annotated[str | None, BareOrJson()]
        elif entry.nullable:
            hints[name] = entry.type | None
        else:
            hints[name] = entry.type
    return hints


Settings = Annotated[dict[str, object], Fields(_hints())]
Permissions = Annotated[dict[str, Change], Fields(dict.fromkeys(PERMISSIONS, Change))]

if TYPE_CHECKING:  # typed dicts made from a table exist at run time only
    Changed = dict[str, object]
else:
    Changed = TypedDict(
        "Changed",
        {
            **{name: entry.type | None for name, entry in SETTINGS.items()},
            **dict.fromkeys(PERMISSIONS, GroupSetting),
        },
        total=False,
    )
    Changed.__doc__ = "Settings and permissions that have another value now."


def update(tx: Tx, user: UserRow, *, settings: Settings, permissions: Permissions) -> Changed:
    """Update settings and permissions; either all given values change or none.

    The answer contains the changed values; for texts only the word "updated", as a full server does.
    """
    check_admin(user)
    values = {name: access.checked_setting(tx, name, value) for name, value in settings.items()}
    values |= {name: _permission(tx, name, change) for name, change in permissions.items()}
    for name in values:
        entry = SETTINGS[name] if name in SETTINGS else PERMISSIONS[name]
        if entry.owner_only:
            check_owner(user)
    new = actions.set_settings(tx, values)
    return {name: "updated" if isinstance(new[name], str) else new[name] for name in new}


def _permission(db: Db, name: str, change: Change) -> object:
    if change.old is not None:
        before = canonical(plain(change.old))
        if before != canonical(realm.permission(db, name)):
            raise Conflict("'old' value does not match the expected value.")
    return access.checked_permission(db, name, plain(change.new))
