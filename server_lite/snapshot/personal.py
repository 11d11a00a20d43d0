"""Snapshot: the user's settings, alert words, muted users, devices. Reads only."""

from typing import Final

from server_lite.objects import personal
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import alert_words, devices
from server_lite.store.connection import Db


def my_settings(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return all personal settings."""
    return {"user_settings": personal.settings_object(request.user)}


def _old_settings(*names: str) -> Section:
    """Return a section of settings at the top of the answer, for clients that do not read `user_settings`."""

    def section(db: Db, request: SnapshotRequest) -> dict[str, object]:
        if request.shape.user_settings_object:
            return {}
        settings = personal.settings_object(request.user)
        # These clients cannot read null, which means the language's default.
        settings["twenty_four_hour_time"] = bool(settings["twenty_four_hour_time"])
        return {name: settings[name] for name in names}

    return section


OLD_SECTIONS: Final[dict[str, Section]] = {
    "update_display_settings": _old_settings(*personal.OLD_DISPLAY),
    "update_global_notifications": _old_settings(*personal.OLD_NOTIFICATIONS),
}
"""Sections returned only if requested by name: level 439 removed them."""


def my_alert_words(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the user's alert words."""
    return {"alert_words": alert_words.of(db, request.user.id)}


def my_muted_users(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the users whom the user muted, and when."""
    return {"muted_users": personal.muted_user_objects(db, request.user.id)}


def my_devices(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the user's devices, and the state of their push registrations."""
    return {"devices": devices.of(db, request.user.id)}


SECTIONS: Final[dict[str, Section]] = {
    "user_settings": my_settings,
    "alert_words": my_alert_words,
    "muted_users": my_muted_users,
    "device": my_devices,
}
