"""Initial state: my own settings, alert words, muted people, devices. Reads only."""

from typing import Final

from server_lite.objects import personal
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import alert_words, devices
from server_lite.store.connection import Db


def my_settings(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """All personal settings."""
    return {"user_settings": personal.settings_object(request.user)}


def _old_settings(*names: str) -> Section:
    """Settings at the top of the answer, for clients that ask so and do not read `user_settings`."""

    def section(db: Db, request: SnapshotRequest) -> dict[str, object]:
        if request.shape.user_settings_object:
            return {}
        settings = personal.settings_object(request.user)
        # Null, which leaves it to the language, is newer than these clients.
        settings["twenty_four_hour_time"] = bool(settings["twenty_four_hour_time"])
        return {name: settings[name] for name in names}

    return section


OLD_SECTIONS: Final[dict[str, Section]] = {
    "update_display_settings": _old_settings(*personal.OLD_DISPLAY),
    "update_global_notifications": _old_settings(*personal.OLD_NOTIFICATIONS),
}
"""Parts that only those get who name them: level 439 took them away."""


def my_alert_words(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Words about which I want to be told."""
    return {"alert_words": alert_words.of(db, request.user.id)}


def my_muted_users(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Whom I muted, and when."""
    return {"muted_users": personal.muted_user_objects(db, request.user.id)}


def my_devices(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """My devices, and how their push registrations stand."""
    return {"devices": devices.of(db, request.user.id)}


SECTIONS: Final[dict[str, Section]] = {
    "user_settings": my_settings,
    "alert_words": my_alert_words,
    "muted_users": my_muted_users,
    "device": my_devices,
}
