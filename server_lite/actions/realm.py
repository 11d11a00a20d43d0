"""Changes the organization's settings; events go to all users. Checks no permissions: callers did."""

from collections.abc import Mapping
from typing import Any

from server_lite.access.users import restricted_ids
from server_lite.actions.users import set_waiting
from server_lite.events.organization import DefaultSettingChanged, RealmUpdated
from server_lite.objects.realm import derived
from server_lite.store import realm, settings, users
from server_lite.store.database import Tx
from server_lite.store.personal_settings import PERSONAL, Value


def set_settings(tx: Tx, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Store changed values of validated settings; returns them. Events include deprecated names."""
    before = realm.all_settings(tx)
    new = {name: value for name, value in changes.items() if before[name] != value}
    if not new:
        return {}
    restricted = restricted_ids(tx)
    for name, value in new.items():
        if name == "waiting_period_threshold":
            set_waiting(tx, value)
        else:
            settings.store(tx, name, value)
    tx.end_queues(restricted ^ restricted_ids(tx))  # who sees very different users now
    old, now = derived(before), derived({**before, **new})
    also = {name: value for name, value in now.items() if old[name] != value}
    tx.emit(RealmUpdated(changed={**new, **also}), to=users.active_ids(tx))
    return new


def set_personal_defaults(tx: Tx, changes: Mapping[str, Value]) -> None:
    """Change the default settings of new users; existing users are unaffected."""
    chosen = realm.default_personal_settings(tx)
    everybody = users.active_ids(tx)
    for name, value in changes.items():
        if chosen.get(name, PERSONAL[name].default) == value:
            continue
        chosen[name] = value
        tx.emit(DefaultSettingChanged(property=name, value=value), to=everybody)
    differing = {name: v for name, v in chosen.items() if v != PERSONAL[name].default}
    settings.store(tx, "personal_defaults", differing)
